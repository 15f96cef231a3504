"""The arena over real gRPC, few and short: addresses, programs, dialled bots, unary methods, stopping."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

from e2e.program import SOON_S
from rivalry.arena.v1 import match_pb2, play_pb2, session_pb2
from rivalry_server import logs, service, stop
from rivalry_server.address import AddressError
from rivalry_server.arena import Arena
from rivalry_server.lobby import Vacancy
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End
from rivalry_server.policies import Policy
from rivalry_server.seating import Dial, Listen
from server.arena_work import FIRST, SEATS, command, play, run, stub
from server.peer import FromBot, answer, hello, kuhn, spec, tally


def test_a_dialled_bot_plays_and_may_be_started_late(tmp_path: Path) -> None:
    target = f"unix:{tmp_path}/bot"

    async def hosted() -> None:
        """A bot that hosts BotService for one match."""
        done = asyncio.get_running_loop().create_future()

        async def serve(requests: object, context: Any) -> None:
            await context.write(play_pb2.BotServicePlayResponse(messages=[hello("hosted")]).SerializeToString())
            while (frame := await context.read()) is not grpc.aio.EOF:
                for message in play_pb2.BotServicePlayRequest.FromString(frame).messages:
                    said = None
                    if message.HasField("seat_offer"):
                        reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
                        said = FromBot(seat_reply=reply)
                    elif message.HasField("prompt"):
                        said = answer(message.prompt, index=0)
                    elif message.HasField("session_ended"):
                        done.set_result(None)
                        return
                    if said is not None:
                        await context.write(play_pb2.BotServicePlayResponse(messages=[said]).SerializeToString())

        server = grpc.aio.server()
        handler = grpc.stream_stream_rpc_method_handler(serve)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("rivalry.arena.v1.BotService", {"Play": handler}),)
        )
        server.add_insecure_port(target)
        await server.start()
        await done
        await server.stop(0.2)

    async def work(arena: Arena, address: str) -> Any:
        match = asyncio.ensure_future(arena.run_match(spec(kuhn(), time="1m"), [FIRST, Dial(target, f"dial:{target}")]))
        await asyncio.sleep(0.2)
        await hosted()
        return await match

    result = run(work, tmp_path)

    assert [(seat.name, seat.end) for seat in result.seats] == [("first", End.NORMAL), ("hosted", End.NORMAL)]


def test_a_target_that_cannot_be_reached_is_told_with_the_reason(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> Any:
        other = grpc.aio.server()  # no bot
        nobody = f"unix:{tmp_path}/other"
        other.add_insecure_port(nobody)
        await other.start()
        targets = ["127.0.0.1:1", f"unix:{tmp_path}/none", nobody]
        seats = [Dial(target, f"dial:{target}") for target in targets]
        try:
            over = asyncio.ensure_future(arena.run_match(spec(tally(3), wait_s=60), seats))
            await asyncio.sleep(0)
            (attempt,) = arena.attempts.values()
            while not all(map(_told, attempt.vacancies.values())):  # noqa: ASYNC110 - gRPC sets no event
                await asyncio.sleep(0.02)
            attempt._waited()
            return await over
        finally:
            await other.stop(0)

    logged = io.StringIO()
    logs.configure("info", stream=logged)
    try:
        result = run(work, tmp_path)
    finally:
        logs.configure("warning")

    assert {seat.end for seat in result.seats} == {End.NO_SHOW}
    assert [seat.text for seat in result.seats] == [
        "the seat was not taken in 60 s; connection refused at 127.0.0.1:1",
        f"the seat was not taken in 60 s; no such file or directory at unix:{tmp_path}/none",
        f"the seat was not taken in 60 s; unix:{tmp_path}/other answered UNIMPLEMENTED: Method not found!",
    ]
    told = [json.loads(line) for line in logged.getvalue().splitlines()]
    unreachable = [line for line in told if line["event"] == "bot_unreachable"]
    assert sorted(line["why"] for line in unreachable) == [
        "connection refused at 127.0.0.1:1",
        f"no such file or directory at unix:{tmp_path}/none",
    ]
    assert {line["level"] for line in unreachable} == {"info"}


def test_while_a_bot_is_dialled_once_more_it_is_known_why_it_did_not_come_before(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> Any:
        calls, again = 0, asyncio.Event()

        async def refuses_once(requests: object, context: Any) -> None:
            nonlocal calls
            calls += 1
            if calls == 1:
                await context.abort(grpc.StatusCode.UNAUTHENTICATED, "show my token")
            again.set()
            await asyncio.Event().wait()

        bot = grpc.aio.server()
        handler = grpc.stream_stream_rpc_method_handler(refuses_once)
        bot.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("rivalry.arena.v1.BotService", {"Play": handler}),)
        )
        bot.add_insecure_port(target)
        await bot.start()
        try:
            over = asyncio.ensure_future(arena.run_match(spec(kuhn(), wait_s=60), [FIRST, Dial(target, "mine")]))
            await again.wait()
            (attempt,) = arena.attempts.values()
            attempt._waited()
            return await over
        finally:
            await bot.stop(0)

    target = f"unix:{tmp_path}/bot"
    seat = run(work, tmp_path).seats[1]

    assert seat.end is End.NO_SHOW
    assert seat.text == f"the seat was not taken in 60 s; {target} answered UNAUTHENTICATED: show my token"


def _told(vacancy: Vacancy) -> bool:
    """True once it is known why nobody comes."""
    return bool(vacancy.trouble) and "has not answered" not in vacancy.trouble


def test_a_port_in_use_is_refused_in_one_line(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> list[str]:
        told = []
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = f"127.0.0.1:{taken.getsockname()[1]}"
            for where in (port, address, "nonsense", "127.0.0.1:70000", "unix:/no/x", "unix:/proc/x"):
                async with Arena() as second:
                    with pytest.raises(AddressError) as raised:
                        await second.start(where)
                told.append(str(raised.value))
        return told

    told = run(work, tmp_path)

    assert not [line for line in told if "\n" in line]
    assert "the port is in use; stop the program that uses it or give another port" in told[0]
    assert "another program does" in told[1]
    assert "expected host:port, [v6]:port or unix:/path" in told[2]
    assert told[4:] == [
        "cannot listen on unix:/no/x: there is no folder /no",
        f"cannot listen on unix:/proc/x: {os.strerror(errno.ENOENT)}; give another path",
    ]


def test_a_port_of_zero_is_any_port() -> None:
    async def work() -> str:
        async with Arena() as arena:
            return await arena.start("127.0.0.1:0")

    assert 0 < int(asyncio.run(work()).removeprefix("127.0.0.1:")) < 65_536


def test_open_matches_are_bounded_and_a_full_arena_stops_in_time(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> tuple[grpc.aio.AioRpcError, float]:
        async with stub(address) as call:
            request = play_pb2.CreateMatchRequest(game="kuhn", seats=SEATS, wait_us=24 * 3_600_000_000)
            first = (await call("CreateMatch", request, play_pb2.CreateMatchResponse)).match
            while len(arena.attempts) < arena.settings.open_matches:
                arena.open_match(MatchSpec(kuhn(), b"x", f"{len(arena.attempts):032x}", wait_s=86_400), [Listen()] * 2)
            with pytest.raises(grpc.aio.AioRpcError) as full:
                await call("CreateMatch", request, play_pb2.CreateMatchResponse)
            cancel = play_pb2.CancelMatchRequest(match_id=first.match_id)
            await call("CancelMatch", cancel, play_pb2.CancelMatchResponse)
            await call("CreateMatch", request, play_pb2.CreateMatchResponse)
        began = time.process_time()
        await arena.stop()
        return full.value, time.process_time() - began

    full, took_s = run(work, tmp_path)

    assert full.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert "cancel some with CancelMatch" in (full.details() or "")
    assert took_s < 5


def test_health_and_reflection_are_on_when_it_serves(tmp_path: Path) -> None:
    from grpc_health.v1 import health_pb2, health_pb2_grpc
    from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

    async def work() -> tuple[int, list[str]]:
        async with Arena() as arena:
            address = await arena.start(f"unix:{tmp_path}/s", introspection=True)
            async with grpc.aio.insecure_channel(address) as channel:
                health = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=""))
                asked = reflection_pb2.ServerReflectionRequest(list_services="")
                async for told in reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(iter([asked])):
                    return health.status, [each.name for each in told.list_services_response.service]
        return 0, []

    status, names = asyncio.run(work())

    assert status == health_pb2.HealthCheckResponse.SERVING
    assert service.NAME in names


def test_bots_that_ping_while_they_think_are_not_cut_off() -> None:
    given = dict(service.OPTIONS)

    assert given["grpc.keepalive_permit_without_calls"] == 1
    assert given["grpc.http2.min_recv_ping_interval_without_data_ms"] == 5_000
    assert given["grpc.http2.max_ping_strikes"] == 0
    assert given["grpc.so_reuseport"] == 0


SERVE = """
import asyncio, sys
from rivalry_server.arena import Arena
asyncio.run(Arena().serve(sys.argv[1], ready=lambda address: print(address, flush=True)))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_soon_with_streams_open(tmp_path: Path, number: signal.Signals) -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVE, f"unix:{tmp_path}/s"], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()

        async def work() -> tuple[session_pb2.FromArena, float]:
            async with stub(address) as call:
                open_seat = match_pb2.SeatSpec(open=match_pb2.OpenSeat())
                request = play_pb2.CreateMatchRequest(game="kuhn", seats=[open_seat] * 2)
                made = await call("CreateMatch", request, play_pb2.CreateMatchResponse)
                playing = [
                    asyncio.ensure_future(play(address, token=token, until="session_ended"))
                    for token in made.seat_tokens[:1]
                ]
                asked = play_pb2.GetMatchRequest(match_id=made.match.match_id)
                while (await call("GetMatch", asked, play_pb2.GetMatchResponse)).match.seats[0].name != "peer":  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
                began = asyncio.get_running_loop().time()
                server.send_signal(number)
                ended = await playing[0]
                await asyncio.to_thread(server.wait, 30)
                return ended, asyncio.get_running_loop().time() - began

        ended, took_s = asyncio.run(work())

        assert ended.session_ended.text in ("the arena is stopping", "the match is over")
        assert took_s < SOON_S
        assert server.returncode == 0
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()


def test_a_voided_match_still_ends_for_the_others(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> tuple[Any, Any]:
        match = arena.run_match(spec(kuhn(), time="1m", on_crash=Policy.VOID), [Listen(), command("exits")])
        result, ended = await asyncio.gather(match, play(address))
        return result, ended

    result, ended = run(work, tmp_path)

    assert result.void
    assert ended.match_ended.outcome.void


def test_a_start_may_be_stopped_while_it_plays_again_what_the_journal_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers: list[Any] = []

    def taken_in(self: Arena) -> list[Any]:
        handlers.append(signal.getsignal(signal.SIGTERM))
        return []

    async def work() -> None:
        async with Arena() as arena:
            await arena.start("127.0.0.1:0")

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(Arena, "_taken_in", taken_in)
    asyncio.run(work())

    (handler,) = handlers
    with pytest.raises(stop.Stopped) as stopped:
        handler(signal.SIGTERM, None)
    assert stopped.value.status == 143
    assert signal.getsignal(signal.SIGTERM) is before
