"""Whose fault an end is: every way to end is told apart, and no failure is played on as if the bot had chosen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from rivalry.arena.v1 import outcome_pb2, session_pb2
from rivalry_engine import playout
from rivalry_engine.prompt import Prompt
from rivalry_server.arena import Arena
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen, Occupant
from rivalry_server.settings import Settings
from server import virtual
from server.peer import MATCH_ID, FromBot, Peer, answer, opened, spec, tally

FIRST = InProcess(playout.first, "first")
Script = Callable[[Arena, Peer], Awaitable[None]]


def stalls(prompt: Prompt) -> object:
    """Holds up the whole arena for longer than it allows itself."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, virtual.VirtualLoop)
    loop.jump(20.0)
    return playout.first(prompt)


async def plays(arena: Arena, peer: Peer) -> None:
    await peer.play()


async def is_cut(arena: Arena, peer: Peer) -> None:
    await peer.until("prompt")
    peer.link.cut()


async def crashes(arena: Arena, peer: Peer) -> None:
    await peer.until("prompt")
    await peer.say(FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_CRASH, text="KeyError: 3")))


async def is_silent(arena: Arena, peer: Peer) -> None:
    await peer.until("match_ended")


async def cheats(arena: Arena, peer: Peer) -> None:
    prompt = await peer.until("prompt")
    await peer.say(*[answer(prompt, index=99)] * 3)
    await peer.until("match_ended")


async def gives_up(arena: Arena, peer: Peer) -> None:
    prompt = await peer.until("prompt")
    await peer.say(FromBot(resign=session_pb2.Resign(match=prompt.match, why="enough")))
    await peer.until("match_ended")


async def is_called_off(arena: Arena, peer: Peer) -> None:
    await peer.until("prompt")
    arena.attempts[MATCH_ID].cancel("the operator has had enough")
    await peer.until("match_ended")


ENDS: dict[End, tuple[Script | None, Occupant]] = {
    End.NORMAL: (plays, FIRST),
    End.DISCONNECT: (is_cut, FIRST),
    End.CRASH: (crashes, FIRST),
    End.TIMEOUT: (is_silent, FIRST),
    End.ILLEGAL: (cheats, FIRST),
    End.RESIGNED: (gives_up, FIRST),
    End.CANCELLED: (is_called_off, FIRST),
    End.NO_SHOW: (None, FIRST),
    End.ARENA_FAULT: (is_silent, InProcess(stalls, "stalls")),
}
"""For each end what the bot of seat 0 does, None for a bot that does not come; and who plays seat 1."""
PLAYED_ON = {End.DISCONNECT, End.CRASH, End.TIMEOUT, End.ILLEGAL, End.RESIGNED, End.NO_SHOW}


def ended(end: End) -> tuple[Result, Peer | None]:
    """A match in which seat 0 ends so, and the peer that had it."""
    script, other = ENDS[end]

    async def work() -> tuple[Result, Peer | None]:
        async with Arena(Settings(attempts=1)) as arena:
            match = opened(arena, spec(tally(2, rounds=3)), [Listen(), other])
            peer = None
            if script is not None:
                peer = Peer(arena)
                await peer.sit("peer")
                await script(arena, peer)
            return await match, peer

    return virtual.run(work())


def test_there_is_a_way_to_each_end_and_the_schema_has_the_same() -> None:
    assert ENDS.keys() == set(End)
    assert {f"END_{end.name}" for end in End} == set(outcome_pb2.End.keys()) - {"END_UNSPECIFIED"}
    assert len({str(end) for end in End}) == len(End)


@pytest.mark.parametrize("end", End)
def test_each_way_to_end_is_an_end_of_its_own(end: End) -> None:
    result, peer = ended(end)

    assert result.seats[0].end is end
    assert bool(result.seats[0].text) == (end is not End.NORMAL)
    assert result.seats[0].stood_in == (end in PLAYED_ON)
    assert result.void == (end in (End.ARENA_FAULT, End.CANCELLED))
    if not result.void:
        assert result.seats[1].end is End.NORMAL
    if peer is not None and end not in (End.DISCONNECT, End.CRASH):
        told = peer.all("match_ended")[0].outcome.seats[0].end
        assert outcome_pb2.End.Name(told) == f"END_{end.name}"


@pytest.mark.parametrize("end", sorted(PLAYED_ON - {End.NO_SHOW}))
def test_what_is_played_for_a_seat_that_failed_is_never_said_to_be_its_own_choice(end: End) -> None:
    result, _ = ended(end)
    lines: list[dict[str, Any]] = [json.loads(line) for line in result.record() if '"action"' in line]
    mine = [line for line in lines if line["seat"] == 0]

    assert len(mine) == 4
    assert all(line["by"] == "stand-in" for line in mine)
    assert result.seats[0].decisions == 0


@pytest.mark.parametrize("fails", ["raises", "answers nothing", "answers another kind of thing"])
def test_a_bot_in_this_process_that_fails_has_crashed_and_chosen_nothing(fails: str) -> None:
    def bot(prompt: Prompt) -> object:
        if fails == "raises":
            raise ConnectionError("the model behind this bot is down")
        return None if fails == "answers nothing" else object()

    async def work() -> Result:
        async with Arena() as arena:
            return await arena.run_match(spec(tally(2)), [InProcess(bot, "broken"), FIRST])

    result = virtual.run(work())
    mine = [json.loads(line) for line in result.record() if '"action"' in line and '"seat":0' in line]

    assert result.seats[0].end is End.CRASH
    assert result.seats[0].decisions == 0
    assert mine and all(line["by"] == "stand-in" for line in mine)


def test_a_fault_of_the_game_makes_no_move_for_anybody() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            return await arena.run_match(spec(tally(2, rounds=3, breaks=True)), [FIRST, FIRST])

    result = virtual.run(work())
    actions = [line for line in result.record() if '"action"' in line]

    assert result.void and {seat.end for seat in result.seats} == {End.ARENA_FAULT}
    assert len(actions) == 2, "the round before the fault, and nothing after it"
