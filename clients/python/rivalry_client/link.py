"""Links: frames as bytes, both ways, between a session and an arena.

The frames of ``ArenaService.Play`` and ``BotService.Play`` have the same bytes (field 1, repeated messages), so a
session need not know who dialled.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod


class LinkError(Exception):
    """The stream broke.  ``code`` is gRPC's word in lower case (unavailable, unauthenticated, …)."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}" if text else code)
        self.code = code
        self.text = text


class Link(ABC):
    """One stream of frames each way."""

    @abstractmethod
    async def read(self) -> bytes | None:
        """The next frame; None when the other side closed the stream in good order.  Raises LinkError."""

    @abstractmethod
    async def write(self, frame: bytes) -> None:
        """Sends a frame; returns when more may be sent.  Raises LinkError."""

    async def finish(self) -> None:
        """Says that nothing more is written, and waits until the other side closes the stream.  Raises LinkError."""
        return

    @abstractmethod
    def hang_up(self) -> None:
        """Closes the stream at once, without a word; a pending read ends."""

    @abstractmethod
    async def close(self) -> None:
        """Gives back what the link holds.  Never raises LinkError."""


class QueueLink(Link):
    """A link within the process: a pair of queues.  ``QueueLink.pair()`` gives both ends."""

    def __init__(self, incoming: asyncio.Queue[bytes | None], outgoing: asyncio.Queue[bytes | None]) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._hung_up = False

    @classmethod
    def pair(cls, bound: int = 64) -> tuple[QueueLink, QueueLink]:
        """Two ends; at most ``bound`` frames wait in each direction."""
        one: asyncio.Queue[bytes | None] = asyncio.Queue(bound)
        other: asyncio.Queue[bytes | None] = asyncio.Queue(bound)
        return cls(one, other), cls(other, one)

    async def read(self) -> bytes | None:
        return None if self._hung_up else await self._incoming.get()

    async def write(self, frame: bytes) -> None:
        if self._hung_up:
            raise LinkError("cancelled", "the stream is closed")
        await self._outgoing.put(frame)

    def hang_up(self) -> None:
        if not self._hung_up:
            self._hung_up = True
            for queue in (self._outgoing, self._incoming):
                while queue.full():
                    queue.get_nowait()
                queue.put_nowait(None)

    async def close(self) -> None:
        self.hang_up()
