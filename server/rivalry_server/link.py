"""A link carries frames, as bytes, both ways between the arena and one bot.

A session knows nothing else of its stream: a pair of queues does as well as gRPC.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from grpc.aio import ServicerContext, StreamStreamCall

HANG_UP_S: Final = 0.5
MISSHOWN: Final = "in another form"
"""In place of a token where a header was shown that is not in the form of one."""


class LinkLostError(Exception):
    """The other side is gone: what was written last may not have arrived."""


class Link(ABC):
    """Frames in order.  One reader and one writer at a time."""

    token: str | None = None
    """What the bot showed to be let in, None for nothing; never logged."""
    peer: str = ""
    """Where the other side is, for logs."""

    @abstractmethod
    async def read(self) -> bytes | None:
        """The next frame; None when the other side sends no more, in order or because it is gone."""

    @abstractmethod
    async def write(self, frame: bytes) -> None:
        """Returns when the frame is on its way; waits while the other side does not read.  Raises LinkLostError."""

    def cut_off(self, why: str) -> None:  # noqa: B027 - a call that was opened here can only be cancelled
        """Nothing more is written, since the other side does not read: the stream ends with ``why`` in its status."""

    def hang_up(self) -> None:  # noqa: B027 - a gRPC stream ends with its handler or its call
        """Neither reads nor writes any more; what was written may still arrive."""


class QueueLink(Link):
    """One end of a pair of queues in this process."""

    def __init__(self, incoming: _Pipe, outgoing: _Pipe, token: str | None) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self.token = token
        self.peer = "queue"

    def read(self) -> Coroutine[Any, Any, bytes | None]:
        return self._incoming.get()

    def write(self, frame: bytes) -> Coroutine[Any, Any, None]:
        return self._outgoing.put(frame)

    def hang_up(self) -> None:
        self._incoming.cut()
        self._outgoing.close()

    def close(self) -> None:
        """Sends no more; the other end reads what is under way and then None."""
        self._outgoing.close()

    def cut(self) -> None:
        """The connection breaks: what is under way is lost, in both directions."""
        self._incoming.cut()
        self._outgoing.cut()


def pair(*, token: str | None = None, frames: int = 64) -> tuple[QueueLink, QueueLink]:
    """The arena's end and the bot's end; ``frames`` may be under way in each direction before a write waits."""
    there, back = _Pipe(frames), _Pipe(frames)
    return QueueLink(there, back, token), QueueLink(back, there, token)


class _Pipe:
    """Frames in one direction, bounded."""

    def __init__(self, bound: int) -> None:
        self._frames: deque[bytes] = deque()
        self._bound = bound
        self._closed = False
        self._changed: list[asyncio.Future[None]] = []

    async def put(self, frame: bytes) -> None:
        while not self._closed and len(self._frames) >= self._bound:
            await self._change()
        if self._closed:
            raise LinkLostError("the other end is closed")
        self._frames.append(frame)
        if self._changed:
            self._tell()

    async def get(self) -> bytes | None:
        while not self._frames:
            if self._closed:
                return None
            await self._change()
        frame = self._frames.popleft()
        if self._changed:
            self._tell()
        return frame

    def close(self) -> None:
        self._closed = True
        self._tell()

    def cut(self) -> None:
        self._frames.clear()
        self.close()

    async def _change(self) -> None:
        changed = asyncio.get_running_loop().create_future()
        self._changed.append(changed)
        await changed

    def _tell(self) -> None:
        changed, self._changed = self._changed, []
        for future in changed:
            if not future.done():
                future.set_result(None)


class StreamLink(Link):
    """The arena's end of a stream that a bot opened: the context of a gRPC handler whose frames are bytes."""

    def __init__(self, context: ServicerContext[Any, Any]) -> None:
        import grpc.aio

        self._context = context
        self._lost: type[Exception] = grpc.aio.BaseError
        self.peer = context.peer()
        self.token = bearer(context.invocation_metadata() or ())

    async def read(self) -> bytes | None:
        try:
            frame = await self._context.read()
        except self._lost:
            return None
        return frame if isinstance(frame, bytes) else None

    async def write(self, frame: bytes) -> None:
        try:
            await self._context.write(frame)
        except self._lost as error:
            raise LinkLostError(str(error)) from error

    def cut_off(self, why: str) -> None:
        import grpc

        self._context.set_code(grpc.StatusCode.ABORTED)
        self._context.set_details(why)


class CallLink(Link):
    """The arena's end of a stream that it opened itself, to a bot that waits to be dialled."""

    def __init__(self, call: StreamStreamCall[Any, Any], target: str) -> None:
        import grpc.aio

        self._call = call
        self._lost = (grpc.aio.AioRpcError, grpc.aio.BaseError, asyncio.InvalidStateError)
        self.peer = target

    async def read(self) -> bytes | None:
        try:
            frame = await self._call.read()
        except self._lost:
            return None
        return frame if isinstance(frame, bytes) else None

    async def write(self, frame: bytes) -> None:
        try:
            await self._call.write(frame)
        except self._lost as error:
            raise LinkLostError(str(error)) from error

    async def finished(self) -> None:
        """Sends no more, and waits a moment for the bot to read what was sent and hang up."""
        try:
            await self._call.done_writing()
            async with asyncio.timeout(HANG_UP_S):
                while await self.read() is not None:
                    pass
        except (*self._lost, TimeoutError):
            return


def bearer(metadata: Any) -> str | None:
    """The token of ``authorization: Bearer …`` in a call's metadata; None without such a header.

    Where none of those that are there has this form, MISSHOWN.  The scheme may be in any case (RFC 9110, 11.1).
    """
    shown = None
    for key, value in metadata:
        if key == "authorization":
            scheme, _, token = value.strip().partition(" ") if isinstance(value, str) else ("", "", "")
            if scheme.lower() == "bearer" and token:
                return token.strip()
            shown = MISSHOWN
    return shown
