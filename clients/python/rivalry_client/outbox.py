"""What waits to be sent: one writer, and everything that became ready in one turn of the loop leaves in one frame."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from rivalry.arena.v1 import play_pb2, session_pb2
from rivalry_client.link import Link, LinkError


class Outbox:
    """Messages in order, written by ``run`` alone.  ``frame_messages`` and ``frame_bytes`` bound a frame."""

    def __init__(self, link: Link) -> None:
        self.frame_messages = 256
        self.frame_bytes = 1 << 20
        self._link = link
        self._waiting: list[session_pb2.FromBot | bytes] = []
        self._wake = asyncio.Event()

    def put(self, message: session_pb2.FromBot | bytes) -> None:
        """Sends a message with the next frame, or bytes as a frame of their own."""
        if not self._waiting:
            self._wake.set()
        self._waiting.append(message)

    async def run(self) -> None:
        """Writes until it is cancelled or the link is closed."""
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                batch, self._waiting = self._waiting, []
                for frame in self._frames(batch):
                    await self._link.write(frame)
        except LinkError:
            return

    def _frames(self, batch: Sequence[session_pb2.FromBot | bytes]) -> Iterator[bytes]:
        messages: list[session_pb2.FromBot] = []
        for message in batch:
            if isinstance(message, bytes):
                yield from self._cut(messages)
                messages = []
                yield message
            else:
                messages.append(message)
        yield from self._cut(messages)

    def _cut(self, messages: Sequence[session_pb2.FromBot]) -> Iterator[bytes]:
        if not messages:
            return
        if len(messages) <= self.frame_messages:
            frame = play_pb2.PlayRequest(messages=messages).SerializeToString()
            if len(frame) <= self.frame_bytes or len(messages) == 1:
                yield frame
                return
        half = len(messages) // 2
        yield from self._cut(messages[:half])
        yield from self._cut(messages[half:])
