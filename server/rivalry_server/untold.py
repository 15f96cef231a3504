"""Ends of matches that a bot has not acknowledged: it is told them again when it comes back, for a while."""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from rivalry.arena.v1 import outcome_pb2, play_pb2, session_pb2
from rivalry_server import frames

if TYPE_CHECKING:
    from rivalry_server.handles import Handles

KEPT: Final = 64
"""So many are kept for a bot that never acknowledges one, besides those of its open matches."""


class Untold(NamedTuple):
    """The end of a match that a bot has not acknowledged, as pieces of a frame."""

    match_id: str
    seat: int
    pieces: list[bytes]
    started: bytes = b""
    """The MatchStarted by which a bot that knows the match by a former handle learns the one of the end."""


class Ends:
    """Those of one session, by handle, the oldest first."""

    def __init__(self, loop: AbstractEventLoop, linger_s: float, on_forgotten: Callable[[], None]) -> None:
        """``on_forgotten`` is called when a bot that is away was waited for ``linger_s`` seconds."""
        self._loop = loop
        self._linger_s = linger_s
        self._on_forgotten = on_forgotten
        self._untold: dict[int, Untold] = {}
        self._patience: TimerHandle | None = None

    def __len__(self) -> int:
        """How many there are."""
        return len(self._untold)

    def seats(self) -> Iterator[tuple[int, tuple[str, int]]]:
        """For each its handle, and the match with the seat."""
        return ((handle, (untold.match_id, untold.seat)) for handle, untold in self._untold.items())

    def told_to(self, handles: Collection[int], names: Handles, *, held: Collection[int]) -> Iterator[bytes]:
        """All that tells them to a bot that is back and believes to play the matches of ``handles``, as pieces.

        Those that are not among ``held``, the matches that it does play, and whose end is not known either, are told to
        be void.
        """
        for handle in handles:
            untold = self._untold.get(names.now(handle))
            if untold is not None and names.now(handle) != handle:
                yield _replacing(handle, untold.started)
        for untold in self._untold.values():
            yield from untold.pieces
        for handle in handles:
            if names.now(handle) not in held and names.now(handle) not in self._untold:
                yield _unknown(handle)

    def add(self, handle: int, untold: Untold, *, most: int | None = None) -> None:
        """One more; where there are more than ``most`` the oldest goes, since the bot has read what came later."""
        self._untold[handle] = untold
        if most is not None and len(self._untold) > most:
            del self._untold[next(iter(self._untold))]

    def acknowledged(self, handle: int) -> bool:
        """The bot has that one; False if it is none of them."""
        return self._untold.pop(handle, None) is not None

    def wait(self) -> None:
        """A bot that is away may still come for them, for a while."""
        if self._patience is None:
            self._patience = self._loop.call_later(self._linger_s, self._on_forgotten)

    def wait_no_more(self) -> None:
        """It is here, or is not waited for any more."""
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def forget(self) -> None:
        """Nobody will come for them."""
        self._untold.clear()
        self.wait_no_more()


def _replacing(handle: int, started: bytes) -> bytes:
    """A MatchStarted as a piece of a frame, for a bot that knows the match by ``handle``."""
    message = play_pb2.PlayResponse.FromString(started).messages[0].match_started
    message.replaces = handle
    return frames.piece(frames.MATCH_STARTED, message.SerializeToString())


def _unknown(handle: int) -> bytes:
    """The end of a match that a bot believes to play and nobody knows here, as a piece of a frame."""
    outcome = outcome_pb2.Outcome(void=True, text="the match is not known here any more")
    return frames.piece(frames.MATCH_ENDED, session_pb2.MatchEnded(match=handle, outcome=outcome).SerializeToString())
