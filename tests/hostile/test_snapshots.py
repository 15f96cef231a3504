"""What a bot is told when it comes back, and what others are: no more than the seat would have known all along."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from rivalry.arena.v1 import match_pb2, play_pb2, session_pb2
from rivalry_engine import catalog, playout
from rivalry_engine.chance import luck
from rivalry_engine.game import Game
from rivalry_engine.prompt import Prompt
from rivalry_server import describe, logs
from rivalry_server.arena import Arena
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from server import virtual
from server.peer import MATCH_ID, FromBot, Peer, opened, spec, tally

FIRST = InProcess(playout.first, "first")
VERSIONS = session_pb2.VersionRange(least=1, most=1)


async def back(arena: Arena, peer: Peer, *acks: session_pb2.Ack) -> Peer:
    """The bot of a peer on a new stream."""
    again = Peer(arena)
    token = peer.all("welcome")[-1].resume_token
    await again.say(FromBot(resume=session_pb2.Resume(protocol=VERSIONS, token=token, acks=acks)))
    return again


def bare(message: Any) -> bytes:
    """A message without what a resumed session may be told otherwise: that it is one."""
    copy = type(message)()
    copy.CopyFrom(message)
    if isinstance(copy, session_pb2.MatchStarted):
        copy.ClearField("resumed")
    data: bytes = copy.SerializeToString(deterministic=True)
    return data


@pytest.mark.parametrize("after", [0, 1, 5, 17])
def test_what_a_bot_is_told_that_comes_back_is_byte_for_byte_what_it_was_told_before(after: int) -> None:
    async def work() -> tuple[list[bytes], list[bytes], list[str | None]]:
        async with Arena() as arena:
            game = catalog.game("ethnos", {"seats": 3})
            over = opened(arena, spec(game, time="1m"), [Listen(), FIRST, FIRST])
            peer = Peer(arena)
            started = await peer.sit(features=["resume", "legal_text"])
            prompt = await peer.until("prompt")
            for _ in range(after):
                await peer.answer(prompt)
                prompt = await peer.until("prompt")
            peer.link.cut()
            again = await back(arena, peer)
            told = [bare(await again.until("match_started")), bare(await again.until("prompt"))]
            over.cancel()
            return [bare(started), bare(prompt)], told, again.kinds()

    before, told, kinds = virtual.run(work())

    assert told == before
    assert kinds == ["welcome", "match_started", "prompt"]


def other_worlds() -> tuple[bytes, bytes]:
    """Two seeds of Kuhn poker that differ in the card of seat 1 alone."""
    game = catalog.game("kuhn")
    seen: dict[Any, tuple[bytes, Any]] = {}
    for number in range(100):
        seed = f"world {number}".encode()
        state = game.new_state(seed)
        own, others = state.observe(0).json(), state.observe(1).json()
        if (known := seen.setdefault(str(own), (seed, others)))[1] != others:
            return known[0], seed
    raise AssertionError("no two such seeds")


def test_what_a_bot_is_told_that_comes_back_depends_on_nothing_it_may_not_know() -> None:
    async def work(seed: bytes) -> list[bytes]:
        async with Arena() as arena:
            match = MatchSpec(catalog.game("kuhn"), seed, MATCH_ID)
            over = opened(arena, match, [Listen(), FIRST])
            peer = Peer(arena)
            await peer.sit(features=["resume", "legal_text", "legal_full", "live_events"])
            await peer.until("prompt")
            peer.link.cut()
            again = await back(arena, peer)
            started = await again.until("match_started")
            started.ClearField("luck")
            prompt = await again.until("prompt")
            over.cancel()
            return [bare(started), bare(prompt), str(again.kinds()).encode()]

    one, other = other_worlds()

    assert virtual.run(work(one)) == virtual.run(work(other))
    assert luck(one, 0) != luck(other, 0)


def test_a_seat_that_comes_back_again_and_again_is_told_its_own_secrets_and_nobody_elses() -> None:
    async def work() -> tuple[bytes, list[str], bytes]:
        async with Arena() as arena:
            game = tally(3, rounds=3)
            over = opened(arena, spec(game), [Listen(), FIRST, FIRST])
            peer = Peer(arena)
            await peer.sit(features=["resume", "live_events", "legal_text"])
            frames = list(peer.frames)
            while not peer.all("match_ended"):
                peer.link.cut()
                last, peer = peer, await back(arena, peer)
                while (message := await peer.hear()) is not None:
                    if message.HasField("prompt"):
                        await peer.answer(message.prompt)
                    if message.HasField("prompt") or message.HasField("match_ended"):
                        await asyncio.sleep(0.01)
                        break
                frames += last.frames + peer.frames
            await back(arena, peer)
            await over
            return b"".join(frames), game.new_state(spec().seed).secrets, spec().seed  # type: ignore[attr-defined]

    data, secrets, seed = virtual.run(work())

    assert [secret.encode() in data for secret in secrets] == [True, False, False]
    assert [luck(seed, seat) in data for seat in range(3)] == [True, False, False]
    assert seed not in data


def test_the_token_of_another_seat_gets_that_seat_and_nothing_of_this_one() -> None:
    async def work() -> tuple[bytes, list[str]]:
        async with Arena() as arena:
            game = tally(2, rounds=3)
            over = opened(arena, spec(game))
            first, second = Peer(arena), Peer(arena)
            await asyncio.gather(first.sit(features=["resume"]), second.sit(features=["resume"]))
            mine = session_pb2.Ack(match=first.all("match_started")[0].match, events=0, prompt=1)
            second.link.cut()
            thief = await back(arena, second, mine)
            await thief.until("prompt")
            await thief.say(FromBot(resign=session_pb2.Resign(match=mine.match + 7)))
            await asyncio.gather(first.play(), thief_plays(thief))
            await over
            return b"".join(thief.frames), game.new_state(spec().seed).secrets  # type: ignore[attr-defined]

    async def thief_plays(peer: Peer) -> None:
        await peer.answer(peer.all("prompt")[-1])
        await peer.play()

    data, secrets = virtual.run(work())

    assert [secret.encode() in data for secret in secrets] == [False, True]


@pytest.mark.parametrize("time_control", ["2s", "1s,bank=10s", "10s,soft=1s,strikes=3"])
@pytest.mark.parametrize("comes_back", [False, True])
def test_nothing_tells_whether_another_that_is_asked_at_once_has_answered(time_control: str, comes_back: bool) -> None:
    async def work(answers: bool) -> tuple[list[bytes], int]:
        async with Arena() as arena:
            opened(arena, spec(tally(2, rounds=2), time=time_control))
            first, second = Peer(arena), Peer(arena)
            await first.hello(features=["resume", "live_events"])
            await first.accept()
            await asyncio.sleep(0.001)
            await second.hello()
            await second.accept()
            prompt = await second.until("prompt")
            await first.until("prompt")
            await asyncio.sleep(1.2)
            if answers:
                await second.answer(prompt)
            await asyncio.sleep(0.1)
            told = first
            if comes_back:
                first.link.cut()
                told = await back(arena, first, session_pb2.Ack(match=1, prompt=1))
                await told.until("prompt")
            hearing = asyncio.ensure_future(told.hear())
            await asyncio.sleep(0.3)
            hearing.cancel()
            heard = [bare(message) for message in told.heard if not message.HasField("welcome")]
            return heard, describe.match(arena.attempts[MATCH_ID], with_seed=False).decisions

    answered, silent = virtual.run(work(True)), virtual.run(work(False))

    assert answered == silent
    assert answered[1] == 0, "a call for the match tells how many actions there were"


METHODS = "/rivalry.arena.v1.ArenaService/"
SEED = b"the seed that nobody may know yet"
WRITTEN = (
    SEED,
    SEED.hex().encode(),
    SEED.hex().upper().encode(),
    base64.b64encode(SEED),
    base64.urlsafe_b64encode(SEED),
    str(list(SEED)).encode(),
    SEED.decode().replace(" ", "%20").encode(),
)
Work = Callable[[Arena, Callable[[str, Any], Awaitable[bytes]]], Coroutine[Any, Any, list[bytes]]]


def left(work: Work, tmp_path: Path) -> tuple[bytes, str]:
    """All bytes that ``work`` got out of an arena in which MATCH_ID is watched, and all that the arena logged.

    ``work`` opens that match first; its ``call`` returns when something was watched.
    """

    async def whole() -> bytes:
        async with asyncio.timeout(60), Arena(built_in=lambda name, game: FIRST) as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            async with grpc.aio.insecure_channel(address) as channel:

                async def call(method: str, request: Any) -> bytes:
                    await seen.wait()
                    try:
                        answer: bytes = await channel.unary_unary(METHODS + method)(request.SerializeToString())
                    except grpc.aio.AioRpcError as error:
                        return repr((error.details(), error.trailing_metadata())).encode()
                    return answer

                watch = channel.unary_stream(METHODS + "WatchMatch")
                request = play_pb2.WatchMatchRequest(match_id=MATCH_ID)
                watched: list[bytes] = []
                seen = asyncio.Event()

                async def watching() -> None:
                    async for data in watch(request.SerializeToString()):
                        watched.append(data)
                        seen.set()

                working = asyncio.ensure_future(work(arena, call))
                while MATCH_ID not in arena.attempts:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0)
                following = asyncio.ensure_future(watching())
                heard = await working
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
                return b"\n".join([*heard, *watched])

    logged = io.StringIO()
    logs.configure("debug", stream=logged)
    try:
        return asyncio.run(whole()), logged.getvalue()
    finally:
        logs.configure("warning")


async def asked(call: Callable[[str, Any], Awaitable[bytes]], match_id: str) -> list[bytes]:
    """What the arena tells of a match to whoever asks."""
    answers = [
        await call("GetMatch", play_pb2.GetMatchRequest(match_id=match_id)),
        await call("ListMatches", play_pb2.ListMatchesRequest()),
        await call("GetRecord", play_pb2.GetRecordRequest(match_id=match_id)),
    ]
    assert play_pb2.GetMatchResponse.FromString(answers[0]).match.match_id == match_id
    return answers


def match_of(game: Game) -> MatchSpec:
    return MatchSpec(game, SEED, MATCH_ID)


def test_the_seed_of_a_match_that_runs_is_in_nothing_that_leaves(tmp_path: Path) -> None:
    async def work(arena: Arena, call: Callable[[str, Any], Awaitable[bytes]]) -> list[bytes]:
        over = opened(arena, match_of(tally(2, rounds=3)), [Listen(), FIRST])
        peer = Peer(arena)
        await peer.sit(features=["resume", "live_events", "legal_text", "legal_full"])
        await peer.answer(await peer.until("prompt"))
        await peer.until("prompt")
        heard = await asked(call, MATCH_ID)
        request = play_pb2.CreateMatchRequest(
            request_id="mine", game="kuhn", seed=SEED, seats=[match_pb2.SeatSpec(open=match_pb2.OpenSeat())] * 2
        )
        made = [await call("CreateMatch", request) for _ in range(2)]
        match = play_pb2.CreateMatchResponse.FromString(made[0]).match
        request.seed += b"!"
        refused = await call("CreateMatch", request)
        assert b"another seed" in refused
        heard += [*made, refused, *await asked(call, match.match_id)]
        peer.link.cut()
        again = await back(arena, peer)
        await again.until("prompt")
        over.cancel()
        await asyncio.sleep(0)
        return [*heard, *peer.frames, *again.frames]

    data, logged = left(work, tmp_path)

    assert [text for text in WRITTEN if text in data] == []
    assert "session_resumed" in logged
    assert [text for text in WRITTEN if text.decode("latin-1") in logged] == []


def test_the_seed_of_a_match_that_is_owed_is_in_nothing_that_leaves(tmp_path: Path) -> None:
    async def work(arena: Arena, call: Callable[[str, Any], Awaitable[bytes]]) -> list[bytes]:
        def spoiling(prompt: Prompt) -> object:
            (attempt, *others) = arena.attempts.values()
            if not others and attempt.match is not None:
                asyncio.get_running_loop().call_soon(attempt.match.held_up, "the arena held up the match")
            return playout.first(prompt)

        over = opened(arena, match_of(tally(2, rounds=3)), [Listen(), InProcess(spoiling, "spoils")])
        peer = Peer(arena)
        await peer.sit("peer")
        spoiled = await peer.until("match_ended")
        assert spoiled.outcome.void and "held up" in spoiled.outcome.text
        await peer.accept()
        await peer.until("prompt")
        heard = await asked(call, MATCH_ID)
        first = arena.attempts[MATCH_ID]
        assert first.again_as, "the match is not run again"
        heard += await asked(call, first.again_as)
        heard.append(await call("CancelMatch", play_pb2.CancelMatchRequest(match_id=MATCH_ID, why="late")))
        over.cancel()
        await asyncio.sleep(0)
        return [*heard, *peer.frames]

    data, logged = left(work, tmp_path)

    assert [text for text in WRITTEN if text in data] == []
    assert logged and [text for text in WRITTEN if text.decode("latin-1") in logged] == []


def test_whoever_watches_from_any_moment_is_told_public_things_alone(tmp_path: Path) -> None:
    async def work() -> tuple[bytes, list[str]]:
        async with asyncio.timeout(60), Arena() as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            game = tally(2, rounds=4)
            over = opened(arena, match_of(game), [Listen(), FIRST])
            peer = Peer(arena)
            await peer.sit(features=["live_events"])
            async with grpc.aio.insecure_channel(address) as channel:
                watch = channel.unary_stream(METHODS + "WatchMatch")
                request = play_pb2.WatchMatchRequest(match_id=MATCH_ID).SerializeToString()

                async def watched() -> bytes:
                    return b"".join([data async for data in watch(request)])

                watching = [asyncio.ensure_future(watched())]
                while (message := await peer.hear()) is not None and not message.HasField("match_ended"):
                    if message.HasField("prompt"):
                        watching.append(asyncio.ensure_future(watched()))
                        await asyncio.sleep(0.02)
                        await peer.answer(message.prompt)
                await over
                told = await asyncio.gather(*watching, watched())
            return b"".join(told), game.new_state(SEED).secrets  # type: ignore[attr-defined]

    data, secrets = asyncio.run(work())

    assert data.count(b"bids") >= 5, "the public events are told"
    assert [secret for secret in secrets if secret.encode() in data] == []
    assert [seat for seat in range(2) if luck(SEED, seat) in data] == []
