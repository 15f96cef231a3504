"""The end of a match as a session meets it: in whatever moment it comes, and what the bot does then."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import ClassVar

import pytest

from client.resuming import Second
from client.scripted import KuhnTable, ScriptedArena, played
from rivalry.arena.v1 import session_pb2
from rivalry_client import Bot, Match, Outcome
from rivalry_client.prompt import Prompt
from rivalry_engine.event import Event, Seen, seen


def test_the_end_of_a_match_stops_an_asynchronous_thought() -> None:
    told: list[str] = []

    class Endless(Bot):
        async def choose(self, prompt: Prompt) -> object:
            await asyncio.sleep(3600)
            return 0

        def ended(self, match: Match, outcome: Outcome) -> None:
            told.append("ended")

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        await asyncio.sleep(0.01)
        await arena.frame(table.ended())
        await arena.end()

    assert played(Endless, script).kind == "done"
    assert told == ["ended"]


def test_a_match_that_ends_in_the_frame_that_asks_an_asynchronous_bot_ends_it_all_the_same() -> None:
    told: list[str] = []

    class Asked(Bot):
        async def choose(self, prompt: Prompt) -> object:
            told.append("asked")
            return 0

        def ended(self, match: Match, outcome: Outcome) -> None:
            told.append("ended")

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt(), table.ended())
        await arena.end()

    assert played(Asked, script).kind == "done"
    assert told == ["ended"]


@pytest.mark.parametrize("turns", range(4))
def test_a_match_that_ends_while_a_bot_begins_is_ended_when_it_has_begun(turns: int) -> None:
    told: list[str] = []

    class Beginning(Second):
        async def start(self, match: Match) -> None:  # type: ignore[override]
            await asyncio.sleep(0.01)
            told.append("begun")

        async def happened(self, match: Match, events: Sequence[Seen]) -> None:  # type: ignore[override]
            await asyncio.sleep(0)
            told.append("happened")

        def choose(self, prompt: Prompt) -> object:
            told.append("asked")
            return 0

        def ended(self, match: Match, outcome: Outcome) -> None:
            told.append(f"ended, {len(match.last_events)} events more")

    class Live(Beginning):
        features: ClassVar[Sequence[str]] = ("live_events",)

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        live = session_pb2.Events(match=1, first_event=1, event_count=1)
        live.events.value = table.codec.event(seen(Event("dealt", {}, {0: {"card": 3}}), 0))
        await arena.welcome(features=["live_events"])
        begins = [table.started(), session_pb2.FromArena(events=live), table.prompt(event_count=1)]
        if turns:
            await arena.frame(*begins)
        for _ in range(turns):
            await asyncio.sleep(0)
        await arena.frame(*([] if turns else begins), table.ended())
        await arena.end()

    assert played(Live, script).kind == "done"
    assert told == ["begun", "happened", "ended, 0 events more"]


class Leisurely(Second):
    """What it does at the end of a match takes until ``go`` is set."""

    going: ClassVar[asyncio.Event]

    async def ended(self, match: Match, outcome: Outcome) -> None:
        await self.going.wait()


async def _offered_after(arena: ScriptedArena, *matches: int) -> None:
    """Plays matches to their end and offers a seat in the same frame as the last of them."""
    Leisurely.going = asyncio.Event()
    await arena.welcome()
    await arena.frame(*[KuhnTable(match).started() for match in matches])
    offer = session_pb2.FromArena(seat_offer=session_pb2.SeatOffer(offer=7, game="kuhn"))
    await arena.frame(*[KuhnTable(match).ended() for match in matches], offer)


def test_no_seat_is_taken_before_what_the_bot_does_at_the_end_of_a_match_is_done() -> None:
    async def script(arena: ScriptedArena) -> None:
        await _offered_after(arena, 1)
        await arena.say(ping=session_pb2.Ping(nonce=4))
        assert (await arena.hear("pong")).nonce == 4
        Leisurely.going.set()
        reply = await arena.hear("seat_reply")
        assert (reply.offer, reply.accepted) == (7, True)
        await arena.end()

    assert played(Leisurely, script).matches == 1


def test_a_bot_with_room_for_several_matches_takes_a_seat_all_the_same() -> None:
    async def script(arena: ScriptedArena) -> None:
        await _offered_after(arena, 1, 2)
        assert (await arena.hear("seat_reply")).offer == 7
        await arena.say(seat_offer=session_pb2.SeatOffer(offer=8, game="kuhn"))
        assert (await arena.hear("seat_reply")).offer == 8
        Leisurely.going.set()
        await arena.end()

    assert played(Leisurely, script, matches=3).matches == 2


def test_who_fails_at_the_end_of_a_match_takes_no_further_seat() -> None:
    class Fails(Leisurely):
        async def ended(self, match: Match, outcome: Outcome) -> None:
            await self.going.wait()
            raise ValueError("no room on disk")

    async def script(arena: ScriptedArena) -> None:
        await _offered_after(arena, 1)
        await arena.say(ping=session_pb2.Ping(nonce=4))
        await arena.hear("pong")
        Leisurely.going.set()
        assert (await arena.hear("leave")).text == "ValueError: no room on disk"
        await arena.end()

    assert played(Fails, script).kind == "crash"
