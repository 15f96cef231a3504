"""Bots that come back at awkward moments: in time, too late, as another version, while the arena stops."""

from __future__ import annotations

import asyncio
import gc
import weakref
from dataclasses import replace

import pytest

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_server.arena import Arena
from rivalry_server.outcome import End, Result
from rivalry_server.pings import Pings
from rivalry_server.policies import Policy, Rule
from rivalry_server.seating import Listen
from rivalry_server.session import Session
from rivalry_server.settings import Settings
from rivalry_server.spectator import Spectator
from server import virtual
from server.peer import FromBot, Peer, answer, kuhn, opened, spec, tally
from server.resuming import back, has, match_with, resume

CRASH = FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_CRASH, text="ValueError: no"))
ENDED = FromBot(ack=session_pb2.Ack(match=1, ended=True))


async def seated(arena: Arena, *names: str, **fields: object) -> list[Peer]:
    """Peers that have shown the token of a seat each."""
    peers = [Peer(arena, token=f"the token of {name}") for name in names]
    await asyncio.gather(*(peer.sit(name, **fields) for peer, name in zip(peers, names, strict=True)))
    return peers


def listening(*names: str) -> list[Listen]:
    return [Listen(token=f"the token of {name}") for name in names]


@pytest.mark.parametrize("paused", [False, True])
def test_an_answer_in_the_frame_of_a_resume_counts_where_its_prompt_had_been_told(paused: bool) -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        await asyncio.sleep(0.5)
        first.link.cut()
        await asyncio.sleep(0.25)
        again = Peer(arena)
        await again.say(resume(first, has(first)), answer(prompt, index=0))
        playing = asyncio.ensure_future(second.play())
        await again.play()
        await playing
        assert not again.all("ruling")
        assert prompt.number not in [told.number for told in again.all("prompt")]

    result = match_with(work, grace_us=30_000_000, grace_paused=paused)

    assert result.seats[0].end is End.NORMAL
    assert result.seats[0].spent.charged_us == (500_000 if paused else 750_000)


def test_an_answer_to_a_prompt_that_was_never_told_is_stale_all_the_same() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        first.link.cut()
        again = Peer(arena)
        await again.say(resume(first, replace_prompt(has(first), 0)), answer(prompt, index=0))
        ruling = await again.until("ruling")
        assert ruling.kind == errors_pb2.RULING_KIND_STALE
        await again.answer(again.all("prompt")[-1])
        await asyncio.gather(again.play(), second.play())

    assert match_with(work).seats[0].end is End.NORMAL


def replace_prompt(ack: session_pb2.Ack, number: int) -> session_pb2.Ack:
    return session_pb2.Ack(match=ack.match, prompt=number)


def test_an_illegal_answer_in_the_frame_of_a_resume_is_rejected_and_the_next_counts() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        first.link.cut()
        again = Peer(arena)
        await again.say(resume(first, has(first)), answer(prompt, index=99))
        ruling = await again.until("ruling")
        assert (ruling.kind, ruling.tries_left) == (errors_pb2.RULING_KIND_REJECTED, 2)
        await again.answer(prompt)
        await asyncio.gather(again.play(), second.play())

    result = match_with(work, grace_us=30_000_000, grace_paused=True)

    assert (result.seats[0].end, result.seats[0].illegal) == (End.NORMAL, 1)


def test_what_holds_up_the_arena_while_a_clock_stands_still_is_nobodys_time() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        await asyncio.sleep(0.005)
        first.link.cut()
        await asyncio.sleep(0.001)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, virtual.VirtualLoop)
        loop.jump(5)
        again = Peer(arena)
        await again.say(resume(first, has(first)), answer(prompt, index=99))
        await again.until("ruling")
        await again.answer(prompt)
        await asyncio.gather(again.play(), second.play())

    result = match_with(work, grace_us=30_000_000, grace_paused=True)

    assert (result.seats[0].end, result.seats[0].spent.arena_us) == (End.NORMAL, 0)


def test_a_rejection_that_is_told_again_says_what_is_left_of_the_time_then() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        await first.answer(prompt, 99)
        assert (await first.until("ruling")).budget_us == 10_000_000
        first.link.cut()
        await asyncio.sleep(6)
        again = await back(arena, first, has(first))
        told, ruling = await again.until("prompt"), await again.until("ruling")
        assert told.budget_us == ruling.budget_us == 4_000_000
        await again.answer(told)
        await asyncio.gather(again.play(), second.play())

    assert match_with(work, time="10s").seats[0].end is End.NORMAL


