"""Rejected answers and lost streams: what is told again, and what an answer that is sent again costs."""

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
from rivalry_server.settings import REJECTED, TRIES
from server import virtual
from server.peer import Peer, answer, opened, spec, tally
from server.resuming import back, has, match_with, resume


def told(peer: Peer) -> list[tuple[str, int]]:
    """The kind and the tries of each ruling that was heard."""
    return [
        (errors_pb2.RulingKind.Name(each.kind).removeprefix("RULING_KIND_").lower(), each.tries_left)
        for each in peer.all("ruling")
    ]


WRONG = [{"index": 99}, {"text": "?"}, {}, {"index": 0, "note": "x" * 1_025}]


@pytest.mark.parametrize("said", WRONG, ids=["index", "text", "empty", "note"])
def test_a_rejected_answer_that_is_sent_again_after_a_cut_costs_nothing(said: dict[str, Any]) -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        await first.say(answer(prompt, **said))
        await first.until("ruling")
        for _ in range(5):
            first.link.cut()
            again = await back(arena, first, has(first))
            asked = await again.until("prompt")
            assert asked.tries_left == 2
            await again.say(answer(asked, **said))
            await again.until("ruling")
            duplicate = await again.until("ruling")
            assert told(again) == [("rejected", 2), ("duplicate", 2)]
            rejected = again.all("ruling")[0]
            assert duplicate.reason == rejected.reason and rejected.text in duplicate.text
            assert duplicate.budget_us == asked.budget_us
            first = again.after(first)
        await first.say(answer(prompt, **said))  # without a cut between it counts
        assert (await first.until("ruling")).tries_left == 1
        await first.answer(prompt)
        await asyncio.gather(first.play(), second.play())

    result = match_with(work)

    assert result.seats[0].end is End.NORMAL and result.seats[0].illegal == 2


def test_an_answer_that_differs_from_the_rejected_one_is_judged() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        await first.say(answer(prompt, index=0, note="x" * 1_025))
        await first.until("ruling")
        first.link.cut()
        again = await back(arena, first, has(first))
        await again.say(answer(await again.until("prompt"), index=0, note="x"))
        await asyncio.gather(again.play(), second.play())
        assert told(again) == [("rejected", 2)]

    assert match_with(work).seats[0].illegal == 1


def test_a_bot_that_has_not_the_prompt_is_told_of_no_earlier_rejection_and_its_answer_counts() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.answer(await first.until("prompt"), 99)
        await first.until("ruling")
        first.link.cut()
        knowing = await back(arena, first, has(first))
        await knowing.until("ruling")
        anew = await back(arena, knowing)
        prompt = await anew.until("prompt")
        await anew.answer(prompt, 99)
        await anew.until("ruling")
        assert told(anew) == [("rejected", 1)]
        await anew.answer(prompt)
        await asyncio.gather(anew.play(), second.play())

    assert match_with(work).seats[0].illegal == 2


@pytest.mark.parametrize(
    ("index", "rulings"),
    [(0, []), (98, [("rejected", 1)]), (99, [("rejected", 2), ("duplicate", 2)])],
    ids=["legal", "another", "the same"],
)
def test_after_an_answer_beside_the_resume_the_bot_hears_of_that_alone(
    index: int, rulings: list[tuple[str, int]]
) -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        await first.answer(prompt, 99)
        await first.until("ruling")
        first.link.cut()
        again = Peer(arena)
        await again.say(resume(first, has(first)), answer(prompt, index=index))
        if index:
            for _ in rulings:
                await again.until("ruling")
            await again.answer(prompt)
        await asyncio.gather(again.play(), second.play())
        assert told(again) == rulings

    assert match_with(work).seats[0].end is End.NORMAL


def test_where_the_match_allows_few_more_rejections_none_is_told_that_never_was() -> None:
    async def whole() -> tuple[list[session_pb2.Prompt], list[tuple[str, int]], Result]:
        async with Arena() as arena:
            over = opened(arena, spec(tally(2, rounds=40)), [Listen(), InProcess(playout.first, "first")])
            peer = Peer(arena)
            await peer.sit(features=["resume"])
            illegal = 0
            while (prompt := await peer.until("prompt")) and illegal < REJECTED - 2:
                wrong = answer(prompt, index=99)
                await peer.say(wrong, wrong, answer(prompt, index=0))
                illegal += 2
            peer.link.cut()
            again = await back(arena, peer, session_pb2.Ack(match=prompt.match, prompt=prompt.number))
            asked = await again.until("prompt")
            await again.answer(asked)
            await again.play()
            return [prompt, asked], told(again), await over

    prompts, rulings, result = virtual.run(whole())

    assert [prompt.tries_left for prompt in prompts] == [2, 2] and TRIES > 2
    assert rulings == [] and result.seats[0].end is End.NORMAL
