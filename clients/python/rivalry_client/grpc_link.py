"""Links over gRPC: a bot that dials in, and a bot that was dialled."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import grpc
import grpc.aio

from rivalry_client.link import Link, LinkError
from rivalry_client.tls import Tls

PLAY: Final = "/rivalry.arena.v1.ArenaService/Play"
OPTIONS: Final[tuple[tuple[str, int], ...]] = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", 8 << 20),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 5_000),
)
"""A silent peer is noticed after half a minute; pings go only while a stream is open, which every arena permits.  A
connection that is gone is tried again as soon as a session that resumes would: gRPC's own first wait is a second."""


GREETINGS: Final = 3
"""So often a call is begun that fails as it is first written to."""
FORGOTTEN: Final = "Internal error from Core"
"""What gRPC tells of a call that was refused in the very moment in which something was written to it."""
SESSION: Final = "rivalry-session"
"""The metadata in which an arena that dials names the session that lost its stream."""


def metadata(token: str) -> tuple[tuple[str, str], ...]:
    """How a token travels: never in a message."""
    return (("authorization", f"Bearer {token}"),) if token else ()


def channel(target: str, tls: Tls | None = None) -> grpc.aio.Channel:
    """A channel to ``target``, which is what gRPC takes: ``host:port``, ``[v6]:port``, ``unix:/path``.

    With ``tls`` it is encrypted; raises TlsError for files that cannot be used.
    """
    options: Sequence[tuple[str, Any]] = OPTIONS
    if target.startswith(("127.", "localhost:", "[::1]:", "unix:")):
        options = (*OPTIONS, ("grpc.enable_http_proxy", 0))
    if tls:
        return grpc.aio.secure_channel(target, tls.dialling(), options=options)
    return grpc.aio.insecure_channel(target, options=options)


class DialledLink(Link):
    """A stream of ``ArenaService.Play`` that this side opened."""

    def __init__(self, channel: grpc.aio.Channel, token: str = "") -> None:
        # No deadline: it would cover the whole session.  Frames stay bytes, so no serialisers.
        play: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(PLAY)
        self._dial = partial(play, metadata=metadata(token))
        self._call: grpc.aio.StreamStreamCall[bytes, bytes] = self._dial()
        self._spoken = asyncio.Event()
        """Set once the first frame has left, or will not: until then nothing is read."""

    async def read(self) -> bytes | None:
        await self._spoken.wait()
        try:
            frame = await self._call.read()
            if isinstance(frame, bytes):
                return frame
            code = await self._call.code()
            if code is grpc.StatusCode.OK:
                return None
            raise LinkError(code.name.lower(), await self._call.details() or "")
        except grpc.aio.AioRpcError as error:
            raise LinkError(error.code().name.lower(), error.details() or "") from error
        except (asyncio.InvalidStateError, grpc.aio.UsageError) as error:
            raise LinkError("cancelled", "the stream is closed") from error
        except asyncio.CancelledError:
            # A call that was hung up and a task that was cancelled look alike here.
            if self._call.cancelled() and not _cancelling():
                raise LinkError("cancelled", "the stream is closed") from None
            raise

    async def write(self, frame: bytes) -> None:
        try:
            if not self._spoken.is_set():
                await self._greet(frame)
            else:
                await self._call.write(frame)
        except grpc.aio.AioRpcError as error:
            raise LinkError(error.code().name.lower(), error.details() or "") from error
        except (asyncio.InvalidStateError, grpc.aio.UsageError) as error:
            raise LinkError("cancelled", "the stream is closed") from error
        finally:
            self._spoken.set()

    async def _greet(self, frame: bytes) -> None:
        """Writes the first frame.

        Of a call that is refused in the very moment in which something is written gRPC forgets why; another call tells.
        """
        for _ in range(GREETINGS - 1):
            try:
                return await self._call.write(frame)
            except grpc.aio.AioRpcError as error:
                forgotten = error.code() is grpc.StatusCode.INTERNAL and error.details() == FORGOTTEN
                if not forgotten or self._spoken.is_set():  # hung up
                    raise
                self._call = self._dial()
        return await self._call.write(frame)

    async def finish(self) -> None:
        # Without this the call would be cancelled, and what was just written might never be read.
        try:
            await self._call.done_writing()
            await self._call.code()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.UsageError) as error:
            raise LinkError("cancelled", "the stream is closed") from error

    def hang_up(self) -> None:
        self._spoken.set()
        self._call.cancel()

    async def close(self) -> None:
        self.hang_up()


class HostedLink(Link):
    """A stream of ``BotService.Play`` that the arena opened; lives inside that call's handler."""

    def __init__(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        self._context = context
        self._reading: asyncio.Task[object] | None = None
        self._closed = False
        self._lost = False
        self.over = asyncio.Event()
        """Set once the session has done with the stream: then the handler may return."""

    async def read(self) -> bytes | None:
        if self._lost:
            raise LinkError("cancelled", "the caller is gone")
        if self._closed:
            return None
        self._reading = asyncio.ensure_future(self._context.read())
        try:
            frame = await self._reading
        except asyncio.CancelledError:
            if self._lost and not _cancelling():
                raise LinkError("cancelled", "the caller is gone") from None
            if self._closed and not _cancelling():
                return None
            self._reading.cancel()
            raise
        except (grpc.RpcError, asyncio.InvalidStateError, grpc.aio.UsageError) as error:
            raise LinkError("cancelled", str(error)) from error
        return frame if isinstance(frame, bytes) else None

    async def write(self, frame: bytes) -> None:
        if self._closed:
            raise LinkError("cancelled", "the stream is closed")
        try:
            await self._context.write(frame)
        except (grpc.RpcError, asyncio.InvalidStateError, grpc.aio.UsageError) as error:
            raise LinkError("cancelled", str(error)) from error

    def hang_up(self) -> None:
        self._closed = True
        if self._reading is not None:
            self._reading.cancel()

    def lost(self) -> None:
        """The call is over without a word of the arena's; a pending read says so."""
        self._lost = True
        self.hang_up()

    async def close(self) -> None:
        self.hang_up()
        self.over.set()


def _cancelling() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
