"""Plays a tournament's folder on, for the commands ``run`` and ``resume``."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path

from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_server import logs, stop
from rivalry_server.aside import set_aside
from rivalry_server.commands import output
from rivalry_server.commands.failure import FailedError, StoppedError
from rivalry_server.commands.loop import run
from rivalry_tournament import people, seats
from rivalry_tournament.log import Log
from rivalry_tournament.made import Hall
from rivalry_tournament.progress import Progress
from rivalry_tournament.results import Tournament, settled
from rivalry_tournament.settings import Settings


def now() -> int:
    """The time that lines of a log tell."""
    return int(time.time())


def go_on(folder: Path, *, concurrency: int | None, address: str) -> Tournament:
    """Plays what is missing, and returns the whole.

    ``concurrency`` goes before what the schedule says.  Raises StoppedError, which says how to go on, FailedError where
    something could not be written, and RivalryError.
    """
    schedule, digest = settled(folder)
    settings = schedule.settings
    at_once = concurrency or settings.concurrency or 1
    if why := people.objection(settings.entrants, at_once):
        raise RivalryError(f"--concurrency {at_once}: {why}")
    logs.configure("error")
    with set_aside(), Log(folder, digest, at=now()) as log:
        if mended := log.mended():
            output.tell(mended)
        tournament = Tournament(folder, schedule, log.lines)
        progress = Progress(tournament, sys.stderr, now=time.monotonic, read=bool(people.among(settings.entrants)))
        _play(tournament, log, progress, concurrency=at_once, address=address)
    return tournament


def _play(tournament: Tournament, log: Log, progress: Progress, *, concurrency: int, address: str) -> None:
    with stop.held():  # an import that is broken off leaves tracebacks of others
        from rivalry_tournament.runner import Runner

    async def main() -> None:
        hall = _hall(tournament.schedule.settings, concurrency=concurrency, address=address, progress=progress)
        await Runner(tournament, log, hall, concurrency=concurrency, progress=progress, now=now).run()

    try:
        run(main)
    except KeyboardInterrupt as stopped:
        raise StoppedError(stopped, f"after {_done(tournament)}; {how(tournament.folder)}") from None
    except OSError as error:
        raise FailedError(
            f"{error.filename or log.path}: {error.strerror}, after {_done(tournament)}; {how(tournament.folder)}"
        ) from error
    except RivalryError as error:
        raise FailedError(f"{error}; mend it, and {how(tournament.folder)}") from error


def _hall(settings: Settings, *, concurrency: int, address: str, progress: Progress) -> Hall:
    if seats.all_inside(settings):
        from rivalry_tournament.worker_hall import WorkerHall

        return WorkerHall(settings, concurrency=concurrency)
    from rivalry_tournament.arena_hall import ArenaHall

    return ArenaHall(settings, concurrency=concurrency, address=address, tell=progress.say)


def how(folder: Path) -> str:
    """How to go on, in words."""
    return f"go on with: rivalry tournament resume {shlex.quote(str(folder))}"


def _done(tournament: Tournament) -> str:
    return f"{len(tournament.results)} of {counted(tournament.matches, 'match', 'matches')}"
