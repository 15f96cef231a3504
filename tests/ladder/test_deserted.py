"""Bots that hang up when they are matched: nobody waits for them, they are blamed, and left alone for a while."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ladder.crew import QUEUE, Hand
from ladder.house import House, house
from rivalry_client.grpc_link import DialledLink
from rivalry_ladder import deserted, presence
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.deserted import Deserted
from rivalry_ladder.settings import Settings
from rivalry_server.arena import Arena
from rivalry_server.attempt import Attempt
from rivalry_server.outcome import End
from rivalry_server.seating import Listen, Reserved
from rivalry_server.settings import Settings as ArenaSettings
from server import virtual
from server.peer import FromBot, Peer, session_pb2, spec
from server.test_reserved import tokens_in

T = TypeVar("T")
PROTOCOL = session_pb2.VersionRange(least=1, most=1)
FAIR = Hand("fair", 50)
WAIT_S = 150.0
"""What a bot may take to come to its seat: longer than any test here may take."""


def made(*, time: str = QUEUE["time"], **figures: Any) -> Settings:
    """Settings of a quick ladder whose queue waits long."""
    quick = {"round_s": 0.02, "gap": 9, "faults": 2, "window": 10} | figures
    return ladder_settings.settings({"ladder": quick, "queues": {"kuhn": QUEUE | {"time": time, "wait_s": WAIT_S}}})


def run(work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` returns, long before anybody would have waited in vain."""
    return asyncio.run(asyncio.wait_for(work, WAIT_S / 3))


class Wall:
    """The time of day, or as much later as the test says."""

    later_s = 0.0

    def __call__(self) -> float:
        return time.time() + self.later_s


class Caller(Peer):
    """A scripted bot over a gRPC stream of its own."""

    def __init__(self, of: House, token: str) -> None:
        self.link = DialledLink(of.channel, token)  # type: ignore[assignment]
        self.heard, self.frames, self._pending = [], [], deque()


async def guest(of: House) -> str:
    """Registers a bot that plays its probe match and leaves; returns its token."""
    token = str((await of.ask("RegisterBot", name="guest", version="1", owner="them")).token)
    probed = await called(of, token)
    await probed.accept()
    await probed.play()
    probed.link.hang_up()
    await of.until(lambda: _is_why(of, "guest", ["not-connected"]))
    return token


async def called(of: House, token: str, **hello: Any) -> Caller:
    """A new session of that bot."""
    peer = Caller(of, token)
    await peer.hello("guest", version="1", **hello)
    await peer.until("welcome")
    return peer


async def hung_up_on(of: House, token: str) -> None:
    """The bot dials in, waits until it is matched, and hangs up."""
    peer = await called(of, token)
    await peer.until("seat_offer")
    peer.link.hang_up()


async def _is_why(of: House, name: str, codes: list[str]) -> bool:
    return await of.why(name) == codes


async def ended(of: House, count: int) -> list[Any]:
    """The matches that were no probes, when so many have ended."""

    async def found() -> list[Any]:
        told = (await of.ask("ListLadderMatches")).matches
        return [match for match in told if not match.probe and match.state == "ended"]

    async def enough() -> bool:
        return len(await found()) >= count

    await of.until(enough)
    return await found()


def test_nobody_waits_for_a_bot_that_hangs_up_when_it_is_matched_and_it_is_soon_in_quarantine(tmp_path: Path) -> None:
    async def work() -> tuple[list[Any], str, list[str]]:
        async with house(tmp_path, made(faults=2)) as here:
            token = await guest(here)
            await here.hired(FAIR)
            for count in (1, 2):
                await hung_up_on(here, token)
                await ended(here, count)
            await here.until(lambda: _is_why(here, "fair", ["nobody"]))
            told = await ended(here, 2)
            kept = (await here.ask("GetBot", name="guest")).bot.quarantined
            await here.crew.go_home()
            return told, kept, [fault.kind for fault in (await here.ask("GetBot", name="fair")).faults]

    told, quarantined, faults_of_fair = run(work())

    assert [match.counted for match in told] == [False, False]
    ends = [{seat.label: seat.end for seat in match.seats} for match in told]
    assert ends == [{"guest@1": "no_show", "fair@1": "normal"}] * 2
    assert "no_show ×2" in quarantined and "hung up" in quarantined
    assert faults_of_fair == []


