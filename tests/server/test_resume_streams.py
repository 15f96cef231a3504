"""Of several streams of one session the newest counts, and which token is good for it."""

from __future__ import annotations

import asyncio

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_server.arena import Arena
from rivalry_server.outcome import End, Result
from server import virtual
from server.peer import FromBot, Peer, answer, opened, spec
from server.resuming import back, first_answers, has, match_with, resume


def test_the_newest_stream_wins_and_the_old_one_is_told() -> None:
    reasons: list[int] = []

    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        again = await back(arena, first, has(first))
        reasons.append((await first.until("session_ended")).reason)
        assert await first.hear() is None
        await asyncio.gather(again.play(), second.play())

    result = match_with(work)

    assert reasons == [errors_pb2.SESSION_END_REASON_REPLACED]
    assert result.seats[0].end is End.NORMAL


def test_of_two_streams_that_resume_at_the_same_moment_the_newest_gets_the_prompt() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        first.link.cut()
        older, newest = Peer(arena), Peer(arena)
        await asyncio.sleep(0.1)  # both streams are open, and then both bots speak in one turn of the loop
        await older.say(resume(first))
        await newest.say(resume(first))
        await asyncio.gather(newest.play(), second.play())
        await older.until("session_ended")
        assert older.all("session_ended")[0].reason == errors_pb2.SESSION_END_REASON_REPLACED
        assert not older.all("prompt")

    assert [seat.end for seat in match_with(work).seats] == [End.NORMAL, End.NORMAL]


def test_a_stream_that_was_lost_while_a_write_was_stuck_does_not_end_the_session_that_went_on() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(time="untimed"))
            stuck, second = Peer(arena, frames=1), Peer(arena)
            await asyncio.gather(stuck.sit("stuck", features=["resume"]), second.sit("second"))
            prompt = await stuck.until("prompt")
            for _ in range(3):  # one ruling is under way, and the next is not taken
                await stuck.say(answer(prompt, index=0, number=0))
                await asyncio.sleep(0.1)
            stuck.link.close()
            await asyncio.sleep(0.1)
            again = await back(arena, stuck, has(stuck))
            prompt = await again.until("prompt")
            await asyncio.sleep(30.0)  # longer than a write may take
            await again.answer(prompt)
            await asyncio.gather(again.play(), second.play())
            return await over

    assert [seat.end for seat in virtual.run(work()).seats] == [End.NORMAL, End.NORMAL]


def test_a_token_is_good_until_the_bot_is_known_to_have_the_next() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        old = resume(first)
        await first.until("prompt")
        first.link.cut()
        unheard = Peer(arena)
        await unheard.say(old)
        await asyncio.sleep(0)
        unheard.link.cut()  # the welcome with the new token is lost
        again = Peer(arena)
        await again.say(old)
        ping = await again.until("ping")
        await again.say(FromBot(pong=session_pb2.Pong(nonce=ping.nonce)))
        await again.answer(again.all("prompt")[-1] if again.all("prompt") else await again.until("prompt"))
        await asyncio.sleep(0.1)
        late = Peer(arena)
        await late.say(old)
        refused = await late.until("refused")
        assert refused.reason == errors_pb2.REFUSAL_REASON_RESUME and "hello" in refused.remedy
        await asyncio.gather(again.play(), second.play())

    assert match_with(work).seats[0].end is End.NORMAL


def test_a_token_is_good_however_many_welcomes_are_lost_in_a_row() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        first.link.cut()
        for _ in range(3):
            unheard = await back(arena, first)
            await asyncio.sleep(0.1)
            unheard.link.cut()
        again = await back(arena, first, has(first))
        await again.answer(await again.until("prompt"))
        await asyncio.gather(again.play(), second.play())

    assert match_with(work).seats[0].end is End.NORMAL


def test_a_token_of_another_session_takes_nothing_of_this_one() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        again = await back(arena, second, has(first))
        started = await again.until("match_started")
        assert started.seat == 1
        assert not again.all("prompt")
        await asyncio.gather(first_answers(first), again.play())

    assert [seat.end for seat in match_with(work).seats] == [End.NORMAL, End.NORMAL]
