"""A tiny game for tests: simultaneous bids, secrets, choices with parts, any number of seats from 2 to 6.

Each round all seats bid at once; the bids are shown when the last is in.  A seat scores what it bid if nobody bid the
same.  In a last question the first seat may show some of its pebbles, which only tests parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from rivalry_engine.chance import Stream
from rivalry_engine.error import NotationError
from rivalry_engine.event import Event
from rivalry_engine.game import PUBLIC, Action, Choice, Game, Objection, Observation, State, View, ranked
from rivalry_engine.option import Option, OptionValue

SHOW = 100
PEBBLES = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class TallySetup(View):
    rounds: int

    def json(self) -> dict[str, Any]:
        return {"rounds": self.rounds}


@dataclass(frozen=True, slots=True)
class TallyObservation(Observation):
    seat: int
    secret: str
    rounds: tuple[tuple[int, ...], ...]

    def json(self) -> dict[str, Any]:
        return {"seat": self.seat, "secret": self.secret, "rounds": [list(bids) for bids in self.rounds]}


class Tally(Game):
    """Bids at once."""

    name = "tally"
    title = "Tally"
    rules_version = 1
    seat_counts = range(2, 7)
    usual_seats = 3
    declared = (
        Option("rounds", "integer", 2, (), "how many rounds are bid"),
        Option("padding", "integer", 0, (), "how long the secret that each event tells is"),
        Option("breaks", "flag", False, (), "whether the game has a fault in its second round"),
    )

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        self.rounds = int(self.options["rounds"])

    def new_state(self, seed: bytes) -> TallyState:
        return TallyState(self, [f"secret-{seat}-{Stream(seed, f'{seat}').word():x}" for seat in range(self.seats)])

    def text(self, action: Action) -> str:
        if action >= SHOW:
            return f"show {action - SHOW:03b}"
        return f"bid {action}"

    def action(self, text: str) -> Action:
        for action in (*range(10), *range(SHOW, SHOW + 8)):
            if self.text(action) == text:
                return action
        raise NotationError(f"{text!r} is no action of Tally; expected bid N")

    def part_text(self, part: int) -> str:
        return f"pebble {part}"

    def fill(self, choice: Choice, chosen: Sequence[int]) -> Action:
        if not choice.parts:
            return choice.action
        return SHOW + sum(1 << choice.parts[index] for index in chosen)


def failing(*given: object) -> NoReturn:
    """Stands for any method of the game that has a fault."""
    raise ValueError("the deck is Q K J")


class TallyState(State):
    __slots__ = ("bids", "game", "past", "secrets", "shown")

    def __init__(self, game: Tally, secrets: list[str]) -> None:
        self.game: Tally = game
        self.secrets = secrets
        self.past: list[tuple[int, ...]] = []
        self.bids: dict[int, int] = {}
        self.shown = False
        self.log: list[Event] | None = None

    def movers(self) -> Sequence[int]:
        if len(self.past) < self.game.rounds:
            return tuple(seat for seat in range(self.game.seats) if seat not in self.bids)
        return () if self.shown else (0,)

    def question(self, seat: int) -> str:
        return "bid" if len(self.past) < self.game.rounds else "show"

    def choices(self, seat: int) -> Sequence[Choice]:
        if len(self.past) < self.game.rounds:
            return tuple(Choice(bid) for bid in range(10))
        return (Choice(SHOW + 3, PEBBLES, 1, 3, 2),)

    def legal_actions(self, seat: int) -> Sequence[Action]:
        return range(10) if len(self.past) < self.game.rounds else range(SHOW + 1, SHOW + 8)

    def objection(self, seat: int, action: Action) -> Objection | None:
        return None if action in self.legal_actions(seat) else Objection("out_of_range", f"{action} cannot be done now")

    def apply(self, seat: int, action: Action) -> None:
        if self.game.options["breaks"] and len(self.past) == 1:
            raise AssertionError("the game has a fault")
        if action >= SHOW:
            self.shown = True
            self._happened("shown", {"pebbles": action - SHOW})
            return
        self.bids[seat] = action
        if len(self.bids) == self.game.seats:
            bids = tuple(self.bids[each] for each in range(self.game.seats))
            self.past.append(bids)
            self.bids = {}
            self._happened("bids", {"bids": bids})

    def _happened(self, kind: str, facts: dict[str, Any]) -> None:
        if self.log is not None:
            secrets = {seat: {"own": self.secrets[seat]} for seat in range(self.game.seats)}
            padding = int(self.game.options["padding"])
            if padding:
                facts["padding"] = "x" * padding
            self.log.append(Event(kind, facts, secrets))

    def setup(self) -> TallySetup:
        return TallySetup(self.game.rounds)

    def observe(self, audience: int) -> TallyObservation:
        return TallyObservation(audience, "" if audience == PUBLIC else self.secrets[audience], tuple(self.past))

    def scores(self) -> tuple[int, ...]:
        totals = [0] * self.game.seats
        for bids in self.past:
            for seat, bid in enumerate(bids):
                totals[seat] += bid if bids.count(bid) == 1 else 0
        return tuple(totals)

    def ranks(self) -> tuple[int, ...]:
        return ranked(self.scores())

    def clone(self) -> TallyState:
        copy = TallyState(self.game, self.secrets)
        copy.past = list(self.past)
        copy.bids = dict(self.bids)
        copy.shown = self.shown
        return copy
