"""How long a match takes: some are played, with seeds that the tournament does not have."""

from __future__ import annotations

from typing import Final

from rivalry_engine import catalog
from rivalry_engine.chance import derived
from rivalry_server import identity, stop
from rivalry_server.clock import TimeControl
from rivalry_server.commands import plan, play
from rivalry_server.commands.failure import StoppedError
from rivalry_server.match_spec import MatchSpec
from rivalry_server.policies import Policies
from rivalry_server.time_text import time_us
from rivalry_tournament import times
from rivalry_tournament.schedule import Schedule
from rivalry_tournament.settings import Settings

TABLES_MOST: Final = 3


def match_us(schedule: Schedule) -> int:
    """The mean time of one match at each of the first tables, from first prompt to end, in microseconds."""
    tables = {block.bots: block.matches[0].seats for block in schedule.blocks}
    try:
        with stop.orderly():
            took_s = [_played(schedule.settings, seats) for seats in list(tables.values())[:TABLES_MOST]]
    except KeyboardInterrupt as stopped:
        raise StoppedError(stopped, "before the trial ended; nothing was kept") from None
    return round(sum(took_s) / len(took_s) * 1e6)


def _played(settings: Settings, seats: tuple[str, ...]) -> float:
    """How long a match between ``seats`` took, in seconds."""
    specs = {entrant.name: entrant.spec for entrant in settings.entrants}
    game = catalog.game(settings.game, settings.options)
    control = TimeControl.parsed(settings.time)
    planned = plan.Plan(
        game=game,
        seed=derived(settings.seed, f"trial/{','.join(seats)}"),
        occupants=plan.occupants([specs[name] for name in seats], game.name),
        time_control=times.loading(control, settings.load) or control,
        policies=Policies.parsed(settings.policies),
        wait_s=time_us(settings.wait) / 1e6,
        position=None,
    )
    spec = MatchSpec(
        game,
        planned.seed,
        match_id=identity.match_id(),
        time_control=planned.time_control,
        policies=planned.policies,
        wait_s=planned.wait_s,
    )
    return play.played(planned, spec, views=(), address="127.0.0.1:0").duration_s
