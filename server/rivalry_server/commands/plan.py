"""What a match is to be, read from the command line before anything is started."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from rivalry_engine import catalog
from rivalry_engine.chance import seed_of_match
from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_engine.game import Game
from rivalry_engine.option import OptionValue
from rivalry_server import identity
from rivalry_server.clock import TimeControl
from rivalry_server.commands import given, spec
from rivalry_server.commands.asking import asked
from rivalry_server.match_spec import MatchSpec
from rivalry_server.policies import Policies
from rivalry_server.seating import Occupant
from rivalry_server.time_text import EXPECTED, time_us


@dataclass(frozen=True, slots=True)
class Plan:
    """One match, or the many that differ in their number and seed alone.

    ``occupants`` is who plays, in seat order.
    """

    game: Game
    seed: bytes
    occupants: tuple[Occupant, ...]
    time_control: TimeControl
    policies: Policies
    wait_s: float
    position: Mapping[str, Any] | None

    def spec(self, number: int | None = None) -> MatchSpec:
        """The only match, or match ``number`` of many, counted from 1."""
        return MatchSpec(
            self.game,
            self.seed if number is None else seed_of_match(self.seed, number),
            match_id=identity.match_id(),
            time_control=self.time_control,
            policies=self.policies,
            wait_s=self.wait_s,
            position=self.position,
        )


def game(
    name: str | None, pairs: Sequence[str], seats: int, position_file: str | None
) -> tuple[Game, Mapping[str, Any] | None]:
    """The game, and the position to begin from if there is one; as many seats as there are bots.  Raises UsageError."""
    if position_file is not None:
        return _positioned(name, pairs, seats, position_file)
    if name is None:
        raise click.UsageError("Missing option '--game'")
    options: dict[str, OptionValue] = given.options(name, pairs)
    if options.setdefault("seats", seats) != seats:
        raise click.UsageError(
            f"--option seats={options['seats']}: {counted(seats, 'time')} --bot was given; seats is the number of bots"
        )
    if seats not in catalog.rules(name).seat_counts:
        counts = catalog.rules(name).seat_counts
        allowed = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        raise click.UsageError(f"{counted(seats, 'time')} --bot: expected {allowed} for {name}, one for each seat")
    return catalog.game(name, options), None


def _positioned(
    name: str | None, pairs: Sequence[str], seats: int, position_file: str
) -> tuple[Game, Mapping[str, Any]]:
    if pairs:
        raise click.UsageError("--option beside --position: the options stand in the position; leave --option out")
    state, position = given.position(position_file)
    if name is not None and name != state.game.name:
        raise click.UsageError(f"--game {name}: the position is one of {state.game.name}")
    with asked(state.game):
        over = not state.movers()
    if over:
        raise click.UsageError(f"--position {position_file}: the game is over there; expected one that goes on")
    if state.game.seats != seats:
        raise click.UsageError(
            f"{counted(seats, 'time')} --bot: the position has {counted(state.game.seats, 'seat')}; give one for each"
        )
    return state.game, position


def occupants(specs: Sequence[str], game_name: str) -> tuple[Occupant, ...]:
    """Who plays, in seat order; raises RivalryError."""
    return tuple(spec.occupant(text, game_name) for text in specs)


def policies(texts: Mapping[str, str]) -> Policies:
    """The policies of ``on_illegal`` and so on, by word; raises RivalryError."""
    for name, text in texts.items():
        try:
            Policies.parsed({name: text})
        except RivalryError as error:
            raise click.UsageError(f"--{name.replace('_', '-')}: {error}") from error
    return Policies.parsed(texts)


def seconds(option: str, text: str) -> float:
    """A time such as ``500ms``, ``2s`` or ``1m``, in seconds; raises UsageError."""
    try:
        return time_us(text) / 1e6
    except RivalryError as error:
        raise click.UsageError(f"{option} {text}: {EXPECTED}") from error


def time_control(option: str, text: str) -> TimeControl:
    """The time control; raises UsageError."""
    try:
        return TimeControl.parsed(text)
    except RivalryError as error:
        raise click.UsageError(f"{option} {text}: {error.__cause__}") from error
