"""Pings: a few at the beginning, then one in a while, and the round trip of each."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import session_pb2
from rivalry_server import frames
from rivalry_server.lag import GAP_S, sampler
from rivalry_server.outbox import Due

if TYPE_CHECKING:
    import asyncio

    from rivalry_server.session import Session

FIRST_S: Final = (0.1, 0.4, 1.5)
"""From each ping to the next, the first of which follows the welcome at once: so there is soon a figure."""
KEPT: Final = 32
"""The least of so many round trips is what the network takes."""


class Pings(Due):
    """The pings of one stream; one at a time is under way."""

    def __init__(self, session: Session, every_s: float) -> None:
        self.round_trip_us: int | None = None
        """Of the last ping that was answered."""
        self.least_us = 0
        """The least round trip of the last pings; 0 before the first."""
        self._kept: deque[int] = deque(maxlen=KEPT)
        self._session = session
        self._lag = sampler(session.loop, session.now, every_s=session.settings.lag_sample_s)
        self._every_s = every_s
        self._nonce = 0
        self._awaited = False
        self._written_at = 0.0
        self._first = iter(FIRST_S)
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Pings from now on."""
        self._ping()

    def stop(self) -> None:
        """Pings no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def answered(self, nonce: int, at: float) -> bool:
        """A pong came; False if no ping asked for it."""
        if not self._awaited or nonce != self._nonce:
            return False
        self._awaited = False
        written_at = self._written_at
        held_up_us = self._lag.share_us(written_at, written_at + GAP_S, at)
        self.round_trip_us = max(0, round((at - written_at) * 1_000_000) - held_up_us)
        self._kept.append(self.round_trip_us)
        self.least_us = min(self._kept)
        return True

    def written(self, now: float) -> bytes:
        self._written_at = now
        message = session_pb2.Ping(nonce=self._nonce, last_round_trip_us=self.round_trip_us)
        return frames.piece(frames.PING, message.SerializeToString())

    def _ping(self) -> None:
        if not self._awaited:
            self._nonce += 1
            self._awaited = True
            self._session.put(self)
        wait_s = next(self._first, self._every_s)
        self._timer = self._session.loop.call_later(wait_s, self._ping)
