"""A bot that does not read, over real gRPC: when it reads at last, it is told why its session is over."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from hostile.test_streams import PLAY
from rivalry.arena.v1 import play_pb2, session_pb2
from rivalry_engine import catalog, playout
from rivalry_server.arena import Arena
from rivalry_server.link import StreamLink
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.settings import Settings
from server.peer import FromBot, hello, opened, spec

NARROW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1 << 16))
"""The bot's side takes little before it is read."""
WORDY = ["resume", "view_text", "legal_text", "legal_full"]


async def sits(call: Any) -> None:
    """Takes the seat that is offered."""
    await call.write(play_pb2.PlayRequest(messages=[hello(features=WORDY)]).SerializeToString())
    while True:
        for message in play_pb2.PlayResponse.FromString(await call.read()).messages:
            if message.HasField("seat_offer"):
                reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
                await call.write(play_pb2.PlayRequest(messages=[FromBot(seat_reply=reply)]).SerializeToString())
                return


async def plays_unread(call: Any, arena: Arena, over: asyncio.Future[Result]) -> Result:
    """Answers whatever is asked, and reads nothing, until the match is over."""
    (attempt,) = arena.attempts.values()
    answered = 0
    while not over.done():
        await asyncio.sleep(0.002)
        if attempt.match is not None and (asked := attempt.match.players[0].number) > answered:
            answered = asked
            answer = session_pb2.Answer(match=1, number=asked, index=0)
            await call.write(play_pb2.PlayRequest(messages=[FromBot(answer=answer)]).SerializeToString())
    return over.result()


async def reads_at_last(call: Any) -> tuple[list[int], str, str]:
    """The reasons of the SessionEnded that it finds, the code and the details."""
    reasons: list[int] = []
    try:
        while isinstance(frame := await call.read(), bytes):
            messages = play_pb2.PlayResponse.FromString(frame).messages
            reasons += [each.session_ended.reason for each in messages if each.HasField("session_ended")]
    except grpc.aio.AioRpcError:
        pass
    return reasons, (await call.code()).name, await call.details()


def test_a_bot_that_reads_too_late_finds_the_reason_in_the_status(tmp_path: Path) -> None:
    async def work() -> tuple[tuple[list[int], str, str], Result]:
        async with asyncio.timeout(60), Arena(Settings(write_s=1.5)) as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            match = spec(catalog.game("ethnos", {"seats": 2}), time="60s")
            over = opened(arena, match, [Listen(), InProcess(playout.first, "first")])
            async with grpc.aio.insecure_channel(address, options=NARROW) as channel:
                call: Any = channel.stream_stream(PLAY)()
                await sits(call)
                result = await plays_unread(call, arena, over)
                await asyncio.sleep(0.2)
                return await reads_at_last(call), result

    (reasons, code, details), result = asyncio.run(work())

    assert result.seats[0].end is End.DISCONNECT and "did not return in 1.5 s" in result.seats[0].text
    assert (reasons, code) == ([], "ABORTED"), details
    assert details == "SLOW_READER: a write did not return in 1.5 s; read the stream while you think"


def test_any_last_word_that_cannot_be_written_is_told_in_the_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stuck(link: StreamLink, frame: bytes) -> None:
        await asyncio.Event().wait()

    async def work() -> tuple[list[int], str, str]:
        async with asyncio.timeout(60), Arena(Settings(write_s=0.3, hello_s=0.1)) as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            monkeypatch.setattr(StreamLink, "write", stuck)
            async with grpc.aio.insecure_channel(address) as channel:
                return await reads_at_last(channel.stream_stream(PLAY)())

    reasons, code, details = asyncio.run(work())

    assert reasons == []
    assert (code, details) == ("ABORTED", "SILENT: no hello in 0.1 s; begin a stream with a hello")
