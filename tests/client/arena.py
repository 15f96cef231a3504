"""A scripted arena behind gRPC: what a bot dials, and what dials a bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
import grpc.aio

from client.scripted import PATIENCE_S, ScriptedArena
from rivalry_client.link import QueueLink

Script = Callable[[ScriptedArena], Awaitable[None]]


@asynccontextmanager
async def scripted_arena(script: Script, *, token: str = "", address: str = "127.0.0.1:0") -> AsyncIterator[str]:
    """The address of an arena that plays ``script`` with whoever dials in and shows ``token``."""

    async def play(_: object, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        shown = dict(context.invocation_metadata() or ()).get("authorization", "")
        if token and shown != f"Bearer {token}":
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
        ours, theirs = QueueLink.pair()

        async def up() -> None:
            while isinstance(frame := await context.read(), bytes):
                await ours.write(frame)
            ours.hang_up()

        async def down() -> None:
            while (frame := await ours.read()) is not None:
                await context.write(frame)

        reading, writing = asyncio.ensure_future(up()), asyncio.ensure_future(down())
        arena = ScriptedArena(theirs)
        try:
            await script(arena)
        finally:
            theirs.hang_up()
            # All that was said leaves before the stream ends; and whoever closes first cuts off what was not read.
            await asyncio.wait((writing, reading) if arena.over else (writing,), timeout=PATIENCE_S)
            reading.cancel()
            writing.cancel()
            await asyncio.gather(reading, writing, return_exceptions=True)

    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("rivalry.arena.v1.ArenaService", {"Play": handler}),)
    )
    port = server.add_insecure_port(address)
    await server.start()
    try:
        yield address if address.startswith("unix:") else f"127.0.0.1:{port}"
    finally:
        await server.stop(0.1)


async def one_kuhn_prompt(arena: ScriptedArena) -> None:
    """A whole session: a match of one prompt, which is answered."""
    from client.scripted import KuhnTable

    table = KuhnTable()
    await arena.welcome()
    await arena.frame(table.started(), table.prompt())
    await arena.hear("answer")
    await arena.frame(table.ended())
    await arena.end()
