"""A bot that waits to be dialled: it hosts ``BotService``, and each call is a session, or goes on with one."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from pathlib import Path
from typing import Final

import grpc
import grpc.aio

from rivalry_client.client import Seating
from rivalry_client.ending import Ending
from rivalry_client.grpc_link import OPTIONS, SESSION, HostedLink, metadata
from rivalry_client.link import Link
from rivalry_client.report import Report
from rivalry_client.session import Session
from rivalry_client.streams import Streams
from rivalry_client.thinking import Thinking
from rivalry_client.tls import Tls

SERVICE: Final = "rivalry.arena.v1.BotService"
HOST_OPTIONS: Final = (
    *OPTIONS,
    # On by default, and then a second host on a used port fails without an error.
    ("grpc.so_reuseport", 0),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    # However often an arena pings while the bot thinks, it is not cut off.
    ("grpc.http2.max_ping_strikes", 0),
)


class Calls(Streams):
    """The calls to come: a session that lost its stream with matches open gets the one that names it."""

    trying = "waiting to be dialled again"
    idle = False

    def __init__(self) -> None:
        self._waiting: dict[str, asyncio.Future[Link]] = {}
        self._early: dict[str, Link] = {}

    async def next(self, session: str) -> Link:
        if (early := self.early(session)) is not None:
            return early
        call: asyncio.Future[Link] = asyncio.get_running_loop().create_future()
        self._waiting[session] = call
        try:
            return await call
        except asyncio.CancelledError:
            if call.done() and not call.cancelled():
                call.result().hang_up()
                await call.result().close()
            raise

    def take(self, link: Link, session: str) -> bool:
        """Gives ``link`` to the session that it is for; False if that does not wait for one."""
        call = self._waiting.pop(session, None)
        if call is None or call.done():
            return False
        call.set_result(link)
        return True

    def keep(self, link: Link, session: str) -> None:
        """Keeps ``link`` for a session whose stream is about to be found lost."""
        before, self._early[session] = self._early.get(session), link
        if before is not None:
            before.hang_up()

    def early(self, session: str) -> Link | None:
        """The call that was kept for the session, which is gone with that; None if there is none."""
        return self._early.pop(session, None)


class Host:
    """Serves a bot at ``address`` until it is cancelled or the bot crashes.

    With a token, only callers that show it are taken; with ``tls``, TLS is spoken, and callers show a certificate where
    it has a ``ca``.
    """

    def __init__(
        self,
        seating: Seating,
        address: str,
        *,
        thinking: Thinking,
        report: Report,
        token: str = "",
        tls: Tls | None = None,
        bound: Callable[[str], None] | None = None,
    ) -> None:
        self._seating = seating
        self._address = address
        self._thinking = thinking
        self._report = report
        self._metadata = metadata(token)
        self._credentials = tls.dialled() if tls else None
        self._bound = bound or (lambda address: report.line(f"waits to be dialled at {address}"))
        self._calls = Calls()
        self._sessions: dict[asyncio.Task[None], Session] = {}
        self._crashed: asyncio.Future[Ending] | None = None

    async def serve(self) -> Ending:
        """Serves; returns when the bot crashed or the address cannot be used."""
        server = grpc.aio.server(options=HOST_OPTIONS)
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": play}),))
        try:
            if self._credentials is None:
                port = server.add_insecure_port(self._address)
            else:
                port = server.add_secure_port(self._address, self._credentials)
        except RuntimeError:
            port = 0
        if not port and not self._address.startswith("unix"):
            return Ending("unusable", f"cannot listen at {self._address}: in use, or no address such as 127.0.0.1:7900")
        self._crashed = asyncio.get_running_loop().create_future()
        await server.start()
        unix = self._address.startswith("unix")
        socket = _Socket(self._address)
        self._bound(self._address if unix else f"{self._address.rpartition(':')[0]}:{port}")
        try:
            return await self._crashed
        finally:
            sessions = list(self._sessions)
            for session in sessions:
                session.cancel()
            await asyncio.gather(*sessions, return_exceptions=True)
            await server.stop(0.2)
            socket.remove()

    async def _play(self, _: object, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        if self._metadata and not self._admitted(context):
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "this bot takes only callers that show its token")
        link = HostedLink(context)
        named = dict(context.invocation_metadata() or ()).get(SESSION, "")
        if not (self._calls.take(link, str(named)) or self._lost_unseen(link, str(named))):
            self._begin(link)
        try:
            await link.over.wait()
        except asyncio.CancelledError:
            link.lost()
            raise

    def _begin(self, link: Link) -> None:
        """A session begins."""
        session = self._seating.session(link, self._thinking, self._report, streams=self._calls)
        playing = asyncio.ensure_future(self._played(session))
        self._sessions[playing] = session
        playing.add_done_callback(lambda playing: self._sessions.pop(playing))

    def _lost_unseen(self, link: Link, named: str) -> bool:
        """True if the session has a stream still: its arena, which dials again, has lost that, and was quicker."""
        session = next((session for session in self._sessions.values() if named and session.id == named), None)
        if session is None:
            return False
        self._calls.keep(link, named)
        session.connection.link.hang_up()
        return True

    async def _played(self, session: Session) -> None:
        ending = await session.play()
        self._report.note(f"session over: {ending.kind} {ending.text}")
        if (unused := self._calls.early(session.id)) is not None:
            self._begin(unused)
        if ending.kind == "crash" and self._crashed is not None and not self._crashed.done():
            self._crashed.set_result(ending)

    def _admitted(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> bool:
        shown = dict(context.invocation_metadata() or ())
        return all(hmac.compare_digest(str(shown.get(key, "")), value) for key, value in self._metadata)


class _Socket:
    """The file of a unix address just bound, which gRPC does not always remove."""

    def __init__(self, address: str) -> None:
        unix = address.startswith("unix:")
        self._path = Path(address.removeprefix("unix:").replace("//", "/", 1)) if unix else None
        self._file = self._found()

    def remove(self) -> None:
        """Removes the file, unless another program has put its own there."""
        if self._path is not None and self._file is not None and self._found() == self._file:
            self._path.unlink()

    def _found(self) -> tuple[int, int] | None:
        if self._path is None or not self._path.is_socket():
            return None
        found = self._path.stat()
        return found.st_dev, found.st_ino
