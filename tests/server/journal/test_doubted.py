"""What a bot is told after a power cut took actions that it has seen, however often its stream or the arena fails."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Coroutine
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from rivalry.arena.v1 import session_pb2
from rivalry_engine import catalog
from rivalry_server.arena import Arena
from rivalry_server.handles import Handles
from rivalry_server.journal import reading
from rivalry_server.outcome import End
from rivalry_server.seating import Listen
from server import virtual
from server.journal.house import FILES, arena, built_in
from server.peer import FromBot, Peer, spec, tally

HAS_SEEN = 5
"""Prompts that the bot had when the power was cut; the journal has what was there two prompts before."""


@pytest.fixture(autouse=True)
def _tally(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test game is an installed one."""
    entries = {**catalog._entries(), "tally": EntryPoint("tally", "server.tally:Tally", catalog.GROUP)}
    monkeypatch.setattr(catalog, "_entries", lambda: entries)
    catalog.rules.cache_clear()


class Machine:
    """Arenas one after the other, each on what is left of the journal of the one before."""

    def __init__(self, folder: Path, boot: Callable[[bytes], None]) -> None:
        self.folder = folder
        self.arenas: list[Arena] = []
        self._boot = boot
        self.starts()

    def starts(self, left: Path | None = None) -> None:
        """A new arena on the files of a folder."""
        here = self.folder / str(len(self.arenas))
        if left is not None:
            shutil.copytree(left, here)
        self.arenas.append(arena(here))
        self.arenas[-1].go_on()

    def left(self) -> Path:
        """What the last arena has written up to now."""
        copy = self.folder / f"left {len(list(self.folder.iterdir()))}"
        copy.mkdir()
        for name in FILES:
            shutil.copyfile(self.folder / str(len(self.arenas) - 1) / name, copy / name)
        return copy

    def loses_power(self, left: Path) -> None:
        """The machine starts anew with what reached its disk."""
        self._boot(b"boot %d" % len(self.arenas))
        self.starts(left)

    def is_killed(self) -> None:
        """The arena is killed, and nothing is lost."""
        self.starts(self.left())


class Seen:
    """A bot that has seen more than the arena knows after the power cut."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.token = b""
        self.acks: list[session_pb2.Ack] = []

    async def plays_until_the_power_is_cut(self) -> None:
        match = spec(tally(2, rounds=8), time="10s", grace_us=2_000_000)
        self.machine.arenas[-1].open_match(match, [Listen(), built_in("uniform", "tally")])
        peer = Peer(self.machine.arenas[-1])
        await peer.sit(features=["resume"])
        for number in range(1, HAS_SEEN):
            prompt = await peer.until("prompt")
            if number == HAS_SEEN - 2:
                left = self.machine.left()
            await peer.answer(prompt)
        prompt = await peer.until("prompt")
        assert prompt.number == HAS_SEEN
        self.token = peer.all("welcome")[0].resume_token
        events = prompt.first_event + prompt.event_count - 1
        self.acks = [session_pb2.Ack(match=prompt.match, events=events, prompt=prompt.number)]
        self.machine.loses_power(left)

    async def resumes(self) -> Peer:
        """Comes back with what it knows, and does not show that it has the new token."""
        peer = Peer(self.machine.arenas[-1])
        versions = session_pb2.VersionRange(least=1, most=1)
        await peer.say(FromBot(resume=session_pb2.Resume(protocol=versions, token=self.token, acks=self.acks)))
        return peer

    async def hears_of_the_new_handle(self) -> tuple[Peer, session_pb2.Prompt]:
        """Is told the match under another handle with its events from the first, and nothing of an end."""
        peer = await self.resumes()
        started = await peer.until("match_started")
        prompt = await peer.until("prompt")
        await asyncio.sleep(0.1)
        (known,) = self.acks
        assert started.resumed and started.replaces == known.match != started.match == prompt.match
        assert (prompt.number, prompt.first_event) == (HAS_SEEN - 2, 1)
        assert not peer.all("match_ended")
        return peer, prompt


def with_machine(
    work: Callable[[Machine, Seen], Coroutine[Any, Any, None]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Does ``work`` after a power cut."""
    monkeypatch.setattr(reading, "_boot", lambda: b"boot 0")

    async def whole() -> None:
        machine = Machine(folder, lambda boot: monkeypatch.setattr(reading, "_boot", lambda: boot))
        bot = Seen(machine)
        await bot.plays_until_the_power_is_cut()
        await work(machine, bot)
        for one in machine.arenas:
            await one.stop()

    virtual.run(whole())


