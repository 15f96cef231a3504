"""Matches that ended before the arena was started, as the journal kept them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from rivalry_server.attempt import Attempt
from rivalry_server.identity import next_match_id
from rivalry_server.match import Match
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End
from rivalry_server.seat import AbsentSeat
from rivalry_server.untold import Untold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rivalry_server.journal import Journal
    from rivalry_server.journal.ending import KeptEnding
    from rivalry_server.journal.entries import Entry
    from rivalry_server.journal.opening import KeptOpening


class Past(Attempt):
    """An attempt with its result, of which nothing runs."""

    def __init__(self, kept: KeptEnding, journal: Journal) -> None:
        """Raises RivalryError where the game cannot be played here any more."""
        self.number = 0
        self.result = kept.result()
        self.spec = kept.opening.spec()
        self.match = None
        self.goes_on = False
        self.settled = True
        again_as = next_match_id(kept.opening.match_id)
        self.again_as = again_as if kept.owed and journal.knows(again_as) else ""
        self.kept_as = kept
        self.occupants = ()
        self.vacancies = {}
        self.watchers = []
        self._awaited = {}
        self.finished = asyncio.get_running_loop().create_future()
        self.finished.set_result(self.result)

    def cancel(self, why: str) -> None:
        """It has ended."""

    def suspend(self) -> bool:
        """Nothing of it runs."""
        return False


def end_told(kept: KeptEnding, seat: int, handle: int) -> Untold:
    """The end of a match for the bot of a seat, with all events; raises RivalryError."""
    result = kept.result()
    match = _looked_at(kept.opening.spec(), [(each.name, each.version) for each in result.seats])
    match.played_again(kept.entries, result)
    player = match.players[seat]
    pieces = match.wire.ended(player, handle, result, events_after=0, last=b"")
    return Untold(result.match_id, seat, pieces, match.wire.started(player, handle, 0, resumed=True))


def replayed(opening: KeptOpening, entries: Sequence[Entry]) -> Match:
    """A match after all that was kept of it, to be looked at; raises RivalryError where its rules do not allow it."""
    spec = opening.spec()
    match = _looked_at(spec, [("", "")] * spec.game.seats)
    match.played_again(entries, None)
    return match


def _looked_at(spec: MatchSpec, names: Sequence[tuple[str, str]]) -> Match:
    """A match that asks nobody."""
    sitters = [AbsentSeat("", End.NORMAL, "", name=name, version=version) for name, version in names]
    return Match(spec, sitters, now=float, later=_never, on_end=_ignored)


def _never(call: object) -> None:
    raise AssertionError("a match that is over goes on")


def _ignored(result: object) -> None:
    """It was told when it happened."""
