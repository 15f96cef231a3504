"""``rivalry tournament run``: settles a schedule, then plays it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from rivalry_engine.counting import counted
from rivalry_server.commands import given, output
from rivalry_server.commands.failure import StoppedError
from rivalry_tournament import finish, flags, making, playing, seats, settling
from rivalry_tournament import schedule as schedules
from rivalry_tournament.schedule import Schedule
from rivalry_tournament.settings import Settings


@click.command(epilog=flags.EPILOG)
@flags.settings_options
@click.option(
    "--dir",
    "folder",
    metavar="DIR",
    help="Where all of it is kept; a new folder, named after FILE and seed if not given.",
)
@click.option("--address", default="127.0.0.1:0", show_default=True, metavar="TARGET", help="Where bots dial.")
@finish.report_option
@given.json_option
def command(folder: str | None, address: str, no_report: bool, as_json: bool, **arguments: Any) -> int:
    """Play a tournament; stopped or killed at any moment, `rivalry tournament resume DIR` goes on.

    The schedule is settled and written before the first match.  Exit status: 0 when it has ended, 1 when it could not
    go on or no block counts, 2 on bad input, 130 on Ctrl-C.
    """
    settings = flags.settings(arguments)
    path = _folder(folder, arguments["file"], settings)
    making.schedule(settings)  # whatever is wrong with it is told before anything is measured
    finish.forewarn(path, no_report=no_report)
    settings = _measured(settings)
    _settle(path, making.schedule(settings))
    output.tell(f"the tournament is kept in {path}; if it is stopped, {playing.how(path)}")
    return finish.finish(playing.go_on(path, concurrency=None, address=address), as_json=as_json, no_report=no_report)


def _folder(given_folder: str | None, file: str | None, settings: Settings) -> Path:
    """The folder, which must be new or empty; raises UsageError."""
    path = Path(given_folder) if given_folder is not None else Path(f"{_stem(file)}-{settings.seed.hex()[:8]}")
    if (path / schedules.FILE).exists():
        raise _taken(path)
    if path.exists() and (not path.is_dir() or not _is_empty(path)):
        raise click.UsageError(f"--dir {path}: it is there and not empty; expected a new folder")
    return path


def _is_empty(path: Path) -> bool:
    return all(settling.left_over(each, schedules.FILE) for each in path.iterdir())


def _taken(path: Path) -> click.UsageError:
    return click.UsageError(f"--dir {path}: a tournament is there already; {playing.how(path)}, or give another folder")


def _stem(file: str | None) -> str:
    return "tournament" if file is None else Path(file).stem


def _measured(settings: Settings) -> Settings:
    """The settings with a concurrency: if it is to be found, by null matches."""
    if settings.concurrency:
        return settings
    from rivalry_server.aside import set_aside
    from rivalry_server.commands.loop import run
    from rivalry_tournament.calibration import calibrated, cores

    if seats.all_inside(settings):
        return replace(settings, concurrency=cores())
    try:
        with set_aside():
            found = run(lambda: calibrated(settings, tell=output.tell))
    except KeyboardInterrupt as stopped:
        raise StoppedError(stopped, "before the first match; nothing was kept") from None
    output.tell(f"concurrency: {counted(found, 'match', 'matches')} at once")
    return replace(settings, concurrency=found)


def _settle(path: Path, schedule: Schedule) -> None:
    """Writes the schedule, whole or not at all, before anything is played.

    Raises UsageError if another process has settled one here meanwhile: a schedule is never replaced.
    """
    try:
        settling.settle(path / schedules.FILE, schedule.text())
    except FileExistsError:
        raise _taken(path) from None
