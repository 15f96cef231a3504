"""``rivalry mcp``: an MCP server whose tools give chat agents seats at an arena, its own or another."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import click

from rivalry_engine.extra import install
from rivalry_server import logs, stop
from rivalry_server.commands import given, output, plan
from rivalry_server.commands.arena_where import Where, place_options
from rivalry_server.commands.failure import StoppedError

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

    from rivalry_agents.mcp_server.desk import Desk

TOKEN: Final = "RIVALRY_MCP_TOKEN"
LEAST_IDLE_S: Final = 60.0


@click.command(
    epilog="A chat host starts it as the command `rivalry mcp`, or is given the address that --http says. "
    "Without --address it has an arena of its own, for matches against built-in bots and among its agents."
)
@partial(place_options, otherwise="one of its own")
@click.option(
    "--http", metavar="HOST:PORT", help="Speak streamable HTTP there instead of stdin and stdout; port 0: any."
)
@click.option(
    "--http-token-file", metavar="FILE", help=f"Ask callers of --http for the token in this file; else for {TOKEN}."
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Beyond this machine: a host name that callers of --http use. May be repeated.",
)
@click.option("--name", default="chat agent", show_default=True, metavar="NAME", help="An agent that gives no name.")
@click.option(
    "--idle", default="15m", show_default=True, metavar="T", help="A seat not asked about for so long is given up."
)
@click.option(
    "--log", "level", type=click.Choice(list(logs.LEVELS)), default="warning", show_default=True, help="What is logged."
)
@click.pass_context
def command(
    context: click.Context,
    where: Where,
    http: str | None,
    http_token_file: str | None,
    names: tuple[str, ...],
    name: str,
    idle: str,
    level: str,
) -> int:
    """Serve chat agents over the Model Context Protocol: tools to list games, take seats and play.

    It speaks over stdin and stdout until stdin is closed, or with --http until it is stopped.
    """
    given.utf8("--name", name)
    idle_s = plan.seconds("--idle", idle)
    if idle_s < LEAST_IDLE_S:
        raise click.UsageError(
            f"--idle {idle}: expected at least {LEAST_IDLE_S:g}s, since a call may wait nearly so long"
        )
    logs.configure(level)
    logging.basicConfig(stream=sys.stderr, level=logs.LEVELS[level], format="rivalry: %(message)s")
    at = None if http is None else _address(http)
    token = _token(http_token_file)
    if at is None and (http_token_file or names):
        raise click.UsageError("--http-token-file and --allow-host go with --http HOST:PORT; give that as well")
    if at is not None:
        _check_exposed(at, token=token, names=names)
    own = context.params["address"] is None and not os.environ.get("RIVALRY_ADDRESS")
    _check_installed()

    async def served() -> None:
        from rivalry_agents.mcp_server import serving, tools
        from rivalry_server.record import package_version

        async with _desk(None if own else where, idle_s) as desk:
            server = tools.server(desk, version=package_version(), name=name)
            if at is None:
                await _until_stdin_ends(server)
            else:
                await serving.over_http(server, *at, names=names, token=token, ready=_ready)

    try:
        with stop.held() as signals:
            _run(served, signals, at_once=at is None)
    except stop.Stopped as stopped:
        raise StoppedError(stopped, "and left all seats") from None
    return 0


def _ready(url: str) -> None:
    output.tell(f"rivalry: MCP at {url}; Ctrl-C ends it")


def _run(served: Callable[[], Coroutine[Any, Any, None]], signals: stop.Held, *, at_once: bool) -> None:
    """Runs ``served`` to its end; a signal cancels it, and after it the program ends ``at_once`` where it has to."""
    from rivalry_client.loop import run_on_new_loop

    async def until_stopped() -> None:
        work = asyncio.ensure_future(served())
        loop = asyncio.get_running_loop()
        signals.then(lambda: loop.call_soon_threadsafe(work.cancel))
        try:
            await work
        except asyncio.CancelledError:
            if at_once:  # a thread waits for a line of stdin that may never come, and nothing can wake it
                stopped = stop.Stopped(signals.number)
                output.tell(f"rivalry: {stop.text(stopped)} and left all seats")
                os._exit(stopped.status)
            raise
        finally:
            signals.then(lambda: None)

    run_on_new_loop(until_stopped())


async def _until_stdin_ends(server: MCPServer[Any]) -> None:
    """Serves over stdin and stdout; cancelled, it does not wait for the thread that reads stdin."""
    from rivalry_agents.mcp_server import serving

    served = asyncio.ensure_future(serving.over_stdio(server))
    await asyncio.wait((served,))
    served.result()


@contextlib.asynccontextmanager
async def _desk(where: Where | None, idle_s: float) -> AsyncIterator[Desk]:
    """A desk at the arena ``where``, or at one of its own; at the end its seats are left and the arena is told."""
    from rivalry_agents.mcp_server.arena import Arena
    from rivalry_agents.mcp_server.desk import Desk

    async with contextlib.AsyncExitStack() as stack:
        if where is None:
            where = Where(await stack.enter_async_context(_own_arena()), "", tls=_no_tls())
        arena = Arena(where.address, token=where.token, tls=where.tls or None)
        stack.push_async_callback(arena.close)
        desk = Desk(arena, idle_s=idle_s)
        stack.push_async_callback(desk.close)
        yield desk


@contextlib.asynccontextmanager
async def _own_arena() -> AsyncIterator[str]:
    """The address of an arena in this process that only this user can reach."""
    from rivalry_server.arena import Arena
    from rivalry_server.commands.serve import _built_in
    from rivalry_server.private import PrivateSocket

    private = PrivateSocket()
    try:
        async with Arena(built_in=_built_in) as arena:
            yield await arena.start(private.address)
    finally:
        private.remove()


def _no_tls() -> Any:
    from rivalry_client.tls import Tls

    return Tls()


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    bare = host.strip("[]")
    if not colon or not bare or not port.isascii() or not port.isdecimal() or int(port) > 65_535:
        raise click.UsageError(f"--http {text}: expected HOST:PORT, for example --http 127.0.0.1:7800")
    return bare, int(port)


def _token(path: str | None) -> str:
    from rivalry_client.token_file import in_file

    token = in_file(path, "--http-token-file") if path else os.environ.get(TOKEN, "")
    if any(not 32 < ord(character) < 127 for character in token):
        raise click.UsageError(f"{TOKEN}: expected a token, which is one word of ASCII")
    return token


def _check_exposed(at: tuple[str, int], *, token: str, names: tuple[str, ...]) -> None:
    """Raises UsageError where others could reach the server without a token, or by a name that it refuses."""
    from rivalry_server.address import of_this_machine

    host, port = at
    if of_this_machine(f"[{host}]:{port}" if ":" in host else f"{host}:{port}"):
        return
    if not token:
        raise click.UsageError(
            f"--http {host}:{port} can be reached from other machines: give --http-token-file FILE, or {TOKEN}"
        )
    if not names:
        raise click.UsageError(
            f"--http {host}:{port} can be reached from other machines: give --allow-host NAME, the name they call it by"
        )


def _check_installed() -> None:
    try:
        import mcp.server.mcpserver  # noqa: F401
    except ImportError as error:
        raise click.UsageError(
            f"this command needs the package mcp, version 2.3 or newer ({error}): {install('mcp')}"
        ) from None
