"""The arena over real gRPC, few and short: addresses, programs, dialled bots, unary methods, stopping."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

from rivalry.arena.v1 import match_pb2, outcome_pb2, play_pb2, session_pb2
from rivalry_engine import catalog, playout, record
from rivalry_engine.error import RivalryError
from rivalry_engine.kuhn import Kuhn
from rivalry_server import logs, service, spawn
from rivalry_server.address import AddressError
from rivalry_server.arena import Arena
from rivalry_server.hosted import Hosted
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End
from rivalry_server.policies import Policy
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Dial, Listen
from rivalry_server.settings import Settings
from server import many
from server.peer import FromBot, Peer, answer, hello, kuhn, spec, tally

PROGRAM = str(Path(__file__).with_name("program.py"))
METHODS = "/rivalry.arena.v1.ArenaService/"
FIRST = InProcess(playout.first, "first")
DECLINED = "program declined the seat: too tired"


def command(*words: str) -> Command:
    """The scripted program of the tests."""
    return Command((sys.executable, PROGRAM, *words), "cmd:program")


def run(work: Callable[[Arena, str], Coroutine[Any, Any, Any]], tmp_path: Path, **given: Any) -> Any:
    """``work`` with an arena that listens on a socket of its own."""

    async def whole() -> Any:
        async with asyncio.timeout(30), Arena(**given) as arena:
            return await work(arena, await arena.start(f"unix:{tmp_path}/s"))

    return asyncio.run(whole())


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


def test_two_programs_play_a_match_and_are_gone_after_it(tmp_path: Path) -> None:
    output = io.StringIO()

    async def work(arena: Arena, address: str) -> Any:
        return await arena.run_match(spec(kuhn(), time="1m"), [command("good"), command("good", "talks")])

    result = run(work, tmp_path, output=output)

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert [seat.name for seat in result.seats] == ["program", "program"]
    pids = [int(line.split()[-1]) for line in output.getvalue().splitlines() if " pid " in line]
    assert len(pids) == 3  # the second starts a program of its own
    assert not [pid for pid in pids if _alive(pid)]
    assert (
        "seat 1 cmd:program| hello [2Jthere" in output.getvalue()
        or "seat 1 program| hello [2Jthere" in output.getvalue()
    )


@pytest.mark.parametrize(
    ("how", "end", "text"),
    [
        ("exits", End.CRASH, "the program exited with status 3 before the end of the match"),
        ("hangs-up", End.DISCONNECT, "the stream"),
        ("hangs-up-and-stays", End.DISCONNECT, "the stream"),
        ("killed", End.CRASH, "the program was ended by SIGKILL before the end of the match"),
        ("never-dials", End.CRASH, "the program exited with status 0 before the end of the match"),
        ("declines", End.CRASH, "the program exited with status 0 before the end of the match; " + DECLINED),
        ("declines-and-runs", End.CRASH, "the program exited with status 0 before the end of the match; " + DECLINED),
        ("speaks-otherwise", End.CRASH, "the program exited with status 0 before the end of the match; its bot was"),
    ],
)
def test_ends_of_programs_are_told_apart(tmp_path: Path, how: str, end: End, text: str) -> None:
    async def work(arena: Arena, address: str) -> Any:
        return await arena.run_match(spec(kuhn(), time="1m"), [FIRST, command(how)])

    result = run(work, tmp_path, settings=Settings(exit_grace_s=0.6 if "stays" in how else 5))

    assert result.seats[1].end is end
    assert result.seats[1].text.startswith(text)
    assert result.seats[0].end is End.NORMAL


def test_a_program_may_take_its_seat_before_the_others_are_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = spawn.started
    seated: list[str] = []

    async def work(arena: Arena, address: str) -> Any:
        async def late(argv: Sequence[str], *given: Any, **more: Any) -> spawn.Child:
            (attempt,) = arena.attempts.values()
            while "talks" in argv and attempt.waiting_for(0):  # noqa: ASYNC110 - another process dials
                await asyncio.sleep(0.02)
            seated.append(attempt.named(0)[0])
            return await started(argv, *given, **more)

        monkeypatch.setattr(spawn, "started", late)
        return await arena.run_match(spec(kuhn(), time="1m"), [command("good"), command("good", "talks")])

    result = run(work, tmp_path, output=io.StringIO())

    assert seated == ["", "program"]
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_a_command_that_cannot_be_started_is_a_clear_error(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> str:
        with pytest.raises(RivalryError) as raised:
            await arena.run_match(spec(), [command("good"), Command(("/no/such/program", "-x"), "cmd")])
        return str(raised.value)

    assert run(work, tmp_path) == "the command '/no/such/program -x' cannot be started: No such file or directory"


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
            return await arena.run_match(spec(tally(3), wait_s=0.8), seats)
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
        "the seat was not taken in 0.8 s; connection refused at 127.0.0.1:1",
        f"the seat was not taken in 0.8 s; no such file or directory at unix:{tmp_path}/none",
        f"the seat was not taken in 0.8 s; unix:{tmp_path}/other answered UNIMPLEMENTED: Method not found!",
    ]
    told = [json.loads(line) for line in logged.getvalue().splitlines()]
    unreachable = [line for line in told if line["event"] == "bot_unreachable"]
    assert sorted(line["why"] for line in unreachable) == [
        "connection refused at 127.0.0.1:1",
        f"no such file or directory at unix:{tmp_path}/none",
    ]
    assert {line["level"] for line in unreachable} == {"info"}


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


def test_operators_make_watch_and_read_matches(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> None:
        async with stub(address) as call, grpc.aio.insecure_channel(address) as channel:
            request = play_pb2.CreateMatchRequest(
                request_id="r1",
                game="kuhn",
                seed=b"x",
                seats=[match_pb2.SeatSpec(open=match_pb2.OpenSeat())] * 2,
                policies=outcome_pb2.Policies(on_crash="POLICY_VOID", on_timeout=999),  # type: ignore[arg-type]
            )
            made = await call("CreateMatch", request, play_pb2.CreateMatchResponse)
            again = await call("CreateMatch", request, play_pb2.CreateMatchResponse)
            match_id = made.match.match_id
            watch = channel.unary_stream(
                METHODS + "WatchMatch",
                play_pb2.WatchMatchRequest.SerializeToString,
                play_pb2.WatchMatchResponse.FromString,
            )(play_pb2.WatchMatchRequest(match_id=match_id))
            with pytest.raises(grpc.aio.AioRpcError) as early:
                await call("GetRecord", play_pb2.GetRecordRequest(match_id=match_id), play_pb2.GetRecordResponse)
            await asyncio.sleep(0.1)
            await asyncio.gather(*(play(address, token=token) for token in made.seat_tokens))
            watched = [message async for response in watch for message in response.messages]
            found = await call("GetMatch", play_pb2.GetMatchRequest(match_id=match_id), play_pb2.GetMatchResponse)
            given = await call("GetRecord", play_pb2.GetRecordRequest(match_id=match_id), play_pb2.GetRecordResponse)

        assert again == made
        assert (made.match.phase, made.match.seed, len(made.seat_tokens)) == (match_pb2.MATCH_PHASE_WAITING, b"", 2)
        assert made.match.policies.on_crash == outcome_pb2.POLICY_VOID
        assert made.match.policies.on_timeout == outcome_pb2.POLICY_STAND_IN
        assert early.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert (found.match.phase, found.match.seed) == (match_pb2.MATCH_PHASE_ENDED, b"x")
        assert watched[0].started.match.seed == b""
        assert watched[-1].ended == found.match
        events = [message.events for message in watched[1:-1]]
        assert [told.first_event for told in events] == [
            1 + sum(before.event_count for before in events[:place]) for place in range(len(events))
        ]
        texts = [text for told in events for text in told.texts]
        assert texts[0] == "dealt"
        record.verified(record.read(given.record))

    run(work, tmp_path)


def test_games_are_listed_and_described(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> None:
        async with stub(address) as call:
            listed = await call("ListGames", play_pb2.ListGamesRequest(), play_pb2.ListGamesResponse)
            told = await call("DescribeGame", play_pb2.DescribeGameRequest(game="kuhn"), play_pb2.DescribeGameResponse)
            with pytest.raises(grpc.aio.AioRpcError) as unknown:
                await call("DescribeGame", play_pb2.DescribeGameRequest(game="chess"), play_pb2.DescribeGameResponse)

        both = sorted([game.name for game in listed.games] + [family.name for family in listed.families])
        assert both == arena.hosted.names
        assert (told.game.heavy, told.primer, dict(told.glossary)) == (False, Kuhn.primer, Kuhn.glossary)
        assert told.game.payloads.setup == "type.googleapis.com/rivalry.games.kuhn.v1.Setup"
        assert told.schema.file[-1].package == "rivalry.games.kuhn.v1"
        assert unknown.value.code() is grpc.StatusCode.NOT_FOUND
        assert "installed are" in (unknown.value.details() or "")

    run(work, tmp_path)


def test_a_game_whose_package_cannot_be_imported_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "unfinished.py").write_text("def\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    broken = EntryPoint("unfinished", "unfinished:Game", catalog.GROUP)
    found = {**catalog._entries(), "unfinished": broken}
    monkeypatch.setattr(catalog, "_entries", lambda: found)

    async def work(arena: Arena, address: str) -> None:
        async with stub(address) as call:
            listed = await call("ListGames", play_pb2.ListGamesRequest(), play_pb2.ListGamesResponse)
            with pytest.raises(grpc.aio.AioRpcError) as told:
                await call(
                    "DescribeGame", play_pb2.DescribeGameRequest(game="unfinished"), play_pb2.DescribeGameResponse
                )

        both = sorted([game.name for game in listed.games] + [family.name for family in listed.families])
        assert "unfinished" in arena.hosted
        assert both == [name for name in arena.hosted.names if name != "unfinished"]
        assert told.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert "game 'unfinished' cannot be loaded" in (told.value.details() or "")

    run(work, tmp_path)


def test_a_family_is_listed_with_its_games_which_are_described_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many.entries(monkeypatch)

    async def work(arena: Arena, address: str) -> None:
        async with stub(address) as call:

            async def describe(name: str) -> play_pb2.DescribeGameResponse:
                request = play_pb2.DescribeGameRequest(game=name)
                return await call("DescribeGame", request, play_pb2.DescribeGameResponse)

            listed = await call("ListGames", play_pb2.ListGamesRequest(), play_pb2.ListGamesResponse)
            told = {family.name: family for family in listed.families}
            assert list(told["many"].games) == ["many:long", "many:short"]
            assert (told["many"].title, told["many"].unavailable) == ("Tallies of two lengths", "")
            assert (list(told["missing"].games), told["missing"].title) == ([], "Tallies that need more")
            assert "pip install tallies" in told["missing"].unavailable
            assert not {"many", "missing"} & {game.name for game in listed.games}

            long = await describe("many:long")
            assert (long.game.name, long.game.heavy) == ("many:long", True)
            for name, code, words in (
                ("many", "NOT_FOUND", "name one as many:NAME"),
                ("many:wide", "NOT_FOUND", "there are long and short"),
                ("missing:long", "FAILED_PRECONDITION", "pip install tallies"),
            ):
                with pytest.raises(grpc.aio.AioRpcError) as refused:
                    await describe(name)
                assert refused.value.code().name == code
                assert words in (refused.value.details() or "")

            request = play_pb2.CreateMatchRequest(game="many:short", seats=[match_pb2.SeatSpec(open={})] * 2)
            made = await call("CreateMatch", request, play_pb2.CreateMatchResponse)
            assert made.match.game == "many:short"

        elsewhere, anyone = Peer(arena), Peer(arena)
        await elsewhere.hello("elsewhere", games=["kuhn", "many:long"])
        await asyncio.gather(*(peer.sit_and_play(games=["many"]) for peer in (anyone, Peer(arena))))
        assert anyone.all("match_started")[0].game == "many:short"
        assert "seat_offer" not in elsewhere.kinds()

    run(work, tmp_path)


def test_a_bot_that_names_no_game_of_a_family_that_is_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    many.entries(monkeypatch)

    assert [name for name in ("many", "missing", "many:long", "kuhn") if name not in Hosted()] == []
    assert [name for name in ("many:wide", "missing:long", "kuhn:x", "chess", "") if name in Hosted()] == []


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"game": "kuhn", "seats": [match_pb2.SeatSpec(open={})]}, "option seats"),  # type: ignore[arg-type]
        ({"game": "kuhn", "seats": [match_pb2.SeatSpec()] * 2}, "neither open nor built_in"),
        ({"game": "kuhn", "seats": [match_pb2.SeatSpec(built_in="x")] * 2}, "built-in bot 'x'"),
        ({"game": "kuhn", "seats": [match_pb2.SeatSpec(registered="x")] * 2}, "no bot 'x' is registered"),
        ({"game": "kuhn", "options_json": "[]", "seats": [match_pb2.SeatSpec()] * 2}, "expected a JSON object"),
        ({"game": "kuhn", "options_json": '{"x": 1}', "seats": [match_pb2.SeatSpec()] * 2}, "no option 'x'"),
        ({"game": "kuhn", "seed": b"", "seats": [match_pb2.SeatSpec()] * 2}, "a seed of 0 bytes"),
        ({"game": "kuhn", "wait_us": -1, "seats": [match_pb2.SeatSpec()] * 2}, "wait_us is -1"),
    ],
)
def test_a_match_that_cannot_be_made_is_refused_with_the_reason(
    tmp_path: Path, fields: dict[str, Any], told: str
) -> None:
    async def work(arena: Arena, address: str) -> grpc.aio.AioRpcError:
        async with stub(address) as call:
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await call("CreateMatch", play_pb2.CreateMatchRequest(**fields), play_pb2.CreateMatchResponse)
            return raised.value

    error = run(work, tmp_path)

    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert told in (error.details() or "")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"seed": b"y"}, "another seed;"),
        ({"game": "kuhn", "wait_us": 1, "time_control": {"prompt_us": 1}}, "another time_control, wait_us;"),
        ({"seats": [match_pb2.SeatSpec(built_in="first"), match_pb2.SeatSpec(open={})]}, "another seats;"),  # type: ignore[arg-type]
    ],
)
def test_a_request_id_is_good_for_one_request(tmp_path: Path, fields: dict[str, Any], told: str) -> None:
    seats = [match_pb2.SeatSpec(open=match_pb2.OpenSeat())] * 2
    given: dict[str, Any] = {"request_id": "r1", "game": "kuhn", "seed": b"x", "seats": seats}

    async def work(arena: Arena, address: str) -> None:
        async with stub(address) as call:
            request = play_pb2.CreateMatchRequest(**given)
            made = await call("CreateMatch", request, play_pb2.CreateMatchResponse)
            other = play_pb2.CreateMatchRequest(**{**given, **fields})
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await call("CreateMatch", other, play_pb2.CreateMatchResponse)
            again = await call("CreateMatch", request, play_pb2.CreateMatchResponse)

        assert raised.value.code() is grpc.StatusCode.ALREADY_EXISTS
        details = raised.value.details() or ""
        assert f"'r1' made match {made.match.match_id}" in details
        assert told in details
        assert "give a new request_id" in details
        assert again == made
        assert len(arena.attempts) == 1

    run(work, tmp_path)


def test_matches_are_listed_in_pages_and_cancelled(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> None:
        built_in = match_pb2.SeatSpec(built_in="first")
        open_seat = match_pb2.SeatSpec(open=match_pb2.OpenSeat())
        async with stub(address) as call:
            ids = []
            for seats in ([built_in] * 2, [open_seat] * 2, [built_in, open_seat]):
                request = play_pb2.CreateMatchRequest(game="kuhn", seats=seats)
                ids.append((await call("CreateMatch", request, play_pb2.CreateMatchResponse)).match.match_id)
            await arena.attempts[ids[0]].finished
            first = await call("ListMatches", play_pb2.ListMatchesRequest(page_size=2), play_pb2.ListMatchesResponse)
            second = await call(
                "ListMatches",
                play_pb2.ListMatchesRequest(page_size=2, page_token=first.next_page_token),
                play_pb2.ListMatchesResponse,
            )
            waiting = await call(
                "ListMatches",
                play_pb2.ListMatchesRequest(phase=match_pb2.MATCH_PHASE_WAITING),
                play_pb2.ListMatchesResponse,
            )
            request = play_pb2.CancelMatchRequest(match_id=ids[1], why="enough")
            cancelled = await call("CancelMatch", request, play_pb2.CancelMatchResponse)

        assert [[match.match_id for match in page.matches] for page in (first, second)] == [[ids[2], ids[1]], [ids[0]]]
        assert second.next_page_token == ""
        assert [match.match_id for match in waiting.matches] == [ids[2], ids[1]]
        assert cancelled.match.outcome.void
        assert cancelled.match.outcome.text == "enough"

    run(work, tmp_path, built_in=lambda name, game: FIRST)


SEATS = [match_pb2.SeatSpec(open=match_pb2.OpenSeat())] * 2
LONG = "é\u20ac" * 50_000


@pytest.mark.parametrize(
    ("method", "request_", "code"),
    [
        ("DescribeGame", play_pb2.DescribeGameRequest(game=LONG), "NOT_FOUND"),
        ("DescribeGame", b"\xff" * 50, "INVALID_ARGUMENT"),
        ("ListGames", b"\x0a\xff", "INVALID_ARGUMENT"),
        ("CreateMatch", play_pb2.CreateMatchRequest(game=LONG), "NOT_FOUND"),
        ("CreateMatch", play_pb2.CreateMatchRequest(game="kuhn", seats=[]), "INVALID_ARGUMENT"),
        (
            "CreateMatch",
            play_pb2.CreateMatchRequest(game="kuhn", seats=SEATS, options_json=f'{{"{LONG}": 1}}'),
            "INVALID_ARGUMENT",
        ),
        (
            "CreateMatch",
            play_pb2.CreateMatchRequest(game="kuhn", seats=SEATS, options_json='{"\\ud800": "\\ud800"}'),
            "INVALID_ARGUMENT",
        ),
        (
            "CreateMatch",
            play_pb2.CreateMatchRequest(game="kuhn", seats=[match_pb2.SeatSpec(built_in=LONG)] * 2),
            "INVALID_ARGUMENT",
        ),
        ("CreateMatch", play_pb2.CreateMatchRequest(game="kuhn", seats=SEATS, request_id=LONG), "INVALID_ARGUMENT"),
        ("GetMatch", play_pb2.GetMatchRequest(match_id=LONG), "NOT_FOUND"),
        ("GetRecord", play_pb2.GetRecordRequest(match_id=LONG), "NOT_FOUND"),
        ("CancelMatch", b"\xff", "INVALID_ARGUMENT"),
        ("ListMatches", play_pb2.ListMatchesRequest(page_token="9" * 5_000), "INVALID_ARGUMENT"),
        ("ListMatches", play_pb2.ListMatchesRequest(page_token="\u0663"), "INVALID_ARGUMENT"),
        ("ListMatches", play_pb2.ListMatchesRequest(page_token=LONG), "INVALID_ARGUMENT"),
    ],
)
def test_a_call_that_cannot_be_answered_says_whose_fault_it_is(
    tmp_path: Path, method: str, request_: Any, code: str
) -> None:
    data = request_ if isinstance(request_, bytes) else request_.SerializeToString()

    def none(name: str, game: str) -> InProcess:
        raise RivalryError(f"built-in bot {name!r}: there is none")

    async def work(arena: Arena, address: str) -> grpc.aio.AioRpcError:
        async with grpc.aio.insecure_channel(address) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await channel.unary_unary(METHODS + method)(data)
            return raised.value

    error = run(work, tmp_path, built_in=none)

    assert error.code().name == code
    assert 0 < len(error.details() or "") <= 1_000


@pytest.mark.parametrize("data", [b"\xff", play_pb2.WatchMatchRequest(match_id=LONG).SerializeToString()])
def test_a_watch_that_cannot_be_is_refused(tmp_path: Path, data: bytes) -> None:
    async def work(arena: Arena, address: str) -> str:
        async with grpc.aio.insecure_channel(address) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await channel.unary_stream(METHODS + "WatchMatch")(data).read()
            return raised.value.code().name

    assert run(work, tmp_path) in ("INVALID_ARGUMENT", "NOT_FOUND")


def test_what_was_not_foreseen_in_a_call_is_told_as_the_arenas_fault(tmp_path: Path) -> None:
    def broken(name: str) -> InProcess:
        raise ZeroDivisionError("unforeseen")

    async def work(arena: Arena, address: str) -> grpc.aio.AioRpcError:
        async with stub(address) as call:
            request = play_pb2.CreateMatchRequest(game="kuhn", seats=[match_pb2.SeatSpec(built_in="x")] * 2)
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await call("CreateMatch", request, play_pb2.CreateMatchResponse)
            return raised.value

    error = run(work, tmp_path, built_in=broken)

    assert (error.code().name, error.details()) == ("INTERNAL", "the arena failed")


def test_what_was_not_foreseen_in_a_stream_is_told_as_the_arenas_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(arena: Arena, link: Any) -> None:
        raise ZeroDivisionError("unforeseen")

    monkeypatch.setattr(Arena, "hold", broken)

    async def work(arena: Arena, address: str) -> str:
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await play(address)
        return raised.value.code().name

    assert run(work, tmp_path) == "INTERNAL"


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
    assert took_s < 2


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
def test_a_signal_ends_it_within_two_seconds_with_streams_open(tmp_path: Path, number: signal.Signals) -> None:
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
                await asyncio.sleep(0.5)
                began = asyncio.get_running_loop().time()
                server.send_signal(number)
                ended = await playing[0]
                await asyncio.to_thread(server.wait, 10)
                return ended, asyncio.get_running_loop().time() - began

        ended, took_s = asyncio.run(work())

        assert ended.session_ended.text in ("the arena is stopping", "the match is over")
        assert took_s < 2
        assert server.returncode == 0
    finally:
        server.kill()
        server.wait()
        if server.stdout is not None:
            server.stdout.close()


def test_a_match_that_is_broken_off_leaves_no_program(tmp_path: Path) -> None:
    output = io.StringIO()

    async def work(arena: Arena, address: str) -> None:
        match = asyncio.ensure_future(arena.run_match(spec(tally(2), time="1m"), [command("stubborn"), Listen()]))
        while "pid" not in output.getvalue():  # noqa: ASYNC110 - another process sets it
            await asyncio.sleep(0.02)
        match.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await match

    run(work, tmp_path, output=output)

    assert not _alive(int(output.getvalue().split()[-1]))


def test_a_voided_match_still_ends_for_the_others(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> tuple[Any, Any]:
        match = arena.run_match(spec(kuhn(), time="1m", on_crash=Policy.VOID), [Listen(), command("exits")])
        result, ended = await asyncio.gather(match, play(address))
        return result, ended

    result, ended = run(work, tmp_path)

    assert result.void
    assert ended.match_ended.outcome.void


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A process that is being reaped elsewhere is gone for us.
    return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z" if Path(f"/proc/{pid}/stat").exists() else True
