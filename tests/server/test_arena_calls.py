"""The calls of operators: games, matches, requests, and what is refused."""

from __future__ import annotations

import asyncio
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

from rivalry.arena.v1 import match_pb2, outcome_pb2, play_pb2
from rivalry_engine import catalog, record
from rivalry_engine.error import RivalryError
from rivalry_engine.kuhn import Kuhn
from rivalry_server.arena import Arena
from rivalry_server.hosted import Hosted
from rivalry_server.seat import InProcess
from server import many
from server.arena_work import FIRST, METHODS, SEATS, play, run, stub
from server.peer import Peer


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
            await watch.initial_metadata()  # it has begun
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
