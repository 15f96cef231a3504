"""Bots that fail and are started or awaited again."""

from __future__ import annotations

import asyncio
import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from rivalry.arena.v1 import session_pb2
from rivalry_engine import playout
from rivalry_engine.prompt import Prompt
from rivalry_server import local
from rivalry_server.arena import Arena
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.policies import Policy, Rule
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Listen
from rivalry_server.spectator import Spectator
from server import virtual
from server.peer import FromBot, Peer, kuhn, opened, spec, tally

CRASH = FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_CRASH, text="ValueError: no"))


class Failing:
    """Raises on its first ``times`` prompts."""

    def __init__(self, times: int) -> None:
        self.times = times

    def __call__(self, prompt: Prompt) -> object:
        if self.times:
            self.times -= 1
            raise ValueError("not yet")
        return playout.first(prompt)


class Heard(Spectator):
    """Notes who was started again."""

    def __init__(self) -> None:
        self.retried_: list[tuple[int, End, int]] = []

    def retried(self, seat: int, end: End, text: str, number: int) -> None:
        self.retried_.append((seat, end, number))


@pytest.mark.parametrize(("times", "end", "retries"), [(0, End.NORMAL, 0), (2, End.NORMAL, 2), (3, End.CRASH, 2)])
def test_a_function_that_fails_is_made_again_so_many_times(times: int, end: End, retries: int) -> None:
    match = spec(kuhn(), on_crash=Rule(Policy.STAND_IN, 2))
    bots = [InProcess(Failing(times), "failing"), InProcess(playout.first, "first")]
    heard = Heard()

    result = local.play(match, bots, spectator=heard)

    assert (result.seats[0].end, result.seats[0].retries) == (end, retries)
    assert heard.retried_ == [(0, End.CRASH, number + 1) for number in range(retries)]
    assert result.told().seats[0].retries == result.message().seats[0].retries == retries
    assert json.loads(result.record()[-1])["seats"][0].get("retries", 0) == retries


async def among_walk_ins(match: MatchSpec, *, left_us: int) -> Result:
    """The bot of seat 0 crashes at its first prompt and 5 s later another one comes for the seat."""
    async with Arena() as arena:
        over = opened(arena, match)
        crashing, other = Peer(arena), Peer(arena)
        started, _ = await asyncio.gather(crashing.sit("crashing"), other.sit("other"))
        playing = asyncio.ensure_future(other.play())
        await crashing.until("prompt")
        await asyncio.sleep(0.75)
        await crashing.say(CRASH)
        await crashing.until("session_ended")
        await asyncio.sleep(5.0)
        anew = Peer(arena)
        again = await anew.sit("anew")
        assert again.resumed and again.seat == started.seat and again.luck == started.luck
        prompt = await anew.until("prompt")
        assert prompt.number == 1
        assert prompt.budget_us == left_us, "what the one before had used is used"
        await anew.answer(prompt)
        await asyncio.gather(anew.play(), playing)
        return await over


@pytest.mark.parametrize(("paused", "left_us"), [(True, 29_250_000), (False, 24_250_000)])
def test_another_bot_goes_on_for_one_that_crashed(paused: bool, left_us: int) -> None:
    match = spec(time="30s", on_crash=Rule(Policy.VOID, 1), grace_paused=paused)

    result = virtual.run(among_walk_ins(match, left_us=left_us))

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert [(seat.name, seat.retries) for seat in result.seats] == [("anew", 1), ("other", 0)]


def test_when_nobody_comes_the_policy_is_followed() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(time="5m", wait_s=20.0, on_crash=Rule(Policy.VOID, 2)))
            crashing, other = Peer(arena), Peer(arena)
            await asyncio.gather(crashing.sit(), other.sit())
            await crashing.until("prompt")
            await crashing.say(CRASH)
            await other.play()
            return await over

    result = virtual.run(work())

    assert result.void and result.seats[0].end is End.CRASH and result.seats[0].retries == 2
    assert "nobody came" in result.seats[0].text
    assert result.duration_s == pytest.approx(40.0, abs=0.1)