def test_the_clock_of_a_prompt_that_is_asked_while_the_bot_is_away_runs() -> None:
    """Whoever hangs up after each answer would else think for nothing, and never come to an end."""

    async def whole(away_s: float) -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(tally(2, rounds=2), time="1s"), listening("one", "two"))
            one, two = await seated(arena, "one", "two", features=["resume"])
            await one.answer(await one.until("prompt"))
            await asyncio.sleep(0.01)
            one.link.cut()
            playing = asyncio.ensure_future(two.play())
            await asyncio.sleep(away_s)
            again = await back(arena, one, has(one))
            if away_s < 1:
                told = await again.until("prompt")
                assert told.number == 2 and told.budget_us == pytest.approx(1_000_000 - away_s * 1e6, abs=2)
                await again.answer(told)
                await again.play()
            await playing
            return await over

    assert virtual.run(whole(0.75)).seats[0].end is End.NORMAL
    result = virtual.run(whole(20.0))
    assert result.seats[0].end is End.TIMEOUT
    assert "no legal answer to prompt 2 in 1 s" in result.seats[0].text
    assert result.duration_s == pytest.approx(1, abs=0.1)


def test_a_prompt_that_waits_for_room_takes_no_time_while_the_clock_stands_still() -> None:
    async def whole() -> list[Result]:
        async with Arena() as arena:
            terms = spec(tally(2, rounds=1), grace_us=200_000_000, grace_paused=True)
            overs = [opened(arena, replace(terms, match_id=f"{number:032x}")) for number in (1, 2)]
            one, two = Peer(arena), Peer(arena)
            for peer, prompts in ((one, 1), (two, 2)):
                await peer.hello(features=["resume"], matches=2, prompts=prompts)
                await peer.accept()
                await peer.accept()
            playing = asyncio.ensure_future(plays(two, matches=2))
            await one.until("prompt")
            one.link.cut()
            await asyncio.sleep(90)
            again = await back(arena, one, *[session_pb2.Ack(match=each, prompt=1) for each in (1, 2)])
            await plays(again, matches=2)
            await playing
            return [await over for over in overs]

    for result in virtual.run(whole()):
        assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
        assert result.seats[0].spent.charged_us == 0


async def plays(peer: Peer, *, matches: int) -> None:
    """Answers until so many matches have ended."""
    while matches:
        message = await peer.hear()
        assert message is not None
        kind = message.WhichOneof("message")
        if kind == "prompt":
            await peer.answer(message.prompt)
        matches -= kind == "match_ended"


def test_a_seat_whose_wait_is_over_is_refused_in_plain_words() -> None:
    async def whole() -> tuple[session_pb2.Refused, Result]:
        async with Arena() as arena:
            terms = spec(tally(3, rounds=3), time="60s", wait_s=5.0, on_crash=Rule(Policy.STAND_IN, 1))
            over = opened(arena, terms, listening("one", "two", "three"))
            one, two, three = await seated(arena, "one", "two", "three")
            await one.until("prompt")
            await one.say(CRASH)
            await asyncio.sleep(20)
            late = Peer(arena, token="the token of one")
            await late.hello()
            refused = await late.until("refused")
            await asyncio.gather(two.play(), three.play())
            return refused, await over

    refused, result = virtual.run(whole())

    assert refused.reason == errors_pb2.REFUSAL_REASON_TOKEN and "lost" in refused.yours
    assert [seat.end for seat in result.seats] == [End.CRASH, End.NORMAL, End.NORMAL]


def test_a_bot_that_comes_back_for_an_end_alone_leaves_nothing_behind() -> None:
    def timers() -> int:
        loop = asyncio.get_running_loop()
        return sum(
            not each.cancelled() and isinstance(getattr(each._callback, "__self__", None), Pings)
            for each in loop._scheduled  # type: ignore[attr-defined]
        )

    async def whole() -> weakref.ref[Session]:
        async with Arena() as arena:
            over = opened(arena, spec(kuhn()), listening("one", "two"))
            one, two = await seated(arena, "one", "two", features=["resume"])
            session = weakref.ref(next(each for each in arena.lobby.sessions if each.greeting.name == "one"))
            await asyncio.gather(one.play(), two.play())
            await two.say(ENDED)
            one.link.hang_up()
            await over
            await asyncio.sleep(1)
            again = await back(arena, one)
            await again.until("match_ended")
            await again.say(ENDED)
            await again.until("session_ended")
            again.link.hang_up()
            await asyncio.wait((again.session, one.session, two.session), timeout=30)
            arena.attempts.clear()
            await asyncio.sleep(3_600)
            assert timers() == 0
            return session

    session = virtual.run(whole())
    gc.collect()
    assert session() is None


