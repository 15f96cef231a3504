"""An arena on a real port, its calls, and a peer that plays there."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from rivalry.arena.v1 import match_pb2, play_pb2, session_pb2
from rivalry_engine import playout
from rivalry_server.arena import Arena
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command
from server import virtual
from server.peer import FromBot, answer, hello

PROGRAM = str(Path(__file__).with_name("program.py"))


METHODS = "/rivalry.arena.v1.ArenaService/"


FIRST = InProcess(playout.first, "first")


def command(*words: str) -> Command:
    """The scripted program of the tests."""
    return Command((sys.executable, PROGRAM, *words), "cmd:program")


def run(work: Callable[[Arena, str], Coroutine[Any, Any, Any]], tmp_path: Path, **given: Any) -> Any:
    """``work`` with an arena that listens on a socket of its own."""

    async def whole() -> Any:
        async with asyncio.timeout(60), Arena(**given) as arena:
            return await work(arena, await arena.start(f"unix:{tmp_path}/s"))

    return virtual.run_leaping(whole())


@contextlib.asynccontextmanager
async def stub(address: str) -> AsyncIterator[Callable[[str, Any, Any], Any]]:
    """Calls unary methods by name."""
    async with grpc.aio.insecure_channel(address) as channel:

        async def call(method: str, request: Any, response: Any) -> Any:
            send = channel.unary_unary(METHODS + method, type(request).SerializeToString, response.FromString)
            return await send(request)

        yield call


async def play(address: str, *, token: str = "", until: str = "match_ended") -> session_pb2.FromArena:
    """A bot that answers first choices until it hears ``until``."""
    metadata = (("authorization", f"Bearer {token}"),) if token else ()
    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.stream_stream(
            METHODS + "Play", play_pb2.PlayRequest.SerializeToString, play_pb2.PlayResponse.FromString
        )(metadata=metadata)
        await call.write(play_pb2.PlayRequest(messages=[hello("peer")]))
        async for frame in call:
            for message in frame.messages:
                kind = message.WhichOneof("message")
                if kind == "seat_offer":
                    reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
                    await call.write(play_pb2.PlayRequest(messages=[FromBot(seat_reply=reply)]))
                elif kind == "prompt" and until != "prompt":
                    await call.write(play_pb2.PlayRequest(messages=[answer(message.prompt, index=0)]))
                if kind == until:
                    call.cancel()
                    return message
    raise AssertionError(f"the arena sent no {until}")


SEATS = [match_pb2.SeatSpec(open=match_pb2.OpenSeat())] * 2