def test_a_bot_that_dials_in_gains_no_time_by_crashing() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(time="2s", wait_s=60.0, on_crash=Rule(Policy.STAND_IN, 9)))
            crashing, other = Peer(arena), Peer(arena)
            await asyncio.gather(crashing.sit(), other.sit())
            playing = asyncio.ensure_future(other.play())
            await crashing.until("prompt")
            await crashing.say(CRASH)
            await playing
            return await over

    result = virtual.run(work())

    assert result.seats[0].end is End.CRASH and result.seats[0].stood_in
    assert result.duration_s == pytest.approx(2.0, abs=0.1)
    assert result.seats[0].spent.bot_us == pytest.approx(2_000_000, abs=100_000), "what was waited is told"


@pytest.mark.parametrize("before", [True, False], ids=["before", "meanwhile"])
def test_what_the_arena_held_up_is_not_taken_from_a_seat_that_is_awaited_again(before: bool) -> None:
    async def work() -> tuple[Result, int]:
        loop = cast(virtual.VirtualLoop, asyncio.get_running_loop())
        async with Arena() as arena:
            over = opened(arena, spec(time="4s", wait_s=60.0, on_crash=Rule(Policy.STAND_IN, 1)))
            crashing, other = Peer(arena), Peer(arena)
            await asyncio.gather(crashing.sit(), other.sit())
            playing = asyncio.ensure_future(other.play())
            prompt = await crashing.until("prompt")
            await asyncio.sleep(0.1)
            if before:
                loop.jump(3.0)
                await crashing.answer(prompt, 77)
                ruling = await crashing.until("ruling")
                assert ruling.budget_us == pytest.approx(3_900_000, abs=50_000)
            await crashing.say(CRASH)
            await crashing.until("session_ended")
            await asyncio.sleep(0.1)
            if not before:
                loop.jump(3.0)
            await asyncio.sleep(3.0)
            anew = Peer(arena)
            await anew.sit("anew")
            prompt = await anew.until("prompt")
            await anew.answer(prompt)
            await asyncio.gather(anew.play(), playing)
            return await over, prompt.budget_us

    result, left_us = virtual.run(work())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert left_us == pytest.approx(800_000, abs=100_000)
    assert result.seats[0].spent.arena_us == pytest.approx(3_000_000, abs=100_000)


def test_a_seat_that_is_awaited_again_has_its_margin_too() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(time="2s,margin=500ms", wait_s=60.0, on_crash=Rule(Policy.VOID, 1)))
            crashing, other = Peer(arena), Peer(arena)
            await asyncio.gather(crashing.sit(), other.sit())
            playing = asyncio.ensure_future(other.play())
            await crashing.until("prompt")
            await crashing.say(CRASH)
            await crashing.until("session_ended")
            await asyncio.sleep(2.25)
            anew = Peer(arena)
            await anew.sit("anew")
            await anew.answer(await anew.until("prompt"))
            await asyncio.gather(anew.play(), playing)
            return await over

    result = virtual.run(work())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_the_bot_that_was_away_may_come_back_while_another_is_awaited() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(time="5m", on_disconnect=Rule(Policy.VOID, 1)))
            first, second = Peer(arena), Peer(arena)
            await asyncio.gather(first.sit(features=["resume"]), second.sit())
            prompt = await first.until("prompt")
            first.link.cut()
            await asyncio.sleep(40.0)
            again = Peer(arena)
            versions = session_pb2.VersionRange(least=1, most=1)
            token = first.all("welcome")[0].resume_token
            ack = session_pb2.Ack(match=prompt.match, prompt=prompt.number)
            await again.say(FromBot(resume=session_pb2.Resume(protocol=versions, token=token, acks=[ack])))
            resent = await again.until("prompt")
            assert resent.number == prompt.number
            await again.answer(resent)
            await asyncio.gather(again.play(), second.play())
            return await over

    result = virtual.run(work())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert result.seats[0].retries == 1


def test_an_empty_seat_is_waited_for_again() -> None:
    async def work() -> tuple[Result, float]:
        async with Arena() as arena:
            began = asyncio.get_running_loop().time()
            over = opened(arena, spec(tally(2), wait_s=10.0, on_no_show=Rule(Policy.VOID, 2)))
            peer = Peer(arena)
            sitting = asyncio.ensure_future(peer.sit())
            await asyncio.sleep(25.0)
            late = Peer(arena)
            await asyncio.gather(sitting, late.sit())
            waited_s = asyncio.get_running_loop().time() - began
            await asyncio.gather(peer.play(), late.play())
            return await over, waited_s

    result, waited_s = virtual.run(work())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert waited_s == pytest.approx(25.0, abs=0.1)
    assert sorted(seat.retries for seat in result.seats) == [0, 2]


