"""Calls over gRPC: how many one identity may make and watch, and that a frame which nobody could keep is not kept."""

import asyncio

import grpc
import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from rivalry.arena.v1 import match_pb2, play_pb2, play_pb2_grpc
from rivalry_server.arena import Arena
from rivalry_server.settings import Settings
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind, Token

OPEN = match_pb2.SeatSpec(open=match_pb2.OpenSeat())


def asked(work, *, tokens=None, stub=play_pb2_grpc.ArenaServiceStub, **fields):
    """What ``work(stub)`` returns with an arena of these settings, where this machine has no more than others."""

    async def served():
        async with Arena(Settings(local_times=1, **fields), tokens=tokens) as arena:
            address = await arena.start("127.0.0.1:0", introspection=True)
            async with grpc.aio.insecure_channel(address) as channel:
                async with asyncio.timeout(60):
                    return await work(stub(channel), arena)

    return asyncio.run(served())


async def until(claim):
    """Returns when what others do has made ``claim`` true."""
    while not claim():  # noqa: ASYNC110 - gRPC sets no event
        await asyncio.sleep(0.01)


def watched(arena):
    """By how many streams identities watch."""
    return sum(use.watches for use in arena.gate._uses.values())


async def outcome(call):
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error.code().name, error.details()
    return "OK", ""


def test_one_identity_makes_so_many_calls_at_once_and_is_told_when_to_try_again():
    async def work(stub, arena):
        return [await outcome(stub.DescribeGame(play_pb2.DescribeGameRequest(game="kuhn"))) for _ in range(4)]

    told = asked(work, identity_calls_burst=3, identity_calls_per_s=0.001)

    assert [code for code, _ in told] == ["OK", "OK", "OK", "RESOURCE_EXHAUSTED"]
    words, _, wait = told[3][1].removesuffix(" s").rpartition(" ")
    assert words == "calls of one identity in a second: 0.001, and address of this machine made more; try again in"
    assert 900 < int(wait) <= 1_000  # less by what the calls took


def test_a_call_counts_as_much_as_the_arena_has_to_work_for_it():
    async def work(stub, arena):
        for _ in range(100):
            create = play_pb2.CreateMatchRequest(game="kuhn", seats=[OPEN, OPEN])
            assert await outcome(stub.CreateMatch(create)) == ("OK", "")
        return [await outcome(stub.ListMatches(play_pb2.ListMatchesRequest())) for _ in range(1_000)]

    told = asked(work, identity_calls_burst=100_000, identity_work_burst_ms=1_000, identity_work_ms_per_s=0.1)

    codes = [code for code, _ in told]
    assert codes[0] == "OK" and codes[-1] == "RESOURCE_EXHAUSTED"
    assert codes.count("OK") < 800, "a page of a hundred matches takes more than a millisecond, the least that counts"
    assert told[-1][1].startswith(
        "work of the arena at the calls of one identity in a second: 0.1 ms, and address of this machine asked for more"
    )


def test_an_operators_calls_are_not_counted(tmp_path):
    token, text = Token.made(Kind.OPERATOR, "desk", now=0)
    tokens = TokenFile(tmp_path)
    tokens.changed(lambda _: {token.token_id: token})
    shown = (("authorization", f"Bearer {text}"),)

    async def work(stub, arena):
        return [await outcome(stub.ListGames(play_pb2.ListGamesRequest(), metadata=shown)) for _ in range(9)]

    assert asked(work, tokens=tokens, identity_calls_burst=1, identity_calls_per_s=0.1) == [("OK", "")] * 9


def test_one_identity_watches_so_many_matches_at_once():
    async def work(stub, arena):
        made = await stub.CreateMatch(play_pb2.CreateMatchRequest(game="kuhn", seats=[OPEN, OPEN]))
        request = play_pb2.WatchMatchRequest(match_id=made.match.match_id)
        watches = [stub.WatchMatch(request) for _ in range(2)]
        readers = [asyncio.ensure_future(watch.read()) for watch in watches]
        await until(lambda: watched(arena) == 2)
        above = await outcome(stub.WatchMatch(request).read())
        watches[0].cancel()
        await until(lambda: watched(arena) == 1)
        again = stub.WatchMatch(request)
        reading = asyncio.ensure_future(again.read())
        await until(lambda: watched(arena) == 2 or again.done())
        open_now = not again.done()
        for reader in (*readers, reading):
            reader.cancel()
        return above, open_now

    above, open_now = asked(work, identity_watches=2)

    assert above == (
        "RESOURCE_EXHAUSTED",
        "streams by which one identity may watch at once: 2, and address of this machine has 2; "
        "try again when one of them has ended",
    )
    assert open_now


def test_who_shows_no_token_watches_health_and_asks_for_the_schema_by_so_many_streams():
    async def work(channel, arena):
        watch = health_pb2_grpc.HealthStub(channel).Watch
        ask = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo
        watches = [watch(health_pb2.HealthCheckRequest()), ask()]
        assert (await watches[0].read()).status == health_pb2.HealthCheckResponse.SERVING
        await watches[1].write(reflection_pb2.ServerReflectionRequest(list_services=""))
        assert (await watches[1].read()).list_services_response.service
        above = [await outcome(watch(health_pb2.HealthCheckRequest()).read()), await outcome(ask().read())]
        for call in watches:
            call.cancel()
        again = above[0]
        while again[0] == "RESOURCE_EXHAUSTED":
            again = await outcome(watch(health_pb2.HealthCheckRequest()).read())
        return above, again

    above, again = asked(work, stub=lambda channel: channel, identity_watches=2, ask_for_tokens=True)

    told = "streams by which one identity may watch at once: 2, and address of this machine has 2; try again when one "
    assert above == [("RESOURCE_EXHAUSTED", f"{told}of them has ended")] * 2
    assert again == ("OK", "")


def test_streams_that_say_nothing_are_refused_above_their_bound():
    async def work(stub, arena):
        silent = [stub.Play() for _ in range(2)]
        await until(lambda: arena.gate._silent_of.total() == 2)
        above = await outcome(stub.Play().read())
        for call in silent:
            call.cancel()
        return above

    code, details = asked(work, identity_silent=2)

    assert code == "RESOURCE_EXHAUSTED"
    assert "2 streams of one address may be silent at once" in details


def test_a_connection_that_says_nothing_is_cut_off() -> None:
    async def work() -> float:
        async with Arena(Settings(hello_s=0.5)) as arena:
            host, _, port = (await arena.start("127.0.0.1:0")).rpartition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            began = asyncio.get_running_loop().time()
            async with asyncio.timeout(60):
                while await reader.read(1_000):
                    pass
            writer.close()
            return asyncio.get_running_loop().time() - began

    assert 0.4 < asyncio.run(work()) < 15.0  # gRPC's own 120 s, unless told otherwise
