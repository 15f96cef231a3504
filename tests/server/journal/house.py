"""Arenas on a journal in virtual time, and what is left of one that was killed at some moment."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from rivalry_bots import catalog as bots
from rivalry_engine import playout
from rivalry_server.arena import Arena
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Occupant

FILES = ("journal.db", "journal.db-wal")


def built_in(name: str, game: str) -> InProcess:
    """A built-in bot; ``uniform`` plays games of the tests too."""
    if name == "uniform":
        return InProcess(playout.uniform, name, "1", name)
    local = bots.local(name, game)
    return InProcess(local, local.name, local.version, name)


def arena(folder: Path, *, registered: Mapping[str, Command] | None = None) -> Arena:
    """An arena on the journal of a folder, without a network."""
    return Arena(built_in=built_in, registered=registered, journal=FileJournal(folder, threads=False))


async def played(folder: Path, specs: list[MatchSpec], seats: list[Occupant]) -> list[Result]:
    """Opens matches in an arena of its own, and waits for their results."""
    house = arena(folder)
    try:
        attempts = [house.open_match(spec, seats) for spec in specs]
        return [await attempt.finished for attempt in attempts]
    finally:
        await house.stop()


async def gone_on(folder: Path) -> list[Result]:
    """What the matches of a journal come to in an arena that is started on it, oldest first."""
    house = arena(folder)
    try:
        house.go_on()
        return [await attempt.finished for attempt in list(house.attempts.values())]
    finally:
        await house.stop()


class Killed:
    """Copies of a journal as ``kill -9`` would have left it after each transaction."""

    def __init__(self, folder: Path, copies: Path) -> None:
        self.folder = folder
        self.copies = copies
        self.folders: list[Path] = []

    def watch(self, journal: FileJournal) -> None:
        """Copies what ``journal`` writes."""
        write: Callable[[], None] = journal._transaction

        def copied() -> None:
            write()
            copy = self.copies / str(len(self.folders))
            copy.mkdir()
            for name in FILES:
                shutil.copyfile(self.folder / name, copy / name)
            self.folders.append(copy)

        journal._transaction = copied  # type: ignore[method-assign]
