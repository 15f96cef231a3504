"""Matches that ended before the arena was started, as the journal kept them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rivalry_server.attempt import Attempt
from rivalry_server.match import Match
from rivalry_server.seat import AbsentSeat

if TYPE_CHECKING:
    from rivalry_server.journal.ending import KeptEnding


class Past(Attempt):
    """An attempt with its result, of which nothing runs."""

    def __init__(self, number: int, kept: KeptEnding) -> None:
        """Raises RivalryError where the game cannot be played here any more."""
        self.number = number
        self.result = kept.result()
        self.spec = kept.opening.spec()
        self.match = None
        self.goes_on = False
        self.occupants = ()
        self.vacancies = {}
        self.watchers = []
        self.finished = asyncio.get_running_loop().create_future()
        self.finished.set_result(self.result)

    def cancel(self, why: str) -> None:
        """It has ended."""

    def suspend(self) -> bool:
        """Nothing of it runs."""
        return False


def end_told(kept: KeptEnding, seat: int, handle: int) -> list[bytes]:
    """The end of a match as pieces of a frame for the bot of a seat, with all events; raises RivalryError."""
    result = kept.result()
    sitters = [AbsentSeat(each.bot, each.end, each.text, name=each.name, version=each.version) for each in result.seats]
    match = Match(kept.opening.spec(), sitters, now=float, later=_never, on_end=_ignored)
    match.played_again(kept.entries, result)
    return match.wire.ended(match.players[seat], handle, result, events_after=0, last=b"")


def _never(call: object) -> None:
    raise AssertionError("a match that is over goes on")


def _ignored(result: object) -> None:
    """It was told when it happened."""
