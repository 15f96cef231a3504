"""What an arena says to each kind of answer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_engine import playout
from rivalry_server.arena import Arena
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.settings import REJECTED
from server import virtual
from server.peer import FromBot, Peer, answer, opened, spec, tally
from server.session_words import action, reason


def kind(ruling: session_pb2.Ruling) -> str:
    return errors_pb2.RulingKind.Name(ruling.kind).removeprefix("RULING_KIND_").lower()


def rulings_on(*said: dict[str, Any]) -> tuple[list[session_pb2.Ruling], Result]:
    """Rulings on answers of one seat of Tally to its first prompt, ``match`` and ``number`` filled in."""

    async def work() -> tuple[list[session_pb2.Ruling], Result]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=1)))
            other, peer = Peer(arena), Peer(arena)
            await asyncio.gather(other.sit("other"), peer.sit("peer"))
            prompt = await peer.until("prompt")
            for each in said:
                await peer.say(answer(prompt, **each))
            await asyncio.sleep(1)
            playing = asyncio.ensure_future(other.play())
            await peer.say(answer(prompt, index=0))
            await peer.until("match_ended")
            await playing
            return peer.all("ruling"), await match

    return virtual.run(work())


@pytest.mark.parametrize(
    ("said", "why", "code"),
    [
        ({"index": 10}, "no_choice", ""),
        ({"index": -1}, "no_choice", ""),
        ({"index": 0, "parts": session_pb2.Parts(indices=[0])}, "parts", ""),
        ({"text": "bid 3", "parts": session_pb2.Parts()}, "parts", ""),
        ({"text": "bet"}, "notation", ""),
        ({"text": "show 001"}, "illegal", "out_of_range"),
        ({"action": action("nonsense")}, "unreadable", ""),
        ({"action": action("bid 1", type_url="type.googleapis.com/rivalry.games.kuhn.v1.Action")}, "unreadable", ""),
        ({}, "empty", ""),
        ({"index": 1, "note": "x" * 1_025}, "note", ""),
        ({"index": 1, "note": "é" * 513}, "note", ""),
    ],
)
def test_an_answer_that_cannot_be_taken_is_rejected_with_its_reason(said: dict[str, Any], why: str, code: str) -> None:
    rulings, result = rulings_on(said)

    assert [(kind(ruling), reason(ruling), ruling.code, ruling.tries_left) for ruling in rulings] == [
        ("rejected", why, code, 2)
    ]
    assert rulings[0].text
    assert result.seats[1].end is End.NORMAL
    assert result.seats[1].illegal == 1


@pytest.mark.parametrize(
    "said", [{"index": 4}, {"text": "bid 4"}, {"action": action("bid 4")}, {"index": 4, "note": "x" * 1_024}]
)
def test_index_text_and_action_say_the_same(said: dict[str, Any]) -> None:
    rulings, result = rulings_on(said)

    assert '"action":"bid 4"' in result.record()[2]
    assert [kind(ruling) for ruling in rulings] == ["conflict"]


def test_the_third_rejected_answer_ends_the_seat() -> None:
    rulings, result = rulings_on({"index": 99}, {"text": "?"}, {})

    assert [ruling.tries_left for ruling in rulings][:3] == [2, 1, 0]
    assert result.seats[1].end is End.ILLEGAL
    assert (kind(rulings[3]), reason(rulings[3])) == ("stale", "over")


def test_a_second_answer_is_a_duplicate_or_a_conflict() -> None:
    rulings, _ = rulings_on({"index": 0}, {"index": 0, "note": "again"}, {"text": "bid 0"}, {"index": 2})

    assert [kind(ruling) for ruling in rulings] == ["duplicate", "conflict", "conflict", "duplicate"]


def test_answers_to_other_prompts_and_matches_are_stale() -> None:
    rulings, result = rulings_on({"index": 0, "number": 2}, {"index": 0, "number": 0}, {"index": 0, "match": 7})

    assert [(kind(ruling), reason(ruling)) for ruling in rulings] == [
        ("stale", "number"),
        ("stale", "number"),
        ("stale", "unknown_match"),
    ]
    assert result.seats[1].illegal == 0


def test_an_answer_after_the_match_is_told_so() -> None:
    async def work() -> session_pb2.Ruling:
        async with Arena() as arena:
            match = opened(arena, spec())
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit_and_play() for peer in peers))
            await match
            await peers[0].say(answer(peers[0].all("prompt")[0], index=0))
            ruling: session_pb2.Ruling = await peers[0].until("ruling")
            return ruling

    assert reason(virtual.run(work())) == "over"


@pytest.mark.parametrize("number", [-1, 0, -(1 << 31), (1 << 31) - 1])
def test_a_number_that_no_prompt_had_is_stale_before_and_after_a_time_was_up(number: int) -> None:
    async def work() -> list[session_pb2.Ruling]:
        async with Arena() as arena:
            opened(arena, spec(tally(2), time="1s"), [Listen(), Listen()])
            peer, other = Peer(arena), Peer(arena)
            sitting = asyncio.ensure_future(other.sit("other"))
            await peer.sit()
            prompt = await peer.until("prompt")
            await sitting
            await peer.say(FromBot(answer=session_pb2.Answer(match=prompt.match, number=number, index=0)))
            first = await peer.until("ruling")
            await asyncio.sleep(5)
            await peer.say(FromBot(answer=session_pb2.Answer(match=prompt.match, number=number, index=0)))
            return [first, await peer.until("ruling")]

    rulings = virtual.run(work())

    assert [kind(ruling) for ruling in rulings] == ["stale", "stale"]


def test_rejected_answers_are_counted_over_the_whole_match_as_well() -> None:
    async def work() -> tuple[int, Result]:
        async with Arena() as arena:
            over = opened(arena, spec(tally(2, rounds=40)), [Listen(), InProcess(playout.first, "first")])
            peer = Peer(arena)
            await peer.sit()
            while (message := await peer.hear()) is not None and not message.HasField("match_ended"):
                if message.HasField("prompt"):
                    wrong = answer(message.prompt, index=99)
                    await peer.say(wrong, wrong, answer(message.prompt, index=0))
            return peer.all("prompt")[-1].tries_left, await over

    last_tries, result = virtual.run(work())

    assert result.seats[0].end is End.ILLEGAL
    assert (result.seats[0].illegal, last_tries) == (REJECTED, 2)