def test_a_program_that_dies_is_started_again(tmp_path: Path) -> None:
    marker = tmp_path / "died"
    program = tmp_path / "bot.py"
    program.write_text(
        f"""
import os, pathlib, rivalry_client

class Dies(rivalry_client.Bot):
    def choose(self, prompt):
        marker = pathlib.Path({str(marker)!r})
        if not marker.exists():
            marker.touch()
            os._exit(3)
        return 0

rivalry_client.run(Dies)
"""
    )
    command = Command((sys.executable, str(program)), "cmd:dies")
    match = MatchSpec(kuhn(), b"seed", policies=spec(on_crash=Rule(Policy.VOID, 1)).policies)

    async def work() -> Result:
        async with Arena(output=io.StringIO()) as arena:
            await arena.start("127.0.0.1:0")
            async with asyncio.timeout(30):
                return await arena.run_match(match, [command, InProcess(playout.first, "first")])

    result = asyncio.run(work())

    assert [(seat.end, seat.retries) for seat in result.seats] == [(End.NORMAL, 1), (End.NORMAL, 0)]


def test_a_listening_seat_without_retries_is_not_open_again() -> None:
    async def work() -> str | None:
        async with Arena() as arena:
            over = opened(arena, spec(), [Listen(), InProcess(playout.first, "first")])
            crashing = Peer(arena)
            await crashing.sit()
            await crashing.until("prompt")
            await crashing.say(CRASH)
            await over
            late = Peer(arena)
            await late.hello()
            await asyncio.sleep(1.0)
            late.link.close()
            await late.until("welcome")
            return (await late.hear() or FromBot()).WhichOneof("message")

    assert virtual.run(work()) != "seat_offer"


AGAIN = {"on_disconnect": Rule(Policy.STAND_IN, 1), "grace_us": 1_000_000}


def resume(peer: Peer) -> FromBot:
    """The Resume of a bot that was heard as ``peer``."""
    versions = session_pb2.VersionRange(least=1, most=1)
    return FromBot(resume=session_pb2.Resume(protocol=versions, token=peer.all("welcome")[-1].resume_token))


@pytest.mark.parametrize("how", ["back", "nobody", "over"])
def test_a_bot_that_was_offered_a_seat_which_is_not_open_any_more_is_offered_others(how: str) -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = arena.open_match(spec(time="10m", wait_s=20, **AGAIN), [Listen(), Listen()])
            away, other, third = Peer(arena), Peer(arena), Peer(arena)
            await asyncio.gather(away.sit("away", features=["resume"]), other.sit("other"))
            await away.until("prompt")
            away.link.cut()
            await asyncio.sleep(2.0)  # the grace is over, and another bot may take the seat
            await third.hello("third")
            offer = await third.until("seat_offer")
            if how == "back":
                again = Peer(arena)
                await again.say(resume(away))
                await asyncio.gather(again.play(), other.play())
            elif how == "nobody":
                await asyncio.sleep(30.0)
                await other.play()
            else:
                match.cancel("no more")
                await other.until("match_ended")
            await third.say(FromBot(seat_reply=session_pb2.SeatReply(offer=offer.offer, accepted=True)))
            other.link.cut()  # it had room for another match too
            later = replace(spec(wait_s=5), match_id="f" * 32)
            begun = opened(arena, later, [Listen(), InProcess(playout.first, "first")])
            await third.accept()
            await third.play()
            return await begun

    assert [seat.end for seat in virtual.run(work()).seats] == [End.NORMAL, End.NORMAL]


def test_a_seats_token_is_shown_again_though_another_bot_had_been_awaited_for_the_seat() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = arena.open_match(spec(time="10m", **AGAIN), [Listen(), Listen()])
            token = match.vacancies[0].token
            away, other = Peer(arena, token=token), Peer(arena)
            await asyncio.gather(away.sit("away", features=["resume"]), other.sit("other"))
            await away.until("prompt")
            away.link.cut()
            await asyncio.sleep(2.0)
            again = Peer(arena)
            await again.say(resume(away))
            await again.until("prompt")
            started_anew = Peer(arena, token=token)
            await started_anew.hello("away", features=["resume"])
            await asyncio.gather(started_anew.play(), other.play())
            return await match.finished

    assert [seat.end for seat in virtual.run(work()).seats] == [End.NORMAL, End.NORMAL]
