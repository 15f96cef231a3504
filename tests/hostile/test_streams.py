"""Streams over real gRPC at their limits: deadlines, sizes, calls that are given up, Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from e2e.program import running
from rivalry.arena.v1 import errors_pb2, play_pb2, session_pb2
from rivalry_client import grpc_link, host
from rivalry_client.link import LinkError
from rivalry_engine import playout
from rivalry_engine.prompt import Prompt, Resign
from rivalry_server import describe, dial, service
from rivalry_server.arena import Arena
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End
from rivalry_server.seat import InProcess
from rivalry_server.seating import Dial, Listen
from rivalry_server.settings import FRAME_BYTES, RECEIVED_BYTES
from server.peer import FromBot, Peer, hello, opened, spec, tally

PLAY = "/rivalry.arena.v1.ArenaService/Play"
ENDS_S = 30.0
"""What takes so long does not end by itself: all that is waited for in vain here takes a minute and more."""
FIRST = InProcess(playout.first, "first")
Handler = Callable[[grpc.aio.ServicerContext[bytes, bytes]], Awaitable[None]]


@asynccontextmanager
async def server(name: str, handler: Handler, where: str, *options: tuple[str, int]) -> AsyncIterator[str]:
    """A server of one streaming method; its address."""

    async def play(_: object, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        await handler(context)

    built = grpc.aio.server(options=(("grpc.so_reuseport", 0), *options))
    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(play)
    built.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {"Play": method}),))
    port = built.add_insecure_port(where)
    await built.start()
    try:
        yield where if where.startswith("unix:") else f"127.0.0.1:{port}"
    finally:
        await built.stop(0.1)


def frame(*messages: session_pb2.FromBot) -> bytes:
    return play_pb2.PlayRequest(messages=messages).SerializeToString()


def test_no_deadline_is_on_a_session_whichever_side_dials(tmp_path: Path) -> None:
    left: list[float | None] = []

    async def note(context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        left.append(context.time_remaining())
        await context.read()

    async def work() -> None:
        async with asyncio.timeout(60), server(service.NAME, note, f"unix:{tmp_path}/arena") as address:
            channel = grpc_link.channel(address)
            link = grpc_link.DialledLink(channel)
            await link.write(frame(hello()))
            with suppress(LinkError):
                await link.read()
            await link.close()
            await channel.close()
        async with asyncio.timeout(60), server(host.SERVICE, note, f"unix:{tmp_path}/bot") as address, Arena() as arena:
            over = opened(arena, spec(), [FIRST, Dial(address, "dial")])
            while len(left) < 2:  # noqa: ASYNC110 - gRPC sets it
                await asyncio.sleep(0.01)
            over.cancel()

    asyncio.run(work())

    # Without a deadline gRPC gives None, or a time beyond any session.
    assert [seconds is None or seconds > 1e6 for seconds in left[:2]] == [True, True], left


@pytest.mark.parametrize(
    "options",
    [service.OPTIONS, dial.OPTIONS, grpc_link.OPTIONS, host.HOST_OPTIONS],
    ids=["server", "dial", "bot", "host"],
)
def test_every_end_takes_a_whole_frame_with_room(options: Any) -> None:
    room = 64 << 10

    assert dict(options)["grpc.max_receive_message_length"] >= FRAME_BYTES + room


def test_a_frame_at_the_limit_is_taken_and_one_byte_more_is_refused_with_a_reason(tmp_path: Path) -> None:
    def sized(size: int) -> bytes:
        padding = size
        while len(data := frame(FromBot(answer=session_pb2.Answer(match=7, number=1, note="x" * padding)))) != size:
            padding += size - len(data)
        return data

    async def said(address: str, size: int) -> tuple[session_pb2.FromArena, str]:
        async with grpc.aio.insecure_channel(address) as channel:
            call: Any = channel.stream_stream(PLAY)()
            try:
                await call.write(frame(hello()))
                await call.read()
                await call.write(sized(size))
                last = session_pb2.FromArena()
                while isinstance(data := await call.read(), bytes):
                    for message in play_pb2.PlayResponse.FromString(data).messages:
                        last.CopyFrom(message)
                    if last.HasField("ruling"):
                        return last, "OK"
                return last, (await call.code()).name
            except grpc.aio.AioRpcError as error:
                return last, error.code().name
            finally:
                call.cancel()

    async def work() -> list[tuple[session_pb2.FromArena, str]]:
        async with asyncio.timeout(60), Arena() as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            sizes = (FRAME_BYTES, FRAME_BYTES + 1, RECEIVED_BYTES, RECEIVED_BYTES + 1)
            return [await said(address, size) for size in sizes]

    fits, over, far, beyond = asyncio.run(work())

    assert fits[0].ruling.reason == errors_pb2.RULING_REASON_UNKNOWN_MATCH
    for heard, status in (over, far):
        assert heard.session_ended.reason == errors_pb2.SESSION_END_REASON_FRAME
        assert heard.session_ended.remedy and status == "OK"
    assert beyond[1] == "RESOURCE_EXHAUSTED"


def test_a_list_of_large_matches_fits_what_clients_take_and_leaves_none_out(tmp_path: Path) -> None:
    def gives_up(prompt: Prompt) -> object:
        raise Resign("\u20ac" * 500)

    bots = [InProcess(gives_up, "\u20ac" * 64)] * 6
    taken = 4 << 20

    async def work() -> tuple[list[str], list[str], int]:
        async with asyncio.timeout(60), Arena() as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            for number in range(440):
                await arena.run_match(MatchSpec(tally(6, rounds=1), b"x", f"{number:032x}"), bots)
            pages = 0
            found: list[str] = []
            request = play_pb2.ListMatchesRequest(page_size=1_000)
            async with grpc.aio.insecure_channel(address) as channel:
                list_matches = channel.unary_unary("/rivalry.arena.v1.ArenaService/ListMatches")
                while pages == 0 or request.page_token:
                    data = await list_matches(request.SerializeToString())
                    page = play_pb2.ListMatchesResponse.FromString(data)
                    found += [match.match_id for match in page.matches]
                    request.page_token = page.next_page_token
                    pages += 1
            told = sum(describe.match(attempt, with_seed=True).ByteSize() for attempt in arena.attempts.values())
            assert told > taken
            return found, list(arena.attempts), pages

    found, matches, pages = asyncio.run(work())

    assert found == matches[::-1]
    assert 4 <= pages < 10


def test_calls_that_bots_give_up_leave_nothing_behind_in_the_arena(tmp_path: Path) -> None:
    async def work() -> tuple[int, int, int]:
        async with asyncio.timeout(60), Arena() as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            async with grpc.aio.insecure_channel(address) as channel:

                async def given_up() -> None:
                    call: Any = channel.stream_stream(PLAY)()
                    await call.write(frame(hello(features=["resume"])))
                    await call.read()
                    call.cancel()

                await given_up()
                await asyncio.sleep(0.2)
                before = len(asyncio.all_tasks())
                await asyncio.gather(*(given_up() for _ in range(40)))
                for _ in range(1_500):
                    await asyncio.sleep(0.02)
                    if not arena.lobby.sessions and len(asyncio.all_tasks()) <= before:
                        break
                return before, len(asyncio.all_tasks()), len(arena.lobby.sessions)

    before, after, sessions = asyncio.run(work())

    assert sessions == 0
    assert after <= before


def test_a_call_to_a_bot_is_given_up_with_its_match(tmp_path: Path) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    async def never_speaks(context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def work() -> tuple[int, int]:
        async with server(host.SERVICE, never_speaks, f"unix:{tmp_path}/bot") as address, Arena() as arena:
            before = len(asyncio.all_tasks())
            over = opened(arena, spec(), [FIRST, Dial(address, "dial")])
            await began.wait()
            assert not ended.is_set()
            over.cancel()
            async with asyncio.timeout(ENDS_S):
                await ended.wait()
            await asyncio.gather(over, return_exceptions=True)
            for _ in range(1_500):
                await asyncio.sleep(0.02)
                if len(asyncio.all_tasks()) <= before:
                    break
            return before, len(asyncio.all_tasks())

    before, after = asyncio.run(work())

    assert after <= before


def test_a_session_whose_handler_is_cancelled_ends_and_its_seat_with_it() -> None:
    async def work() -> tuple[End, str]:
        async with asyncio.timeout(60), Arena() as arena:
            over = opened(arena, spec(tally(2), time="1m"), [Listen(), FIRST])
            peer = Peer(arena)
            await peer.sit()
            await peer.until("prompt")
            peer.session.cancel()
            with pytest.raises(asyncio.CancelledError):
                await peer.session
            seat = (await over).seats[0]
            assert not arena.lobby.sessions
            return seat.end, seat.text

    end, text = asyncio.run(work())

    assert (end, text) == (End.DISCONNECT, "the stream broke")


@pytest.mark.parametrize("says", ["nothing", "welcome"])
def test_ctrl_c_ends_a_bot_in_time_whose_call_is_open_to_an_arena_that_says_no_more(tmp_path: Path, says: str) -> None:
    async def work() -> tuple[float, int, str]:
        came = asyncio.Event()

        async def holds(context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
            await context.read()
            if says == "welcome":
                welcome = session_pb2.FromArena(welcome=session_pb2.Welcome(protocol=1))
                await context.write(play_pb2.PlayResponse(messages=[welcome]).SerializeToString())
            came.set()
            await asyncio.sleep(120)

        async with asyncio.timeout(100), server(service.NAME, holds, f"unix:{tmp_path}/s") as address:
            with running("bot", "first", "--address", address) as bot:
                await came.wait()
                await asyncio.sleep(0.2)
                began = time.monotonic()
                bot.send_signal(signal.SIGINT)
                _, err = await asyncio.to_thread(bot.communicate, None, 60)
                return time.monotonic() - began, bot.returncode, err

    took_s, status, err = asyncio.run(work())

    assert status == 130
    assert took_s < ENDS_S
    assert err.count("\n") == 1 and "Traceback" not in err
