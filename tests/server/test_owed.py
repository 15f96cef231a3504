"""Matches that the arena spoils: they are owed, and run again with the same seed."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import cast

import pytest

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_engine import playout
from rivalry_engine.prompt import Prompt
from rivalry_server.arena import Arena
from rivalry_server.identity import next_match_id
from rivalry_server.link import LinkLostError
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.settings import Settings
from server import virtual
from server.peer import MATCH_ID, Peer, spec, tally

TOKEN = "the token of seat 0"


class Stalling:
    """Holds up the whole arena on its first prompt of so many matches."""

    def __init__(self, matches: int) -> None:
        self.matches = matches
        self.prompts: list[bytes] = []

    def __call__(self, prompt: Prompt) -> object:
        self.prompts.append(prompt.luck)
        if self.matches and prompt.number == 1:
            self.matches -= 1
            cast(virtual.VirtualLoop, asyncio.get_running_loop()).jump(20.0)
        return playout.first(prompt)


async def watched(arena: Arena, peer: Peer, bot: Stalling) -> tuple[Result, list[bool]]:
    """A match of ``peer``, who shows a seat's token, and the bot that stalls; and when its first run's seed is told."""
    seats = [Listen(token=TOKEN), InProcess(bot, "stalling")]
    over = asyncio.ensure_future(arena.run_match(spec(tally(2)), seats))
    await peer.hello("peer")
    told: list[bool] = []
    while (message := await peer.hear()) is not None:
        kind = message.WhichOneof("message")
        if kind == "prompt" and message.prompt.number == 1:
            told.append(arena.told_all(arena.attempts[MATCH_ID]))
            await asyncio.sleep(0.05)
            with suppress(LinkLostError):  # the arena has given the match up meanwhile
                await peer.answer(message.prompt)
        elif kind == "prompt":
            await peer.answer(message.prompt)
        elif kind == "seat_offer":
            reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
            await peer.say(session_pb2.FromBot(seat_reply=reply))
    result = await over
    return result, [*told, arena.told_all(arena.attempts[MATCH_ID])]


def test_a_match_that_the_arena_holds_up_is_run_again_with_the_same_seed_and_bots() -> None:
    async def work() -> tuple[Result, list[bool], Peer, Stalling]:
        bot = Stalling(1)
        async with Arena() as arena:
            peer = Peer(arena, token=TOKEN)
            result, told = await watched(arena, peer, bot)
            assert arena.attempts[MATCH_ID].again_as == result.match_id
            return result, told, peer, bot

    result, told, peer, bot = virtual.run(work())
    spoiled, ended = peer.all("match_ended")

    assert not result.void and {seat.end for seat in result.seats} == {End.NORMAL}
    assert (result.match_id, result.attempt, result.earlier) == (next_match_id(MATCH_ID), 2, (MATCH_ID,))
    assert spoiled.outcome.void and "the arena held up" in spoiled.outcome.text
    assert ended.outcome.game_digest == result.game_digest
    assert [started.attempt for started in peer.all("match_started")] == [1, 2]
    assert len(set(bot.prompts)) == 1, "the second run is of the same seed"
    assert peer.all("session_ended")[-1].reason == errors_pb2.SESSION_END_REASON_DONE
    assert json.loads(result.record()[0])["earlier"] == [MATCH_ID]
    assert told == [False, False, True], "the seed is a secret until no run goes on"


@pytest.mark.parametrize("attempts", [1, 2, 3])
def test_a_match_is_run_so_often_and_then_it_is_a_fault_of_the_arena(attempts: int) -> None:
    async def work() -> tuple[Result, Peer]:
        async with Arena(Settings(attempts=attempts)) as arena:
            peer = Peer(arena, token=TOKEN)
            result, _ = await watched(arena, peer, Stalling(9))
            return result, peer

    result, peer = virtual.run(work())

    assert result.void and {seat.end for seat in result.seats} == {End.ARENA_FAULT}
    assert result.attempt == len(peer.all("match_started")) == attempts
    assert peer.kinds()[-1] == "session_ended"


def test_what_the_game_spoils_is_not_owed() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            bots = [InProcess(playout.first, "first")] * 2
            return await arena.run_match(spec(tally(2, breaks=True)), bots)

    result = virtual.run(work())

    assert result.void and result.attempt == 1 and not result.owed