def test_the_new_handle_is_told_until_the_bot_is_known_to_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(machine: Machine, bot: Seen) -> None:
        for _ in range(3):
            peer, prompt = await bot.hears_of_the_new_handle()
            peer.link.cut()
        await peer.session
        bot.acks = [session_pb2.Ack(match=prompt.match, prompt=prompt.number)]
        again = await bot.resumes()
        assert (await again.until("match_started")).replaces == 0
        await again.answer(await again.until("prompt"))
        ended = await again.play()
        assert ended.match == prompt.match and not ended.outcome.void

    with_machine(work, tmp_path, monkeypatch)


def test_an_answer_under_the_new_handle_shows_that_the_bot_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(machine: Machine, bot: Seen) -> None:
        peer, prompt = await bot.hears_of_the_new_handle()
        await peer.answer(prompt)
        next_one = await peer.until("prompt")
        (session,) = machine.arenas[-1].lobby.sessions
        assert not session.handles.former
        assert next_one.first_event > 1

    with_machine(work, tmp_path, monkeypatch)


def test_the_new_handle_is_told_though_the_arena_is_killed_before_or_after_the_bot_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(machine: Machine, bot: Seen) -> None:
        machine.is_killed()
        peer, _ = await bot.hears_of_the_new_handle()
        peer.link.cut()
        machine.is_killed()
        peer, _ = await bot.hears_of_the_new_handle()
        machine.loses_power(machine.left())
        await bot.hears_of_the_new_handle()

    with_machine(work, tmp_path, monkeypatch)


def test_an_end_is_told_under_the_new_handle_to_a_bot_that_knows_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hears_the_end(bot: Seen) -> session_pb2.MatchEnded:
        peer = await bot.resumes()
        started = await peer.until("match_started")
        ended: session_pb2.MatchEnded = await peer.until("match_ended")
        await asyncio.sleep(0.1)
        assert started.replaces == bot.acks[0].match != started.match == ended.match
        assert ended.first_event == 1 and not ended.outcome.void
        assert len(peer.all("match_ended")) == 1
        peer.link.cut()
        return ended

    async def work(machine: Machine, bot: Seen) -> None:
        peer, _ = await bot.hears_of_the_new_handle()
        peer.link.cut()
        (attempt,) = machine.arenas[-1].attempts.values()
        result = await attempt.finished
        assert result.seats[0].end is End.DISCONNECT
        for _ in range(2):
            assert (await hears_the_end(bot)).outcome.game_digest == result.game_digest
        machine.is_killed()
        assert (await hears_the_end(bot)).outcome.game_digest == result.game_digest

    with_machine(work, tmp_path, monkeypatch)


def test_of_handles_that_were_replaced_the_one_counts_that_the_bot_tells_of() -> None:
    handles = Handles(7)
    first, second = handles.next(), handles.next()
    newer = handles.replaced(first)
    newest = handles.replaced(newer)

    assert len({first, second, newer, newest}) == 4
    assert [handles.now(each) for each in (first, second, newer, newest)] == [newest, second, newest, newest]
    assert [handles.replaces(each) for each in (newest, second)] == [newer, 0]
    handles.told({first: None, second: None})
    assert [handles.claimed(newest), handles.replaces(newest)] == [first, first]
    assert handles.known(newest) and not handles.known(newest)
    assert handles.replaces(newest) == 0
