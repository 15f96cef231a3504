"""Many matches leave nothing behind, calls that were abandoned are collected, and nobody loses to the machine."""

from __future__ import annotations

import asyncio
import gc
import json
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
import uvloop

from load import crowd
from load.census import descriptors, is_zombie
from load.crowd import PLAY, guests, many_matches, slow_reader, unread
from load.cutting import ClientEnd, Silent
from load.null_match import played
from rivalry_client.bot import Bot
from rivalry_client.prompt import Prompt
from rivalry_client.session import Session
from rivalry_client.streams import Dialled
from rivalry_client.thinking import OnLoop
from rivalry_engine import playout
from rivalry_engine.chance import Stream
from rivalry_server.arena import Arena
from rivalry_server.connection import Connection
from rivalry_server.link import StreamLink, pair
from rivalry_server.outcome import End
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.session import Session as ArenaSession
from rivalry_server.settings import Settings
from server import virtual
from server.peer import kuhn, spec

TESTS = Path(__file__).resolve().parents[1]
THOUGHT_S = 600.0


def test_a_hundred_matches_leave_nothing_behind() -> None:
    counted = uvloop.run(many_matches(100, programs=4))

    more = {what: count for what, count in counted["after"].items() if count > counted["before"][what]}
    assert not more


def test_what_is_left_behind_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []
    play = crowd._played

    async def keeping(*given: Any, **facts: Any) -> None:
        await play(*given, **facts)
        if facts["label"] == "many":
            kept.append(await asyncio.create_subprocess_exec("true"))
            kept.append(asyncio.ensure_future(asyncio.sleep(60)))

    async def whole() -> dict[str, dict[str, int]]:
        found = await many_matches(2, programs=0, patience_s=2)
        kept[1].cancel()
        return found

    monkeypatch.setattr(crowd, "_played", keeping)
    counted = uvloop.run(whole())

    assert counted["after"]["tasks"] > counted["before"]["tasks"]


COUNTED = """
import asyncio, json, pathlib, sys
from load.census import taken

async def counted():
    return taken({"files": pathlib.Path(sys.argv[1])})

before = asyncio.run(counted())
with open(sys.argv[1] + "/one", "w"):
    print(json.dumps([before, asyncio.run(counted())]))
"""


def test_the_census_counts_what_a_process_holds(tmp_path: Path) -> None:
    """In a process of its own, in which nothing of other tests comes to its end meanwhile."""
    told = subprocess.run(
        [sys.executable, "-c", COUNTED, tmp_path], cwd=TESTS, capture_output=True, text=True, check=True
    )

    before, after = json.loads(told.stdout)
    assert after == {**before, "files": 1, "descriptors": before["descriptors"] + 1}
    assert descriptors() > 0 and not is_zombie(1)


async def abandoned(streams: int, how: str) -> list[weakref.ref[Any]]:
    """Opens streams to an arena and abandons them; weak references to all that the arena had made for them."""
    made: list[weakref.ref[Any]] = []
    kinds = (StreamLink, Connection, ArenaSession)
    before = {kind: kind.__init__ for kind in kinds}

    def noting(kind: type) -> Any:
        def init(self: Any, *given: Any, **facts: Any) -> None:
            before[kind](self, *given, **facts)  # type: ignore[misc]
            made.append(weakref.ref(self))

        return init

    with pytest.MonkeyPatch.context() as patch:
        for kind in kinds:
            patch.setattr(kind, "__init__", noting(kind))
        async with Arena(Settings(hello_s=0.5)) as arena:
            address = await arena.start("127.0.0.1:0")
            if how == "after the welcome":
                async with guests(address, streams):
                    pass
            else:
                async with grpc.aio.insecure_channel(address) as channel:
                    calls = [channel.stream_stream(PLAY)() for _ in range(streams)]
                    async with asyncio.timeout(60):
                        while len(made) < 2 * streams:  # noqa: ASYNC110 - gRPC sets no event
                            await asyncio.sleep(0.02)
                    for call in calls:
                        call.cancel()
            for _ in range(1_200):
                gc.collect()
                if not arena.lobby.sessions and not any(ref() is not None for ref in made):
                    break
                await asyncio.sleep(0.05)
    return made


@pytest.mark.parametrize("how", ["before a word", "after the welcome"])
def test_calls_that_were_abandoned_are_collected_with_their_sessions(how: str) -> None:
    made = uvloop.run(abandoned(20, how))

    assert len(made) == (40 if how == "before a word" else 60)
    assert [type(ref()).__name__ for ref in made if ref() is not None] == []


def test_a_bot_that_does_not_read_is_ended_and_takes_no_memory() -> None:
    result, before_kb, after_kb = uvloop.run(slow_reader(padding=200_000, rounds=200, write_s=1.0))

    assert unread(result) == {"end": "disconnect", "text": "the session was ended: a write did not return in 1 s"}
    assert result.seats[1].end is End.NORMAL
    assert after_kb - before_kb < 32 * 1_024


def test_nobody_loses_on_time_to_the_machine_in_a_null_match() -> None:
    found = uvloop.run(played("first", processes=1, matches=16, time="2s", held_up_s=2.5))

    assert (found.lost_on_time, found.other_ends) == (0, 0)
    assert found.decisions > 16 * 100
    assert found.arena_us > 2 * 2_000_000


def test_bots_that_take_too_long_do_lose_on_time() -> None:
    found = uvloop.run(played("bad-late", processes=1, matches=2, time="50ms,first=50ms"))

    assert found.lost_on_time == 8


def test_a_silent_thought_of_ten_minutes_costs_no_stream() -> None:
    streams = 0

    class Thinking(Bot):
        async def choose(self, prompt: Prompt) -> object:
            await asyncio.sleep(THOUGHT_S if prompt.number == 1 else 0)
            return 0

    async def whole() -> tuple[Any, float]:
        nonlocal streams
        async with Arena() as arena:
            over = asyncio.ensure_future(
                arena.run_match(spec(kuhn(), time="15m"), [Listen(), InProcess(playout.first, "first")])
            )

            def dial() -> ClientEnd:
                nonlocal streams
                streams += 1
                theirs, ours = pair()
                holding.append(asyncio.ensure_future(arena.hold(theirs)))
                return ClientEnd(ours, ours)

            holding: list[asyncio.Future[None]] = []
            session = Session(
                dial(),
                Thinking,
                thinking=OnLoop(),
                report=Silent(talkative=False),
                streams=Dialled(dial, Stream(b"silence", "back-off")),
            )
            playing = asyncio.ensure_future(session.play())
            result = await over
            playing.cancel()
            await asyncio.wait((playing, *holding))
            return result, result.duration_s

    result, took_s = virtual.run(whole())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert took_s >= THOUGHT_S
    assert streams == 1
