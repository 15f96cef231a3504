"""What `rivalry match` was asked for, as it was given, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import click

from rivalry_engine.chance import seed_text
from rivalry_server.commands import given, plan, spec
from rivalry_server.match_spec import MatchSpec
from rivalry_server.spectator import Spectator

POLICIES: Final = ("on_illegal", "on_timeout", "on_disconnect", "on_crash", "on_no_show", "grace")


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for."""

    game_name: str | None
    pairs: tuple[str, ...]
    bots: tuple[str, ...]
    seed_given: str | None
    time_given: str
    wait: str
    on_illegal: str
    on_timeout: str
    on_disconnect: str
    on_crash: str
    on_no_show: str
    grace: str
    position_file: str | None
    record_path: str | None
    force: bool
    count: int | None
    jobs: int
    start: int
    address: str
    watch: bool
    pace: str | None
    show: str | None
    explain_time: bool
    level: str
    as_json: bool

    def planned(self) -> plan.Plan:
        """The plan, everything checked; raises UsageError and RivalryError."""
        if not self.bots:
            raise click.UsageError(f"Missing option '--bot': once for each seat; SPEC is {spec.FORMS}")
        if self.count is None and (self.jobs != 1 or self.start != 1):
            raise click.UsageError("--jobs and --from go with --count N; give that as well")
        if self.count is not None and self.start > self.count:
            raise click.UsageError(f"--from {self.start}: expected 1 to {self.count}, the --count")
        if self.force and self.record_path is None:
            raise click.UsageError("--force goes with --record FILE; give that as well")
        if self.explain_time and self.count is not None and not self.as_json:
            raise click.UsageError("--explain-time with --count goes with --json; give that as well")
        given.utf8("--address", self.address)
        if self.pace is not None:
            plan.seconds("--pace", self.pace)
        game, position = plan.game(self.game_name, self.pairs, len(self.bots), self.position_file)
        return plan.Plan(
            game=game,
            seed=given.seed(self.seed_given),
            occupants=plan.occupants(self.bots, game.name),
            time_control=plan.time_control("--time", self.time_given),
            policies=plan.policies({name: getattr(self, name) for name in POLICIES}),
            wait_s=plan.seconds("--wait", self.wait),
            position=position,
        )

    def views(self, match: MatchSpec) -> list[Spectator]:
        """What a person wants to see of ``match`` while it runs."""
        if not self.watch and self.show is None:
            return []
        from rivalry_server.commands import views

        shown: list[Spectator] = []
        if self.watch:
            pace_s = None if self.pace is None else plan.seconds("--pace", self.pace)
            shown.append(views.Live(match, pace_s=pace_s))
        if self.show is not None:
            shown.append(views.Prompts())
        return shown

    def worker(self, planned: plan.Plan) -> list[str]:
        """The arguments of a process that plays matches of the same plan by number."""
        arguments = ["match", "--numbers", "--json", "--seed", seed_text(planned.seed), "--log", self.level]
        arguments += ["--time", self.time_given, "--wait", self.wait, "--address", self.address]
        arguments += ["--count", str(self.count)]
        for name in POLICIES:
            arguments += [f"--{name.replace('_', '-')}", getattr(self, name)]
        for option, value in (
            ("--game", self.game_name),
            ("--position", self.position_file),
            ("--record", self.record_path),
            ("--show", self.show),
            ("--pace", self.pace),
        ):
            arguments += [] if value is None else [option, value]
        arguments += ["--watch"] if self.watch else []
        arguments += ["--explain-time"] if self.explain_time else []
        for pair in self.pairs:
            arguments += ["--option", pair]
        for bot in self.bots:
            arguments += ["--bot", bot]
        return arguments
