"""Whether an arena is still there: pings it while it is quiet, and notices a stream that is open at one end only."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

PING_S: Final = 15.0
"""How long a stream may be quiet before the arena is asked for a sign of life, and again."""
UNANSWERED: Final = 2
"""So many pings without anything heard, each with its PING_S, and the stream is lost."""
SILENCE_S: Final = PING_S * (UNANSWERED + 1)


class Pulse:
    """The pings of a session, over one stream after the other.

    ``heard_at`` is set, in seconds of the loop, by whoever reads the stream.  Silence means something only from an
    arena that has answered a ping before; and only unanswered pings count, not the time that the loop was held up.
    """

    def __init__(self, ping: Callable[[int], None], silent: Callable[[], None]) -> None:
        self.heard_at = 0.0
        self.dead = False
        """True once the stream was found to be lost."""
        self._ping = ping
        self._silent = silent
        self._answers = False
        self._nonce = 0
        self._pinged_at = 0.0
        self._unanswered = 0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """A new stream is open: the first ping goes at once, so that an arena that answers is known."""
        self.stop()
        self.dead = False
        loop = asyncio.get_running_loop()
        self.heard_at = loop.time()
        self._unanswered = 0
        self._say()
        self._timer = loop.call_at(self.heard_at + PING_S, self._look)

    def stop(self) -> None:
        """The stream is over."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def answered(self) -> None:
        """A pong came."""
        self._answers = True

    def _look(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        due = self.heard_at + PING_S
        if self.heard_at >= self._pinged_at:
            self._unanswered = 0
        if now < due:
            self._timer = loop.call_at(due, self._look)
        elif self._answers and self._unanswered >= UNANSWERED:
            self._timer = None
            self.dead = True
            self._silent()
        else:
            self._unanswered += 1
            self._say()
            self._timer = loop.call_at(now + PING_S, self._look)

    def _say(self) -> None:
        self._nonce += 1
        self._pinged_at = asyncio.get_running_loop().time()
        self._ping(self._nonce)
