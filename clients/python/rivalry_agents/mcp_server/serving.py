"""The two transports: stdin and stdout, and streamable HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.types import ASGIApp, Receive, Scope, Send

from rivalry_engine.error import RivalryError

PATH: Final = "/mcp"
LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
END_S: Final = 1
"""How long open streams may take to end, in whole seconds."""
REFUSED: Final = b"this server asks for its token: Authorization: Bearer TOKEN"


class ListenError(RivalryError):
    """The address cannot be listened on."""


async def over_http(
    server: MCPServer[Any],
    host: str,
    port: int,
    *,
    names: Sequence[str] = (),
    token: str = "",
    ready: Callable[[str], None],
) -> None:
    """Serves at ``http://HOST:PORT/mcp`` until it is cancelled; ``ready`` is told the address.

    Requests must name a host of ``names``, or one of this machine's where there are none, and come from a page of such
    a host if they come from one.  With a ``token`` each must show it.  Raises ListenError.
    """
    with contextlib.closing(_bound(host, port)) as bound:
        at = bound.getsockname()[1]
        app = server.streamable_http_app(streamable_http_path=PATH, transport_security=_security(names), host=host)
        config = uvicorn.Config(
            WithToken(app, token) if token else app,
            log_level="warning",
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=END_S,
        )
        http = _Http(config)
        serving = asyncio.ensure_future(http.serve([bound]))
        ready(f"http://{f'[{host}]' if ':' in host else host}:{at}{PATH}")
        try:
            await asyncio.shield(serving)
        finally:
            http.should_exit = True
            await asyncio.wait((serving,))


async def over_stdio(server: MCPServer[Any]) -> None:
    """Serves over stdin and stdout until stdin is closed.  Cancelling it waits for one more line of stdin."""
    await server.run_stdio_async()


class WithToken:
    """Lets through only requests that show the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or hmac.compare_digest(_shown(scope), self._expected):
            await self._app(scope, receive, send)
            return
        headers = [(b"content-type", b"text/plain"), (b"www-authenticate", b"Bearer")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": REFUSED})


class _Http(uvicorn.Server):
    """Leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _shown(scope: Scope) -> bytes:
    return next((bytes(value) for key, value in scope["headers"] if key == b"authorization"), b"")


def _security(names: Sequence[str]) -> TransportSecuritySettings:
    hosts = [*names, *LOOPBACK]
    allowed = [*hosts, *(f"{host}:*" for host in hosts)]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in allowed]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=allowed, allowed_origins=origins
    )


def _bound(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, reuse_port=False
        )
    except (OSError, OverflowError) as error:
        raise ListenError(f"cannot listen on {host}:{port}: {getattr(error, 'strerror', None) or error}") from error
