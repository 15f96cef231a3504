"""Bots whose arena is killed at any moment and started again: they resume, and the match ends as if nothing was."""

from __future__ import annotations

import asyncio
import os
import shutil
from itertools import count
from pathlib import Path
from typing import cast

import pytest

from rivalry_engine import catalog
from rivalry_engine.game import Game
from rivalry_server.arena import Arena
from rivalry_server.journal import reading
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.link import Link
from rivalry_server.outcome import End, Result
from rivalry_server.seating import Listen
from server import virtual
from server.journal.house import FILES, arena
from server.peer import kuhn, spec, tally
from server.returning import Knife, Returning


class Mortal:
    """An arena that is killed, and started on what the journal holds at that moment."""

    def __init__(self, folder: Path, *, lost: float = 0.0) -> None:
        """``lost`` is the part of the write-ahead log that does not outlast the kill, as in a power cut."""
        self.folder = folder
        self.lost = lost
        self.arenas: list[Arena] = []
        self.links: list[Link] = []
        self.rise()

    @property
    def now(self) -> Arena:
        """The one that lives."""
        return self.arenas[-1]

    def rise(self) -> None:
        """A new arena on what the one before has written."""
        here = self.folder / str(len(self.arenas))
        if self.arenas:
            here.mkdir()
            for name in FILES:
                if (self.folder / str(len(self.arenas) - 1) / name).exists():
                    shutil.copyfile(self.folder / str(len(self.arenas) - 1) / name, here / name)
            if self.lost:
                log = here / FILES[1]
                os.truncate(log, int(log.stat().st_size * (1 - self.lost)))
        self.arenas.append(arena(here))
        self.now.go_on()

    def kill(self) -> None:
        """Nothing of the arena happens any more, as far as anybody can tell."""
        self.now._journal._closed = True  # type: ignore[attr-defined]
        for attempt in self.now.attempts.values():
            attempt.suspend()
        links, self.links = self.links, []
        self.rise()
        for link in links:
            link.cut()  # type: ignore[attr-defined]

    async def hold(self, link: Link) -> None:
        """As the arena's own."""
        self.links.append(link._link)  # type: ignore[attr-defined]
        await self.now.hold(link)


async def played(folder: Path, game: Game, at: int, *, lost: float = 0.0) -> tuple[Result, Knife, list[Returning]]:
    """A match of bots with seat tokens in which the arena is killed at moment ``at`` (0: never)."""
    house = Mortal(folder, lost=lost)
    attempt = house.now.open_match(spec(game), [Listen() for _ in range(game.seats)])
    journal = house.now._journal
    assert isinstance(journal, FileJournal)
    journal._store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    match_id = attempt.spec.match_id
    knife = Knife(at)
    bots = [
        Returning(cast(Arena, house), knife=knife, token=attempt.vacancies[seat].token) for seat in range(game.seats)
    ]
    try:
        async with asyncio.timeout(600):
            await asyncio.gather(*(bot.play(cut=house.kill) for bot in bots))
        over = house.now.match(match_id)
        assert over is not None and over.result is not None
        return over.result, knife, bots
    finally:
        for one in house.arenas:
            await one.stop()


@pytest.mark.parametrize("game", [kuhn(), tally(3)], ids=["kuhn", "simultaneous"])
def test_an_arena_killed_at_any_moment_changes_nothing(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog, "game", lambda name, options: type(game)(options))
    whole, _, _ = virtual.run(played(tmp_path / "whole", game, 0))

    kills = 0
    for at in count(1):
        result, knife, bots = virtual.run(played(tmp_path / str(at), game, at))
        if knife.moments < at:
            break
        kills += 1
        assert result.game_digest == whole.game_digest, at
        assert [seat.end for seat in result.seats] == [End.NORMAL] * game.seats, (at, result.seats)
        for bot in bots:
            assert bot.ended is not None and bot.ended.outcome.game_digest == whole.game_digest, at
        assert [bot.chosen for bot in bots] == [seat.decisions for seat in whole.seats], f"kill {at}"
    assert kills > 20


@pytest.fixture(scope="module")
def whole_ethnos(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """A match of Ethnos whose arena is not killed."""
    game = catalog.game("ethnos", {"seats": 3})
    return virtual.run(played(tmp_path_factory.mktemp("ethnos"), game, 0))[0]


@pytest.fixture(scope="module")
def whole_tally(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The same of the game for the tests after a power cut."""
    game = tally(3, rounds=6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalog, "game", lambda name, options: type(game)(options))
        return virtual.run(played(tmp_path_factory.mktemp("tally"), game, 0))[0]


@pytest.mark.parametrize("at", range(40, 1_200, 160))
def test_a_kill_changes_nothing_in_a_game_with_hidden_hands(at: int, whole_ethnos: Result, tmp_path: Path) -> None:
    game = catalog.game("ethnos", {"seats": 3})

    result, knife, bots = virtual.run(played(tmp_path / "killed", game, at))

    assert knife.moments > at and all(bot.streams > 1 for bot in bots)
    assert result.game_digest == whole_ethnos.game_digest
    assert [seat.end for seat in result.seats] == [End.NORMAL] * 3


@pytest.mark.parametrize("lost", [0.1, 0.35, 0.6])
@pytest.mark.parametrize("at", [60, 75, 90, 105, 120])
def test_after_a_power_cut_matches_go_on_from_what_is_left_under_new_handles(
    at: int, lost: float, whole_tally: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tally(3, rounds=6)
    monkeypatch.setattr(catalog, "game", lambda name, options: type(game)(options))
    boots = count()
    monkeypatch.setattr(reading, "_boot", lambda: b"boot %d" % next(boots))

    result, knife, bots = virtual.run(played(tmp_path / "cut", game, at, lost=lost))

    assert knife.moments > at and all(bot.streams > 1 for bot in bots)
    assert result.game_digest == whole_tally.game_digest
    assert [seat.end for seat in result.seats] == [End.NORMAL] * 3
    for bot in bots:
        started = [message.match_started for message in bot.heard if message.WhichOneof("message") == "match_started"]
        assert [each.replaces for each in started if each.resumed] in ([started[0].match], [])
