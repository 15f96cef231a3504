"""What waits to be sent: everything that became ready in one turn of the loop leaves in one frame."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from rivalry.arena.v1 import session_pb2
from rivalry_client.link import Link, LinkError
from rivalry_wire.bytewise import varint

TAG = b"\x0a"
"""Field 1 of ``PlayRequest``, a message: what stands before each piece of a frame."""


class Frame(bytes):
    """Bytes that leave as a frame of their own."""


class Outbox:
    """Messages in order.  ``frame_messages`` and ``frame_bytes`` bound a frame; once closed, it drops what is put.

    There is one writer at a time: ``run``, which wakes when something is put, or whoever flushes what it put while the
    outbox was held.
    """

    def __init__(self, link: Link) -> None:
        self.frame_messages = 256
        self.frame_bytes = 1 << 20
        self.held = False
        """True while whoever puts will flush: then nobody is woken."""
        self.open = True
        self._link = link
        self._waiting: list[bytes] = []
        self._wake = asyncio.Event()
        self._writing = False
        self._drained: asyncio.Future[None] | None = None

    def put(self, message: session_pb2.FromBot) -> None:
        """Sends a message with the next frame."""
        data = message.SerializeToString()
        self._put(TAG + varint(len(data)) + data)

    def put_frame(self, frame: bytes) -> None:
        """Sends bytes as a frame of their own."""
        self._put(Frame(frame))

    async def run(self) -> None:
        """Writes until it is cancelled or the link is closed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if not self._writing:
                await self._write()

    async def flush(self) -> None:
        """Writes what waits if it is a frame or less; else the writer is woken, so that nobody waits for long."""
        if self._writing or len(self._waiting) > self.frame_messages:
            self._wake.set()
        elif self._waiting:
            await self._write()

    async def drain(self) -> None:
        """Returns when all that was put is written, or the link is closed."""
        while self._writing or self._waiting:
            if self._writing:
                self._drained = asyncio.get_running_loop().create_future()
                await self._drained
            else:
                await self._write()

    def close(self) -> None:
        """The stream is over: nothing more leaves, and what waits is forgotten."""
        self.open = False
        self._waiting.clear()

    async def _write(self) -> None:
        """Writes until nothing waits or the link is closed, which its reader will notice."""
        self._writing = True
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                for frame in self._frames(batch):
                    await self._link.write(frame)
        except LinkError:
            return
        finally:
            self._writing = False
            if self._drained is not None and not self._drained.done():
                self._drained.set_result(None)

    def _put(self, piece: bytes) -> None:
        if not self.open:
            return
        self._waiting.append(piece)
        if not self.held:
            self._wake.set()

    def _frames(self, pieces: Sequence[bytes]) -> Iterator[bytes]:
        frame: list[bytes] = []
        size = 0
        for piece in pieces:
            alone = type(piece) is Frame
            if frame and (alone or len(frame) == self.frame_messages or size + len(piece) > self.frame_bytes):
                yield b"".join(frame)
                frame, size = [], 0
            if alone:
                yield bytes(piece)  # gRPC takes bytes and nothing derived from it
            else:
                frame.append(piece)
                size += len(piece)
        if frame:
            yield b"".join(frame)
