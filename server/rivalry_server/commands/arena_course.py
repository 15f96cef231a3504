"""Matches made at a running arena, one or many, and followed to their ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from rivalry_engine.chance import seed_of_match
from rivalry_server.commands import output
from rivalry_server.commands.arena_calls import AWAY, BUSY, CallError, Calls, patient

if TYPE_CHECKING:
    from rivalry.arena.v1 import match_pb2, play_pb2

BUSY_PATIENCE_S: Final = 300.0
"""An arena that takes no more matches takes one when another has ended: so long that is waited for."""
AWAY_PATIENCE_S: Final = 60.0
"""The same for an arena that is being started again."""
SWEPT: Final = 64
"""So many matches are asked after, one after the other, before there is a pause."""
LEAST_PAUSE_S: Final = 0.1
MOST_PAUSE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Order:
    """The matches that are to be made.

    ``request`` is what they have in common; ``bots`` are the SPECs in seat order.  ``count`` is None for a single
    match, which has ``seed`` and ``request_id`` as they are; match k of many has both with ``/k`` after it.  Without a
    seed the arena draws one for each match.
    """

    request: play_pb2.CreateMatchRequest
    bots: tuple[str, ...]
    seed: bytes | None
    request_id: str
    count: int | None

    @property
    def numbers(self) -> range:
        """The numbers of the matches, from 1."""
        return range(1, (self.count or 1) + 1)

    def numbered(self, number: int) -> play_pb2.CreateMatchRequest:
        """The request for match ``number``: always the same, so that it makes one match however often it is sent."""
        from rivalry.arena.v1 import play_pb2

        request = play_pb2.CreateMatchRequest()
        request.CopyFrom(self.request)
        request.request_id = self.request_id if self.count is None else f"{self.request_id}/{number}"
        if self.seed is not None:
            request.seed = self.seed if self.count is None else seed_of_match(self.seed, number)
        return request


class Making:
    """Makes the matches of an order, in their numbers' order; ``made`` counts those that the arena has."""

    def __init__(self, order: Order, calls: Calls, told: Callable[[int, play_pb2.CreateMatchResponse], None]) -> None:
        self._order = order
        self._calls = calls
        self._told = told
        self.made = 0

    async def all(self) -> None:
        """Makes them all; of many, waits where the arena has as many as it takes.  Raises CallError."""
        for number in self._order.numbers:
            request = self._order.numbered(number)
            codes = frozenset() if self._order.count is None else BUSY if number == 1 else BUSY | AWAY
            response = await patient(
                lambda request=request: self._calls.create(request),  # type: ignore[misc]
                codes=codes,
                patience_s=BUSY_PATIENCE_S,
                told=lambda error: output.tell(f"rivalry: {error}; it is tried again"),
            )
            self.made = number
            self._told(number, response)


class Following:
    """Asks after matches until each has ended, those that run in place of spoiled ones too.

    ``ended`` is called with each as it ends; ``lost`` holds the numbers of those that the arena knows no more.
    """

    def __init__(self, calls: Calls, count: int, ended: Callable[[int, match_pb2.Match], None]) -> None:
        self._calls = calls
        self._count = count
        self._ended = ended
        self._open: dict[int, str] = {}
        self._running: set[int] = set()
        self._over = 0
        self.lost: list[int] = []

    def add(self, number: int, match_id: str) -> None:
        """One more match to follow."""
        self._open[number] = match_id

    @property
    def progress(self) -> str:
        """How far the matches are, for a person."""
        running = len(self._running)
        return f"{self._over} of {self._count} ended, {running} run, {len(self._open) - running} wait"

    async def all(self) -> None:
        """Returns when as many matches have ended as there are to be; raises CallError."""
        pause_s = LEAST_PAUSE_S
        told = Told()
        try:
            while self._over < self._count:
                over = self._over
                for number, match_id in self._some():
                    await self._look(number, match_id)
                if self._over + len(self._open) == self._count:  # until then they are told of as they are made
                    told.tell(self.progress)
                pause_s = LEAST_PAUSE_S if over < self._over else min(1.5 * pause_s, MOST_PAUSE_S)
                if self._over < self._count:
                    await asyncio.sleep(pause_s)
        finally:
            told.clear()

    def _some(self) -> Sequence[tuple[int, str]]:
        """The matches that were not asked after for longest; they go behind all others."""
        some = list(islice(self._open.items(), SWEPT))
        for number, match_id in some:
            del self._open[number]
            self._open[number] = match_id
        return some

    async def _look(self, number: int, match_id: str) -> None:
        try:
            match = await patient(
                lambda: self._calls.match(match_id), codes=AWAY | BUSY, patience_s=AWAY_PATIENCE_S, told=_told_once
            )
        except CallError as error:
            if error.code != "NOT_FOUND":
                raise
            self.lost.append(number)
            self._close(number)
            return
        from rivalry.arena.v1 import match_pb2

        if match.phase == match_pb2.MATCH_PHASE_RUNNING:
            self._running.add(number)
        elif match.again_as:
            self._open[number] = match.again_as
        elif settled(match):
            self._close(number)
            self._ended(number, match)

    def _close(self, number: int) -> None:
        del self._open[number]
        self._running.discard(number)
        self._over += 1


class Told:
    """Progress on stderr: one line that changes on a terminal, else a line now and then."""

    EVERY_S: Final = 10.0

    def __init__(self) -> None:
        import sys

        self._stream = sys.stderr
        self._drawn = output.on_terminal(self._stream)
        self._said = ""
        self._at = float("-inf")

    def tell(self, text: str) -> None:
        """Says ``text`` if it is news."""
        from time import monotonic

        now = monotonic()
        if text == self._said or not (self._drawn or now - self._at >= self.EVERY_S):
            return
        self._said, self._at = text, now
        if self._drawn:
            self._stream.write(f"\r\x1b[K{text}")
            self._stream.flush()
        else:
            output.tell(text)

    def clear(self) -> None:
        """Takes the line away again where there is one."""
        if self._drawn and self._said:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def settled(match: match_pb2.Match) -> bool:
    """True if a match has ended for good: its seed is given out when no other run is made in its place."""
    return match.HasField("outcome") and bool(match.seed)


def tokens(order: Order, response: play_pb2.CreateMatchResponse) -> Iterator[tuple[int, str]]:
    """Each open seat of a match with its token."""
    for seat, bot in enumerate(order.bots):
        if bot == "open":
            yield seat, response.seat_tokens[seat]


def _told_once(error: CallError) -> None:
    output.tell(f"rivalry: {error}; it is asked again")