def test_the_opponent_keeps_its_waiting_time_and_who_hung_up_is_left_alone_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "VOID_LEAST_S", 50.0)
    wall = Wall()

    async def work() -> tuple[float, list[list[str]], int]:
        async with house(tmp_path, made(rest_s=0.2), wall=wall) as here:
            token = await guest(here)
            await here.hired(FAIR)
            await here.until(lambda: here.ladder.waiting.waited_s(2) > 0.3)
            await hung_up_on(here, token)
            await ended(here, 1)
            await here.until(lambda: _is_why(here, "fair", ["nobody"]))
            waited = here.ladder.waiting.waited_s(2)
            peer = await called(here, token)
            codes = []
            for wall.later_s in (0.0, 25.0):
                await here.more_rounds(2)
                codes.append(await here.why("guest"))
            assert not len(here.ladder.course)
            wall.later_s = 51.0
            await peer.until("seat_offer")
            await here.crew.go_home()
            return waited, codes, len(await ended(here, 1))

    waited_s, codes, matches = run(work())

    assert waited_s > 0.3
    assert codes == [["void"], ["void"]]
    assert matches == 1


def test_a_seat_that_is_declined_ends_the_wait(tmp_path: Path) -> None:
    async def work() -> Any:
        async with house(tmp_path, made()) as here:
            token = await guest(here)
            await here.hired(FAIR)
            peer = await called(here, token)
            offer = await peer.until("seat_offer")
            await peer.say(FromBot(seat_reply=session_pb2.SeatReply(offer=offer.offer, why="not today")))
            (match,) = await ended(here, 1)
            await here.crew.go_home()
            return match

    match = run(work())

    assert "not today" in " ".join(seat.text for seat in match.seats)


@pytest.mark.parametrize("back", [True, False])
def test_a_bot_whose_session_goes_on_is_awaited_for_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, back: bool
) -> None:
    """It plays another match, so that its session outlives its stream."""
    monkeypatch.setattr(deserted, "BACK_S", WAIT_S if back else 0.6)

    async def work() -> tuple[float, str]:
        async with house(tmp_path, made(time="60s")) as here:
            token = await guest(here)
            peer = await called(here, token, matches=2, prompts=2, features=["resume"])
            await here.hired(FAIR)
            await peer.accept()
            await peer.until("match_started")
            await here.hired(Hand("weak", 2))
            await peer.until("seat_offer")
            peer.link.hang_up()
            left = asyncio.get_running_loop().time()
            if back:
                await resumed(here, token, peer)
            (match,) = [one for one in await ended(here, 1) if "weak@1" in [seat.label for seat in one.seats]]
            took_s = asyncio.get_running_loop().time() - left
            await here.crew.go_home()
            return took_s, next(seat.end for seat in match.seats if seat.label == "guest@1")

    took_s, end = run(work())

    assert end == ("normal" if back else "no_show")
    assert back or took_s > 0.5


def test_a_session_that_is_full_keeps_nobody_waiting_for_a_seat_that_another_hung_up_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deserted, "BACK_S", 0.3)

    async def work() -> Any:
        async with house(tmp_path, made(time="60s")) as here:
            token = await guest(here)
            playing = await called(here, token)
            await here.hired(FAIR)
            await playing.accept()
            await playing.until("match_started")
            other = asyncio.ensure_future(hung_up_on(here, token))
            await here.hired(Hand("weak", 2))
            await other
            (match,) = await ended(here, 1)
            await here.crew.go_home()
            return match

    match = run(work())

    assert {seat.label: seat.end for seat in match.seats} == {"guest@1": "no_show", "weak@1": "normal"}


def test_sessions_that_hang_up_in_turn_keep_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deserted, "BACK_S", 0.3)

    async def again_and_again(here: House, token: str) -> None:
        while True:
            peer = await called(here, token)
            await peer.until("seat_offer")
            await asyncio.sleep(0.1)
            peer.link.hang_up()

    async def work() -> Any:
        async with house(tmp_path, made()) as here:
            token = await guest(here)
            turns = [asyncio.ensure_future(again_and_again(here, token)) for _ in range(3)]
            await here.hired(FAIR)
            match = (await ended(here, 1))[0]
            for turn in turns:
                turn.cancel()
            await here.crew.go_home()
            return match

    match = run(work())

    assert {seat.label: seat.end for seat in match.seats} == {"guest@1": "no_show", "fair@1": "normal"}


