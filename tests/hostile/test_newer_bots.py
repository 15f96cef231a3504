"""What a newer bot or operator might say: values, fields and kinds that nobody knows here change nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc.aio
import pytest

from client.test_unknown import UNKNOWN_FIELD, newer, reachable
from rivalry.arena.v1 import errors_pb2, match_pb2, outcome_pb2, play_pb2, session_pb2, time_pb2
from rivalry.games.generic.v1 import generic_pb2
from rivalry_engine import playout
from rivalry_server.arena import Arena
from rivalry_server.link import LinkLostError
from rivalry_server.outcome import Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from server import virtual
from server.peer import FromBot, Peer, hello, opened, spec, tally

UNKNOWN_KIND = FromBot.FromString(b"\xfa\x3e\x02hi")
KINDS = [field.name for field in FromBot.DESCRIPTOR.oneofs_by_name["message"].fields]
STATES = ("first", "away", "waiting", "offered", "playing", "over")
"""Where a session can be when a bot says something: nothing was said yet, its stream was lost, it waits, it is offered
a seat, it is asked, its match has ended."""
METHODS = [
    method for method in play_pb2.DESCRIPTOR.services_by_name["ArenaService"].methods if not method.client_streaming
]
FIRST = InProcess(playout.first, "first")


def full(kind: str, peer: Peer) -> session_pb2.FromBot:
    """A message of a kind that sets every field there is, and makes sense where ``peer`` is."""
    offers, pings, prompts = peer.all("seat_offer"), peer.all("ping"), peer.all("prompt")
    match = peer.all("match_started")[-1].match if peer.all("match_started") else 1
    number = prompts[-1].number if prompts else 1
    versions = session_pb2.VersionRange(least=1, most=1)
    welcomes = peer.all("welcome")
    action = generic_pb2.Action(text="bid 2").SerializeToString()
    bodies: dict[str, Any] = {
        "hello": session_pb2.Hello(
            protocol=versions, name="peer", version="1", library="x", matches=1, prompts=1, features=["resume"]
        ),
        "resume": session_pb2.Resume(
            protocol=versions,
            token=welcomes[-1].resume_token if welcomes else b"x",
            acks=[session_pb2.Ack(match=match, events=0, prompt=number)],
        ),
        "seat_reply": session_pb2.SeatReply(offer=offers[-1].offer if offers else 1, accepted=True, why="because"),
        "answer": session_pb2.Answer(match=match, number=number, note="a note", parts=session_pb2.Parts()),
        "ack": session_pb2.Ack(match=match, events=1, prompt=number, ended=True),
        "resign": session_pb2.Resign(match=match, why="enough"),
        "pong": session_pb2.Pong(nonce=pings[-1].nonce if pings else 1),
        "leave": session_pb2.Leave(reason=session_pb2.LEAVE_REASON_DONE, text="bye"),
        "ping": session_pb2.Ping(nonce=7, last_round_trip_us=1),
    }
    answered = bodies["answer"]
    answered.ClearField("parts")
    answered.action.type_url = "type.googleapis.com/rivalry.games.generic.v1.Action"
    answered.action.value = action
    return FromBot(**{kind: bodies[kind]})


Change = Callable[[session_pb2.FromBot], bytes]


def usual(message: session_pb2.FromBot) -> bytes:
    """The frame as a bot of today says it."""
    return play_pb2.PlayRequest(messages=[message]).SerializeToString()


def changed(message: session_pb2.FromBot) -> bytes:
    """The same as a newer bot might say it: in the frame, in the message and in all that it holds."""
    frame = play_pb2.PlayRequest(messages=[message])
    newer(frame)
    data = frame.SerializeToString()
    assert data.count(UNKNOWN_FIELD) >= 3
    return data


def among_unknown_kinds(message: session_pb2.FromBot) -> bytes:
    """The same with kinds of messages around it that nobody knows."""
    before = () if message.WhichOneof("message") in ("hello", "resume") else (UNKNOWN_KIND,)
    return play_pb2.PlayRequest(messages=[*before, message, UNKNOWN_KIND]).SerializeToString()


async def playing_on(peer: Peer) -> None:
    """Takes what it is offered and answers what it is asked, for as long as it is spoken with."""
    with suppress(LinkLostError):
        for prompt in peer.all("prompt")[-1:]:
            await peer.answer(prompt)
        while (message := await peer.hear()) is not None:
            if message.HasField("seat_offer"):
                reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
                await peer.say(FromBot(seat_reply=reply))
            elif message.HasField("prompt"):
                await peer.answer(message.prompt)


def told(peer: Peer) -> list[session_pb2.FromArena]:
    """All that a bot heard, without what is by chance."""
    heard = []
    for message in peer.heard:
        copy = session_pb2.FromArena()
        copy.CopyFrom(message)
        if copy.HasField("welcome"):
            copy.welcome.ClearField("session")
            copy.welcome.ClearField("resume_token")
        heard.append(copy)
    return heard


def session(state: str, kind: str, change: Change) -> tuple[list[session_pb2.FromArena], list[str], Result]:
    """A match in which a bot says a message of ``kind``, as ``change`` makes it, where ``state`` says, and plays on.

    What it heard on the stream on which it said that, the record, and the result.
    """

    async def work() -> tuple[list[session_pb2.FromArena], list[str], Result]:
        async with Arena() as arena:
            game = spec(tally(2, rounds=2))
            peer = Peer(arena)
            over = None if state == "waiting" else opened(arena, game, [Listen(), FIRST])
            if state != "first":
                await peer.hello(features=["resume"])
                await peer.until("ping")
            if state == "offered":
                await peer.until("seat_offer")
            elif state in ("away", "playing", "over"):
                await peer.accept()
                await peer.until("prompt")
            if state == "over":
                await peer.answer(peer.all("prompt")[-1])
                await peer.play()
            if state == "away":
                peer.link.cut()
                away, peer = peer, Peer(arena)
                await peer.link.write(change(full(kind, away)))
            else:
                await peer.link.write(change(full(kind, peer)))
            await asyncio.sleep(0.5)
            if over is None:
                over = opened(arena, game, [Listen(), FIRST])
            playing = asyncio.ensure_future(playing_on(peer))
            result = await over
            await asyncio.sleep(1)
            with suppress(LinkLostError):
                await peer.say(FromBot(leave=session_pb2.Leave()))
            peer.link.close()
            await playing
            return told(peer), [line for line in result.record() if '"action"' in line], result

    return virtual.run(work())


def test_these_tests_say_every_kind_of_message_with_every_field() -> None:
    touched: set[str] = set()

    async def work() -> None:
        async with Arena() as arena:
            peer = Peer(arena)
            for kind in KINDS:
                newer(play_pb2.PlayRequest(messages=[full(kind, peer)]), touched=touched)
            parts = FromBot(answer=session_pb2.Answer(index=0, parts=session_pb2.Parts(indices=[])))
            newer(parts, touched=touched)
            peer.link.cut()

    virtual.run(work())

    assert touched == reachable(play_pb2.PlayRequest.DESCRIPTOR, set())


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", KINDS)
def test_unknown_values_and_fields_change_nothing_in_any_state_of_a_session(state: str, kind: str) -> None:
    heard, actions, result = session(state, kind, usual)

    heard_by_newer, actions_of_newer, with_newer = session(state, kind, changed)

    assert heard and heard_by_newer == heard
    assert actions and actions_of_newer == actions
    assert [seat.end for seat in with_newer.seats] == [seat.end for seat in result.seats]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("kind", KINDS)
def test_kinds_that_nobody_knows_are_passed_over_in_any_state_of_a_session(state: str, kind: str) -> None:
    if state in ("first", "away") and kind not in ("hello", "resume"):
        assert refusal(session(state, kind, among_unknown_kinds)[0]) == errors_pb2.REFUSAL_REASON_HELLO
        return

    assert session(state, kind, among_unknown_kinds)[0] == session(state, kind, usual)[0]


def refusal(heard: list[session_pb2.FromArena]) -> int:
    """Why a stream was refused."""
    return heard[0].refused.reason


def test_an_unknown_field_in_the_parts_of_an_answer_changes_nothing() -> None:
    async def work(parts: session_pb2.Parts) -> list[str]:
        async with Arena() as arena:
            over = opened(arena, spec(tally(2, rounds=1)), [Listen(), FIRST])
            peer = Peer(arena)
            await peer.sit()
            await peer.answer(await peer.until("prompt"))
            await peer.answer(await peer.until("prompt"), parts=parts)
            await peer.until("match_ended")
            return (await over).record()[3:4]

    parts = session_pb2.Parts(indices=[0, 2])
    known = virtual.run(work(parts))
    newer(parts)

    assert virtual.run(work(parts)) == known
    assert '"show 101"' in known[0]


def requests(match_id: str, *, nobody: bool) -> dict[str, Any]:
    """A request of each method with every field set, and without enum values other than usual ones."""
    seats = [match_pb2.SeatSpec(built_in="first"), match_pb2.SeatSpec(built_in="first")]
    if nobody:
        seats = [match_pb2.SeatSpec(open=match_pb2.OpenSeat()), match_pb2.SeatSpec(registered="nobody")]
    return {
        "ListGames": play_pb2.ListGamesRequest(),
        "DescribeGame": play_pb2.DescribeGameRequest(game="kuhn"),
        "CreateMatch": play_pb2.CreateMatchRequest(
            game="kuhn",
            options_json="{}",
            seed=b"x",
            seats=seats,
            time_control=time_pb2.TimeControl(prompt_us=1_000_000, first_prompt_us=1_000_000, margin_us=1_000),
            policies=outcome_pb2.Policies(grace_us=1, crash_retries=1),
            wait_us=1_000_000,
        ),
        "GetMatch": play_pb2.GetMatchRequest(match_id=match_id),
        "ListMatches": play_pb2.ListMatchesRequest(page_size=10),
        "CancelMatch": play_pb2.CancelMatchRequest(match_id=match_id, why="enough"),
        "GetRecord": play_pb2.GetRecordRequest(match_id=match_id),
        "WatchMatch": play_pb2.WatchMatchRequest(match_id=match_id),
    }


def test_unknown_values_and_fields_in_the_request_of_any_call_change_nothing_else(tmp_path: Path) -> None:
    touched: set[str] = set()
    answers: dict[str, list[tuple[str, bytes]]] = {}

    async def call(channel: grpc.aio.Channel, method: Any, request: Any) -> tuple[str, bytes]:
        name = f"/rivalry.arena.v1.ArenaService/{method.name}"
        data = request.SerializeToString()
        try:
            if method.server_streaming:
                return "OK", b"".join([part async for part in channel.unary_stream(name)(data)])
            answer: bytes = await channel.unary_unary(name)(data)
        except grpc.aio.AioRpcError as error:
            return error.code().name, (error.details() or "").encode()
        return "OK", answer

    async def work() -> None:
        async with asyncio.timeout(60), Arena(built_in=lambda name, game: FIRST) as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            async with grpc.aio.insecure_channel(address) as channel:
                result = await arena.run_match(spec(), [FIRST, FIRST])
                for nobody in (False, True):
                    for name, request in requests(result.match_id, nobody=nobody).items():
                        method = next(method for method in METHODS if method.name == name)
                        known = await call(channel, method, request)
                        newer(request, touched=touched)
                        if name == "ListMatches":  # a phase that nobody knows is that of no match
                            assert await call(channel, method, request) == ("OK", b"")
                            request.ClearField("phase")
                        answers[f"{name} {nobody}"] = [known, await call(channel, method, request)]
                        # What was made is over before anything else is asked.
                        await asyncio.gather(*(attempt.finished for attempt in arena.attempts.values()))

    asyncio.run(work())

    made = answers.pop("CreateMatch False")
    assert answers.keys() >= {f"{method.name} True" for method in METHODS}
    assert [method for method, (known, newer) in answers.items() if known != newer] == []
    assert {method for method, (known, _) in answers.items() if known[0] != "OK"} == {"CreateMatch True"}
    assert [status for status, _ in made] == ["OK", "OK"], made
    matches = [play_pb2.CreateMatchResponse.FromString(data).match for _, data in made]
    for match in matches:
        match.ClearField("match_id")
    stand_in = outcome_pb2.POLICY_STAND_IN
    assert (matches[1].policies.on_crash, matches[1].policies.on_timeout) == (stand_in, stand_in)
    assert matches[0] == matches[1]
    types = {method.input_type for method in METHODS}
    assert touched == {name for each in types for name in reachable(each, set())}


def test_a_request_id_that_comes_again_with_a_field_that_is_new_is_another_request(tmp_path: Path) -> None:
    request = requests("", nobody=False)["CreateMatch"]
    request.request_id = "once"

    async def work() -> tuple[grpc.StatusCode, str]:
        async with asyncio.timeout(60), Arena(built_in=lambda name, game: FIRST) as arena:
            address = await arena.start(f"unix:{tmp_path}/s")
            async with grpc.aio.insecure_channel(address) as channel:
                create = channel.unary_unary("/rivalry.arena.v1.ArenaService/CreateMatch")
                await create(request.SerializeToString())
                request.MergeFromString(UNKNOWN_FIELD)
                with pytest.raises(grpc.aio.AioRpcError) as raised:
                    await create(request.SerializeToString())
                return raised.value.code(), raised.value.details() or ""

    code, details = asyncio.run(work())

    assert code is grpc.StatusCode.ALREADY_EXISTS
    assert "field that is unknown here" in details


def test_a_session_goes_on_when_a_frame_holds_nothing_but_what_nobody_knows() -> None:
    async def work() -> session_pb2.FromArena | None:
        async with Arena() as arena:
            peer = Peer(arena)
            await peer.say(hello())
            await peer.until("ping")
            await peer.link.write(UNKNOWN_FIELD)
            await peer.say(FromBot(ping=session_pb2.Ping(nonce=5)))
            return await peer.hear()

    answer = virtual.run(work())

    assert answer is not None and answer.pong.nonce == 5
