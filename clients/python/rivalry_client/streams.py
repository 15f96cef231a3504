"""Where a session's next stream comes from when one was lost."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from rivalry_client.link import Link
from rivalry_engine.chance import Stream

LEAST_S: Final = 0.1
MOST_S: Final = 5.0
FINE: Final = 1 << 16


class Streams(ABC):
    """Gives a session one stream after the other."""

    trying: str = "trying to resume"
    """What the session does meanwhile, in words."""
    idle: bool = True
    """True if a session without an open match is worth resuming, or beginning anew."""

    @abstractmethod
    async def next(self, session: str) -> Link:
        """The next stream for a session of that id, after a wait where one is due; whoever gives up cancels it."""

    def stood(self, seconds: float) -> None:
        """The last stream was welcomed and stood for so long."""
        return


class Dialled(Streams):
    """Dials again, after a wait that doubles from LEAST_S to MOST_S.

    Each wait is drawn from the upper half of its span, so that the bots of an arena that comes back do not all come at
    once.  A stream that stood for MOST_S or longer begins the waits anew.
    """

    def __init__(self, dial: Callable[[], Link], chance: Stream) -> None:
        self._dial = dial
        self._chance = chance
        self._span_s = LEAST_S

    async def next(self, session: str) -> Link:
        span_s, self._span_s = self._span_s, min(2 * self._span_s, MOST_S)
        await asyncio.sleep(span_s * (FINE + self._chance.below(FINE + 1)) / (2 * FINE))
        return self._dial()

    def stood(self, seconds: float) -> None:
        if seconds >= MOST_S:
            self._span_s = LEAST_S
