"""Time limits in virtual time."""

from __future__ import annotations

import asyncio
import re

import pytest

from rivalry.arena.v1 import session_pb2
from rivalry_server.arena import Arena
from rivalry_server.clock import Alarm, TimeControl
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.settings import Settings
from server import virtual
from server.peer import MATCH_ID, Peer, answer, kuhn, opened, spec, tally

S = 1_000_000


def test_an_alarm_put_off_rings_once_at_the_last_moment_set() -> None:
    async def work() -> list[float]:
        loop = asyncio.get_running_loop()
        start = loop.time()
        rung: list[float] = []
        alarm = Alarm(loop, loop.time, lambda: rung.append(loop.time() - start))
        alarm.set(start + 1)
        alarm.clear()
        alarm.set(start + 3)
        alarm.set(start + 2)
        await asyncio.sleep(10)
        alarm.set(start + 12)
        alarm.close()
        await asyncio.sleep(10)
        return rung

    assert virtual.run(work()) == [pytest.approx(2)]


def one_decision(wait_s: float, *, time: str = "2s", settings: Settings | None = None) -> tuple[Result, Peer]:
    """Kuhn where seat 1 answers its prompt after ``wait_s``."""

    async def work() -> tuple[Result, Peer]:
        async with Arena(settings) as arena:
            match = opened(arena, spec(kuhn(), time=time))
            prompt, late = Peer(arena), Peer(arena)
            await asyncio.gather(prompt.sit("prompt"), late.sit("late"))
            playing = asyncio.ensure_future(prompt.play())
            asked = await late.until("prompt")
            await asyncio.sleep(wait_s)
            await late.answer(asked)
            await late.until("match_ended")
            await playing
            return await match, late

    return virtual.run(work())


def test_an_answer_at_the_flag_is_in_time() -> None:
    result, _ = one_decision(2.0)

    assert result.seats[1].end is End.NORMAL


def test_the_flag_falls_a_little_after_the_limit_that_was_told() -> None:
    assert one_decision(2.04)[0].seats[1].end is End.NORMAL
    assert one_decision(2.06)[0].seats[1].end is End.TIMEOUT
    assert one_decision(2.01, time="2s,margin=0ms")[0].seats[1].end is End.TIMEOUT


def test_a_timeout_says_which_prompt_and_how_long() -> None:
    result, _ = one_decision(3)

    assert re.fullmatch(
        r"no legal answer to prompt 1 in 2 s \(bot 2\.05[01] s, network 0\.000 s, arena 0\.000 s\)",
        result.seats[1].text,
    )


def test_a_late_answer_is_expired_and_never_answers_the_next_prompt() -> None:
    async def work() -> tuple[Result, list[session_pb2.Ruling]]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3, rounds=3)))
            peers = [Peer(arena) for _ in range(3)]
            await asyncio.gather(*(peer.sit() for peer in peers))
            asked = await peers[2].until("prompt")
            good = [await peer.until("prompt") for peer in peers[:2]]
            await asyncio.sleep(1)
            for peer, prompt in zip(peers, good, strict=False):
                await peer.answer(prompt)
            await asyncio.sleep(1.5)
            await peers[2].answer(asked, 9)
            rulings = [await peers[2].until("ruling")]
            await peers[2].say(answer(asked, index=9, number=2))
            rulings.append(await peers[2].until("ruling"))
            await asyncio.gather(*(peer.play() for peer in peers[:2]), peers[2].until("match_ended"))
            return await match, rulings

    result, rulings = virtual.run(work())

    assert [
        session_pb2.Ruling.DESCRIPTOR.fields_by_name["kind"].enum_type.values_by_number[ruling.kind].name
        for ruling in rulings
    ] == [
        "RULING_KIND_EXPIRED",
        "RULING_KIND_STALE",
    ]
    assert result.seats[2].decisions == 0
    assert all('"action":"bid 9"' not in line for line in result.record())


def test_rejected_answers_share_one_budget() -> None:
    async def work() -> tuple[Result, list[session_pb2.Ruling]]:
        async with Arena() as arena:
            match = opened(arena, spec(kuhn()))
            good, bad = Peer(arena), Peer(arena)
            await asyncio.gather(good.sit(), bad.sit())
            playing = asyncio.ensure_future(good.play())
            asked = await bad.until("prompt")
            rulings = []
            for _ in range(2):
                await asyncio.sleep(0.9)
                await bad.answer(asked, 7)
                rulings.append(await bad.until("ruling"))
            await asyncio.sleep(0.9)
            await bad.answer(asked, 0)
            await asyncio.gather(playing, bad.until("match_ended"))
            return await match, rulings

    result, rulings = virtual.run(work())

    assert [(ruling.tries_left, ruling.budget_us) for ruling in rulings] == [(2, 1_100_000), (1, 200_000)]
    assert result.seats[1].end is End.TIMEOUT
    assert result.seats[1].illegal == 2


def test_what_was_measured_is_told_with_the_next_prompt() -> None:
    async def work() -> list[session_pb2.Measured]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=2)))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit() for peer in peers))
            playing = asyncio.ensure_future(peers[0].play())
            asked = await peers[1].until("prompt")
            await asyncio.sleep(0.25)
            await peers[1].answer(asked, 88)
            await asyncio.sleep(0.5)
            await peers[1].answer(asked, 1)
            second = await peers[1].until("prompt")
            assert not asked.HasField("last")
            await peers[1].answer(second)
            ended = await peers[1].until("match_ended")
            await playing
            await match
            return [second.last, ended.last]

    first, last = virtual.run(work())

    assert (first.number, first.elapsed_us) == (1, 750_000)
    assert last.number == 2


def test_the_first_prompt_has_a_limit_of_its_own() -> None:
    async def work() -> list[int]:
        async with Arena() as arena:
            game = tally(2, rounds=2)
            match = opened(arena, MatchSpec(game, b"x", MATCH_ID, time_control=TimeControl.parsed("2s")))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit_and_play() for peer in peers))
            await match
            return [prompt.budget_us for prompt in peers[1].all("prompt")]

    assert virtual.run(work()) == [60 * S, 2 * S]


def test_an_untimed_prompt_waits_for_a_bot_that_answers_pings() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(kuhn(), time="untimed"))
            quick, slow = Peer(arena), Peer(arena)
            await asyncio.gather(quick.sit(), slow.sit())
            playing = asyncio.ensure_future(quick.play())
            asked = await slow.until("prompt")
            assert not asked.HasField("budget_us")
            ping = slow.all("ping")[-1]
            until = asyncio.get_running_loop().time() + 3_000
            while asyncio.get_running_loop().time() < until:
                await slow.say(session_pb2.FromBot(pong=session_pb2.Pong(nonce=ping.nonce)))
                ping = await slow.until("ping")
            await slow.answer(asked)
            await asyncio.gather(slow.until("match_ended"), playing)
            return await match

    assert virtual.run(work()).seats[1].end is End.NORMAL


def test_an_untimed_prompt_ends_a_bot_that_shows_no_life() -> None:
    result, _ = one_decision(1_000, time="untimed")

    assert result.seats[1].end is End.TIMEOUT
    assert result.seats[1].text == "no sign of life for 300 s at prompt 1"
