"""``rivalry records``: what was played, for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from rivalry_engine.extra import install
from rivalry_report.export.schema import TABLES
from rivalry_report.export.writing import WRITERS, write
from rivalry_server import stop
from rivalry_server.commands import given, output
from rivalry_server.commands.failure import FailedError, StoppedError
from rivalry_tournament.exported import Course, rows, sources


@click.group()
def command() -> None:
    """Hand results and records on to other programs."""


@command.command(
    epilog="PATH is a record as `rivalry match --record` writes it, a folder of such, or the folder of a tournament or "
    "a comparison. The columns: server/README.md, Exports."
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--to", required=True, metavar="FILE", help="Where: FILE.parquet or FILE.jsonl.")
@click.option(
    "--what",
    type=click.Choice(list(TABLES)),
    default="results",
    show_default=True,
    help="A row a match, a row a seat of it, or a row an action.",
)
@click.option("--force", is_flag=True, help="Replace FILE.")
@given.json_option
def export(paths: tuple[str, ...], to: str, what: str, force: bool, as_json: bool) -> int:
    """Write results or records as Parquet or JSON lines.

    The chain of each record is checked; one that does not hold is told of on stderr and left out.  Exit status: 0 all
    written, 1 without the bad ones, 2 bad input.
    """
    target = _target(to, force=force)
    found = sources(paths)
    course = Course()
    try:
        with stop.orderly():
            count = write(target, what, TABLES[what], rows(what, found, course, tell=output.tell))
    except stop.Stopped as stopped:
        raise StoppedError(stopped, f"and wrote nothing; {to} is as it was") from None
    except ImportError as error:
        raise click.UsageError(
            f"{error.name} is not installed, which Parquet is written with: {install('report')}"
        ) from error
    if as_json:
        output.emit({"file": to, "what": what, "rows": count, "records": course.good, "bad": course.bad})
    else:
        output.say(f"{to}: {count:,} rows from {course.good:,} records")
    if course.bad:
        raise FailedError(f"{course.bad} of {course.bad + course.good} records are bad and were left out")
    return 0


def _target(to: str, *, force: bool) -> Path:
    """The file to write; raises UsageError where it cannot be."""
    target = Path(to)
    if target.suffix not in WRITERS:
        raise click.UsageError(f"--to {to}: expected a file that ends in {' or '.join(WRITERS)}")
    if target.is_dir() or not target.parent.is_dir():
        raise click.UsageError(f"--to {to}: expected a file in a folder that is there")
    if target.exists() and not force:
        raise click.UsageError(f"--to {to}: it is there already; --force replaces it")
    return target
