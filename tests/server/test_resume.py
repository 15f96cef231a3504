"""Streams that are lost and sessions that go on, in virtual time."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from rivalry.arena.v1 import errors_pb2, outcome_pb2, session_pb2
from rivalry_engine import catalog, playout
from rivalry_engine.game import Game
from rivalry_server.arena import Arena
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Listen
from server import virtual
from server.peer import FromBot, Peer, answer, kuhn, opened, spec, tally
from server.resuming import back, first_answers, has, match_with
from server.returning import Knife, Returning


async def played(game: Game, at: int) -> tuple[Result, Knife, list[Returning]]:
    """A match of bots with seat tokens in which the stream of seat 0 is cut at moment ``at`` (0: never)."""
    async with Arena() as arena:
        attempt = arena._attempt(spec(game), [Command(("true",), "cmd")] * game.seats, None)
        attempt.open()
        knife = Knife(at)
        bots = [
            Returning(arena, knife=knife if seat == 0 else None, token=attempt.vacancies[seat].token)
            for seat in range(game.seats)
        ]
        async with asyncio.timeout(60):
            await asyncio.gather(*(bot.play() for bot in bots))
        return attempt.finished.result(), knife, bots


@pytest.mark.parametrize("game", [kuhn(), tally(3)], ids=["kuhn", "simultaneous"])
def test_a_stream_cut_at_any_moment_changes_nothing(game: Game) -> None:
    whole, _, _ = virtual.run(played(game, 0))

    cuts = 0
    for at in count(1):
        result, knife, bots = virtual.run(played(game, at))
        if knife.moments < at:
            break
        cuts += 1
        assert result.game_digest == whole.game_digest, at
        assert [seat.end for seat in result.seats] == [End.NORMAL] * game.seats, (at, result.seats)
        assert all(bot.ended is not None and not bot.ended.outcome.void for bot in bots)
        assert bots[0].chosen == whole.seats[0].decisions, f"cut {at}: a choice was made again"
    assert cuts > 20


@pytest.mark.parametrize("at", range(7, 800, 61))
def test_a_cut_changes_nothing_in_a_game_with_hidden_hands(at: int) -> None:
    game = catalog.game("ethnos", {"seats": 3})
    whole, _, _ = virtual.run(played(game, 0))

    result, knife, bots = virtual.run(played(game, at))

    assert knife.moments > at and bots[0].streams > 1
    assert result.game_digest == whole.game_digest
    assert [seat.end for seat in result.seats] == [End.NORMAL] * 3


def test_a_bot_that_comes_back_gets_a_snapshot_and_what_is_left_of_its_time() -> None:
    prompts: list[session_pb2.Prompt] = []
    kinds: list[str | None] = []

    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompts.append(await first.until("prompt"))
        await asyncio.sleep(0.5)
        first.link.cut()
        await asyncio.sleep(1.0)
        again = await back(arena, first, has(first))
        prompts.append(await again.until("prompt"))
        kinds.extend(kind for kind in again.kinds() if kind != "ping")
        await again.answer(prompts[1])
        await asyncio.gather(again.play(), second.play())

    result = match_with(work)

    assert kinds == ["welcome", "match_started", "prompt"]
    assert prompts[1].number == prompts[0].number
    assert prompts[1].observation == prompts[0].observation
    assert prompts[0].budget_us == 2_000_000 and prompts[1].budget_us == 500_000
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_a_bot_that_stays_away_loses_its_time_or_its_grace_whichever_is_over_first() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        first.link.cut()
        await second.play()

    assert match_with(work).seats[0].end is End.TIMEOUT
    result = match_with(work, time="1m")
    assert result.seats[0].end is End.DISCONNECT
    assert "did not come back in 30 s" in result.seats[0].text
    assert match_with(work, time="1m", grace_us=0).duration_s < 1


def test_a_clock_that_is_paused_stands_still_while_the_bot_is_away() -> None:
    left: list[int] = []

    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        await asyncio.sleep(0.5)
        first.link.cut()
        await asyncio.sleep(20.0)
        again = await back(arena, first, has(first))
        prompt = await again.until("prompt")
        left.append(prompt.budget_us)
        await asyncio.sleep(0.25)
        await again.answer(prompt)
        left.append((await again.until("match_ended")).last.elapsed_us)

    async def both(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        playing = asyncio.ensure_future(second.play())
        await work(arena, first, second, over)
        await playing

    result = match_with(both, grace_paused=True)

    assert left == [1_500_000, 750_000]
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_while_the_clock_stands_still_the_grace_is_for_all_absences_together() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        playing = asyncio.ensure_future(second.play())
        await first.until("prompt")
        for _ in range(2):
            first.link.cut()
            await asyncio.sleep(12.0)
            again = await back(arena, first, has(first))
            await again.until("prompt")
            first = again.after(first)
        first.link.cut()
        began = asyncio.get_running_loop().time()
        await over
        assert asyncio.get_running_loop().time() - began == pytest.approx(6.0, abs=0.1)
        await playing

    result = match_with(work, grace_paused=True)

    assert result.seats[0].end is End.DISCONNECT


def test_a_session_is_not_resumed_without_end() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        for _ in range(20):
            again = await back(arena, first, has(first))
            await again.until("prompt")
            first = again.after(first)
        refused = await back(arena, first, has(first))
        told = await refused.until("refused")
        assert told.reason == errors_pb2.REFUSAL_REASON_LIMIT and told.remedy.startswith("try again in ")
        seconds = int(told.remedy.split()[3])
        assert seconds <= 2
        await asyncio.sleep(seconds)
        again = await back(arena, first, has(first))
        await again.until("prompt")
        await asyncio.gather(first_answers(again), second.play())

    assert match_with(work).seats[0].end is End.NORMAL


def test_a_resume_tells_of_no_more_matches_than_a_session_can_have_had_open() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        first.link.cut()
        claimed = [session_pb2.Ack(match=match) for match in range(2, 69)]
        refused = await back(arena, first, *claimed)
        assert (await refused.until("refused")).ours == "this session's resume tells of at most 66 matches"
        again = await back(arena, first, *claimed[:65], has(first))
        assert (await again.until("prompt")).number == prompt.number
        await again.answer(prompt)
        for _ in range(65):  # those that nobody knows are over; these ends are of no match of the bot's
            assert (await again.until("match_ended")).outcome.void
        await asyncio.gather(again.play(), second.play())

    assert match_with(work).seats[0].end is End.NORMAL


def test_ends_that_are_never_acknowledged_do_not_pile_up() -> None:
    async def work() -> int:
        async with Arena() as arena:
            peer = Peer(arena)
            await peer.hello("deaf", features=["resume"])
            await peer.until("welcome")
            for number in range(80):
                match = replace(spec(), match_id=f"{number:032x}")
                over = opened(arena, match, [Listen(), InProcess(playout.first, "first")])
                await peer.accept()
                await peer.play()
                await over
            return len(arena.lobby.sessions[0].untold)

    assert virtual.run(work()) == 65


def test_a_rejection_that_may_be_lost_is_told_again() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        await first.say(answer(prompt, index=99))
        await first.until("ruling")
        first.link.cut()
        again = await back(arena, first, has(first))
        resent = await again.until("prompt")
        ruling = await again.until("ruling")
        assert resent.tries_left == ruling.tries_left == 2
        assert ruling.kind == errors_pb2.RULING_KIND_REJECTED
        stranger = await back(arena, again)  # a new process, that has nothing
        await stranger.answer(await stranger.until("prompt"))
        await asyncio.gather(stranger.play(), second.play())
        assert not stranger.all("ruling")

    assert match_with(work).seats[0].illegal == 1


def test_the_end_of_a_match_is_told_to_a_bot_that_was_away() -> None:
    told: list[Any] = []

    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        first.link.cut()
        await second.play()
        again = await back(arena, first, has(first))
        told.append(await again.until("match_ended"))
        once_more = await back(arena, again, has(first))
        told.append(await once_more.until("match_ended"))
        handle = told[0].match
        await once_more.say(FromBot(ack=session_pb2.Ack(match=handle, ended=True)))
        await asyncio.sleep(0.1)
        knows = await back(arena, once_more)
        await knows.until("welcome")
        await asyncio.sleep(0.1)
        assert "match_ended" not in knows.kinds()

    result = match_with(work)

    assert [end.outcome.game_digest for end in told] == [result.game_digest] * 2
    assert [seat.end for seat in told[0].outcome.seats] == [outcome_pb2.END_TIMEOUT, outcome_pb2.END_NORMAL]


def test_a_session_that_is_over_is_forgotten_though_its_bot_was_lost_again_while_it_was_told() -> None:
    async def work() -> dict[bytes, Any]:
        async with Arena() as arena:
            attempt = arena._attempt(spec(), [Command(("true",), "cmd")] * 2, None)
            attempt.open()
            first, second = (Peer(arena, token=attempt.vacancies[seat].token) for seat in (0, 1))
            await asyncio.gather(first.sit(features=["resume"]), second.sit())
            await first.until("prompt")
            first.link.cut()
            await second.play()
            again = await back(arena, first, has(first))
            await again.until("match_ended")
            again.link.cut()
            await asyncio.sleep(2 * arena.settings.linger_s)
            return arena.lobby._by_key

    assert not virtual.run(work())


def test_a_bot_that_has_seen_more_than_the_arena_knows_gets_a_new_handle() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        prompt = await first.until("prompt")
        again = await back(arena, first, session_pb2.Ack(match=prompt.match, prompt=prompt.number + 1))
        started = await again.until("match_started")
        assert started.resumed and started.replaces == prompt.match != started.match
        asked = await again.until("prompt")
        assert (asked.match, asked.number) == (started.match, prompt.number)
        await again.answer(prompt)
        stale = await again.until("ruling")
        assert stale.kind == errors_pb2.RULING_KIND_STALE and stale.reason == errors_pb2.RULING_REASON_OVER
        assert stale.text == f"match {prompt.match} goes on as match {started.match}"
        await again.answer(asked)
        await asyncio.gather(again.play(), second.play())

    assert [seat.end for seat in match_with(work).seats] == [End.NORMAL, End.NORMAL]


@pytest.mark.parametrize(("more_events", "more_prompts"), [(1, 0), (90, 0), (0, 1), (90, 1)])
@pytest.mark.parametrize("rounds", [5, 120])
def test_under_a_new_handle_the_events_come_from_the_first_that_is_kept(
    rounds: int, more_events: int, more_prompts: int
) -> None:
    async def whole() -> tuple[session_pb2.Prompt, int, Result]:
        async with Arena() as arena:
            over = opened(arena, spec(tally(2, rounds=rounds)), [Listen(), InProcess(playout.first, "first")])
            peer = Peer(arena)
            await peer.sit(features=["resume"])
            for _ in range(rounds - 1):
                await peer.answer(await peer.until("prompt"))
            prompt = await peer.until("prompt")
            have = prompt.first_event + prompt.event_count - 1
            claim = {"events": have + more_events, "prompt": prompt.number + more_prompts}
            again = await back(arena, peer, session_pb2.Ack(match=prompt.match, **claim))
            started = await again.until("match_started")
            told = await again.until("prompt")
            assert started.replaces == prompt.match != started.match == told.match
            assert told.first_event + told.event_count - 1 == have
            await again.answer(told)
            await again.play()
            return told, have, await over

    told, have, result = virtual.run(whole())

    assert told.first_event == 1 or (have > 64 and told.first_event < have)
    assert result.seats[0].end is End.NORMAL


def test_a_match_that_nobody_knows_any_more_is_told_to_be_void() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        again = await back(arena, first, has(first), session_pb2.Ack(match=77, prompt=1))
        ended = await again.until("match_ended")
        assert ended.match == 77 and ended.outcome.void and ended.outcome.text
        await asyncio.gather(first_answers(again), second.play())

    assert match_with(work).seats[0].end is End.NORMAL


def test_a_bot_started_again_with_its_seats_token_goes_on() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            attempt = arena._attempt(spec(), [Command(("true",), "cmd")] * 2, None)
            attempt.open()
            first, second = (Peer(arena, token=attempt.vacancies[seat].token) for seat in (0, 1))
            await asyncio.gather(first.sit(features=["resume"]), second.sit())
            prompt = await first.until("prompt")
            first.link.cut()
            again = Peer(arena, token=attempt.vacancies[0].token)
            await again.hello("anew")
            started = await again.until("match_started")
            assert started.resumed and started.seat == 0
            assert (await again.until("prompt")).number == prompt.number
            await asyncio.gather(first_answers(again), second.play())
            return await attempt.finished

    result = virtual.run(work())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_a_bot_that_cannot_come_back_is_not_waited_for() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(time="1m"))
            first, second = Peer(arena), Peer(arena)
            await asyncio.gather(first.sit(), second.sit())
            assert not first.all("welcome")[0].resume_token
            await first.until("prompt")
            first.link.cut()
            await second.play()
            return await over

    result = virtual.run(work())

    assert result.seats[0].end is End.DISCONNECT
    assert result.duration_s < 1


def test_seats_that_a_lost_session_had_not_begun_to_play_are_open_again() -> None:
    async def work() -> list[str]:
        async with Arena() as arena:
            over = opened(arena, spec(tally(3)))
            gone = Peer(arena)
            await gone.hello("gone", features=["resume"])
            await gone.accept()
            await asyncio.sleep(0.1)
            gone.link.cut()
            peers = [Peer(arena) for _ in range(3)]
            await asyncio.gather(*(peer.sit_and_play(f"peer {place}") for place, peer in enumerate(peers)))
            late = await back(arena, gone)
            assert (await late.until("refused")).reason == errors_pb2.REFUSAL_REASON_RESUME
            return sorted(seat.name for seat in (await over).seats)

    assert virtual.run(work()) == ["peer 0", "peer 1", "peer 2"]


def test_a_draining_arena_lets_bots_back_in_and_takes_no_new_ones() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        draining = asyncio.ensure_future(arena.drain())
        drain = await second.until("drain")
        assert drain.remaining_us == 10_000_000
        first.link.cut()
        stranger = Peer(arena)
        await stranger.hello("stranger")
        assert (await stranger.until("refused")).reason == errors_pb2.REFUSAL_REASON_DRAINING
        again = await back(arena, first, has(first))
        await again.until("prompt")
        assert not draining.done()
        await asyncio.gather(first_answers(again), second.play())
        await draining

    assert [seat.end for seat in match_with(work).seats] == [End.NORMAL, End.NORMAL]


def test_draining_is_over_when_its_time_is_or_somebody_is_in_a_hurry() -> None:
    async def work() -> tuple[float, float]:
        async with Arena() as arena:
            over = opened(arena, spec(time="1m"))
            first, second = Peer(arena), Peer(arena)
            await asyncio.gather(first.sit(), second.sit())
            loop = asyncio.get_running_loop()
            began = loop.time()
            await arena.drain()
            whole = loop.time() - began
            hurry = asyncio.Event()
            loop.call_later(1.0, hurry.set)
            began = loop.time()
            await arena.drain(hurry=hurry)
            over.cancel()
            return whole, loop.time() - began

    whole, hurried = virtual.run(work())

    assert whole == pytest.approx(10.0, abs=0.1)
    assert hurried == pytest.approx(1.0, abs=0.1)