def test_a_bot_that_still_acknowledges_much_after_the_last_message_is_not_cut_off() -> None:
    """Else it might never read that message: to gRPC a write on a stream that is closed is the end of reading, too."""

    async def whole() -> bool:
        async with Arena() as arena:
            over = opened(arena, spec(kuhn()), listening("one", "two"))
            one, two = await seated(arena, "one", "two", features=["resume"])
            (session,) = [each for each in arena.lobby.sessions if each.greeting.name == "one"]
            await asyncio.gather(one.play(), two.play())
            await over
            for number in range(200):
                await one.say(FromBot(ack=session_pb2.Ack(match=1, events=number)))
            await one.say(ENDED)
            await one.until("session_ended")
            one.link.close()
            await asyncio.wait((one.session,), timeout=30)
            return not session.untold

    assert virtual.run(whole())


def test_a_token_is_not_dropped_for_an_answer_that_crossed_the_welcome() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        first.link.cut()
        unheard = Peer(arena)
        await unheard.say(resume(first, has(first)), answer(prompt, index=0))
        await asyncio.sleep(0.1)
        unheard.link.cut()  # the welcome with the new token was not read
        again = await back(arena, first, has(first))
        assert (await again.until("welcome")).resumed
        await asyncio.gather(again.play(), second.play())

    assert match_with(work).seats[0].end is End.NORMAL


@pytest.mark.parametrize(
    ("before", "after"), [(["resume", "live_events"], ["resume"]), (["resume"], ["resume", "live_events"])]
)
def test_a_bot_that_is_started_anew_is_told_what_it_asks_for_now_and_known_by_its_name(
    before: list[str], after: list[str]
) -> None:
    class Seated(Spectator):
        def __init__(self) -> None:
            self.names: list[tuple[int, str, str]] = []

        def seated(self, seat: int, name: str, version: str) -> None:
            self.names.append((seat, name, version))

    async def whole() -> tuple[Peer, Result]:
        async with Arena() as arena:
            over = asyncio.ensure_future(arena.run_match(spec(kuhn()), listening("one", "two"), spectator=heard))
            one, two = await seated(arena, "one", "two", features=before)
            playing = asyncio.ensure_future(two.play())
            await one.until("prompt")
            one.link.cut()
            anew = Peer(arena, token="the token of one")
            await anew.hello("newer", version="2", features=after)
            await anew.play()
            await playing
            return anew, await over

    heard = Seated()
    anew, result = virtual.run(whole())

    assert ("events" in anew.kinds()) is ("live_events" in after)
    assert (result.seats[0].name, result.seats[0].version) == ("newer", "2")
    assert heard.names[-1] == (0, "newer", "2")


def draining(arena: Arena) -> asyncio.Future[None]:
    return asyncio.ensure_future(arena.drain())


def test_while_an_arena_drains_who_comes_back_is_told_and_who_failed_is_awaited() -> None:
    async def whole() -> tuple[Result, list[int]]:
        async with Arena(Settings(drain_s=20.0)) as arena:
            over = opened(arena, spec(time="10s", on_crash=Rule(Policy.VOID, 2)), listening("one", "two"))
            one, two = await seated(arena, "one", "two", features=["resume"])
            playing = asyncio.ensure_future(two.play())
            await one.until("prompt")
            one.link.cut()
            drained = draining(arena)
            await asyncio.sleep(5)
            again = await back(arena, one, has(one))
            left = [(await again.until("drain")).remaining_us]
            await again.until("prompt")
            again.link.cut()
            restarted = Peer(arena, token="the token of one")
            await restarted.hello()
            left.append((await restarted.until("drain")).remaining_us)
            await restarted.until("prompt")
            await restarted.say(CRASH)
            anew = Peer(arena, token="the token of one")
            await anew.sit("anew")
            left.append(anew.all("drain")[0].remaining_us)
            await anew.play()
            await playing
            await drained
            return await over, left

    result, left = virtual.run(whole())

    assert [(seat.end, seat.retries) for seat in result.seats] == [(End.NORMAL, 1), (End.NORMAL, 0)]
    assert all(14_000_000 < each <= 15_000_000 for each in left)


def test_while_an_arena_drains_nobody_new_is_let_in_and_no_match_begins() -> None:
    async def whole() -> None:
        async with Arena(Settings(drain_s=20.0)) as arena:
            opened(arena, replace(spec(time="10s"), match_id="a" * 32), listening("one", "two"))
            waiting = opened(arena, replace(spec(), match_id="b" * 32), [Listen(), *listening("three")])
            one, two = await seated(arena, "one", "two", features=["resume"])
            free = Peer(arena)
            await free.hello("free", matches=1)
            await free.accept()
            third = Peer(arena, token="the token of three")
            drained = draining(arena)
            await asyncio.sleep(1)
            for stranger in (Peer(arena), third):
                await stranger.hello("new")
                assert (await stranger.until("refused")).reason == errors_pb2.REFUSAL_REASON_DRAINING
            free.link.hang_up()  # its seat is open again, and nobody is offered it
            await asyncio.sleep(1)
            await asyncio.gather(one.play(), two.play())
            await drained
            assert not waiting.done()
            waiting.cancel()

    virtual.run(whole())