@pytest.mark.parametrize(("others", "costs_s"), [(0, 0.0), (1, 2.0)])
def test_a_bot_that_hangs_up_costs_its_opponents_two_seconds_where_it_has_another_session_and_nothing_else(
    tmp_path: Path, others: int, costs_s: float
) -> None:
    """In virtual time, with all figures as they are."""
    file, (token, fair), (text, fairs) = tokens_in(tmp_path, "guest", "fair")

    async def work() -> tuple[float, list[str]]:
        async with Arena(ArenaSettings(), tokens=file) as arena:
            waiting: list[tuple[Attempt, bool]] = []
            Deserted(arena.lobby, lambda: waiting)
            leaves, stays = Peer(arena, token=text), Peer(arena, token=fairs)
            seats = [Listen(reserved=Reserved(each.token_id, "")) for each in (token, fair)]
            for _ in range(others):
                arena.open_match(spec(time="60s"), seats)
                await asyncio.gather(*(Peer(arena, token=shown).sit() for shown in (text, fairs)))
            for peer in (leaves, stays):
                await peer.hello()
                await peer.until("welcome")
            attempt = arena.open_match(replace(spec(wait_s=WAIT_S), match_id="0" * 31 + "2"), seats)
            waiting.append((attempt, False))
            await stays.accept()
            await leaves.until("seat_offer")
            leaves.link.hang_up()
            left = asyncio.get_running_loop().time()
            await stays.play()
            result = await asyncio.shield(attempt.finished)
            return asyncio.get_running_loop().time() - left, [str(seat.end) for seat in result.seats]

    took_s, ends = virtual.run(work())

    assert costs_s <= took_s < costs_s + 0.5
    assert ends == ["no_show", "normal"]


def test_a_bot_that_came_back_while_the_arena_was_held_up_has_its_seat(tmp_path: Path) -> None:
    """In virtual time."""
    file, (token, fair), (text, fairs) = tokens_in(tmp_path, "guest", "fair")

    async def work() -> list[End | None]:
        async with Arena(ArenaSettings(), tokens=file) as arena:
            waiting: list[tuple[Attempt, bool]] = []
            Deserted(arena.lobby, lambda: waiting)
            away, stays = Peer(arena, token=text), Peer(arena, token=fairs)
            seats = [Listen(reserved=Reserved(each.token_id, "")) for each in (token, fair)]
            arena.open_match(spec(time="60s"), seats)
            await asyncio.gather(*(peer.sit(features=["resume"], matches=2, prompts=2) for peer in (away, stays)))
            attempt = arena.open_match(replace(spec(time="60s", wait_s=WAIT_S), match_id="0" * 31 + "2"), seats)
            waiting.append((attempt, False))
            await stays.accept()
            await away.until("seat_offer")
            away.link.cut()
            await asyncio.sleep(0.5)
            loop = asyncio.get_running_loop()
            assert isinstance(loop, virtual.VirtualLoop)
            loop.jump(3.0)
            again = Peer(arena, token=text)
            key = away.all("welcome")[-1].resume_token
            await again.say(FromBot(resume=session_pb2.Resume(token=key, protocol=PROTOCOL)))
            await again.accept()
            await asyncio.sleep(1.0)
            assert attempt.match is not None
            return [player.end for player in attempt.match.players]

    assert virtual.run(work()) == [None, None]


async def resumed(of: House, token: str, before: Caller) -> None:
    """The bot goes on with its session on a new stream, takes the seat and plays that match."""
    peer, key = Caller(of, token), before.all("welcome")[-1].resume_token
    await peer.say(FromBot(resume=session_pb2.Resume(token=key, protocol=PROTOCOL)))
    await peer.accept()
    started = await peer.until("match_started")
    while (message := await peer.hear()) is not None:
        kind = message.WhichOneof("message")
        if kind == "prompt" and message.prompt.match == started.match:
            await peer.answer(message.prompt)
        elif kind == "match_ended" and message.match_ended.match == started.match:
            return
