"""The records below paths, with the places that those of tournaments have there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click

from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_engine.extra import install
from rivalry_report.export.reading import read
from rivalry_report.export.rows import MAKERS, Place, Row
from rivalry_server import files
from rivalry_tournament import compare_kept, results, schedule

EXPECTED: Final = "a record, a folder of records, or the folder of a tournament or a comparison"


@dataclass(frozen=True, slots=True)
class Source:
    """A file with a record, and where its match stands in a tournament if it is of one."""

    path: Path
    place: Place | None = None


@dataclass(slots=True)
class Course:
    """How an export goes: how many records were read, and how many were bad and left out."""

    good: int = 0
    bad: int = 0


def sources(paths: Sequence[str]) -> list[Source]:
    """The records of all paths, each file once, in order; raises UsageError, or what ``results.read`` raises."""
    found: dict[Path, Source] = {}
    for text in paths:
        for source in _below(Path(text)):
            found.setdefault(source.path.resolve(), source)
    return list(found.values())


def rows(what: str, found: Iterable[Source], course: Course, *, tell: Callable[[str], None]) -> Iterator[Row]:
    """The rows of the table ``what``; each bad record is told and left out, and counted in ``course``."""
    make = MAKERS[what]
    for source in found:
        try:
            record = read(files.content(source.path, most=files.RECORD_MOST))
            if source.place is not None and len(source.place.bots) != len(record.head["seats"]):
                raise RivalryError(
                    f"it has {counted(len(record.head['seats']), 'seat')}; the log has {len(source.place.bots)}"
                )
        except (RivalryError, OSError) as error:
            course.bad += 1
            why = files.why(error) if isinstance(error, OSError) else str(error)
            tell(f"{source.path}: left out: {' '.join(why.split())}")
            continue
        course.good += 1
        yield from make(record, source.place)


def _below(path: Path) -> list[Source]:
    if (path / schedule.FILE).exists():
        return _of_tournament(path)
    if not path.is_dir():
        if not path.exists():
            raise click.UsageError(f"{path}: there is nothing; expected {EXPECTED}")
        return [Source(path)]
    if (path / compare_kept.FILE).exists():
        return _of_comparison(path)
    inside = sorted(path.glob("*.jsonl"))
    if not inside:
        raise click.UsageError(f"{path}: a folder without records; expected {EXPECTED}")
    return [Source(file) for file in inside]


def _of_tournament(folder: Path) -> list[Source]:
    """The record of every result of the log, in the schedule's order, whether or not its file is there."""
    tournament = results.read(folder)
    name = tournament.schedule.settings.name or folder.resolve().name
    counted = {block.id for block in tournament.counted()}
    return [
        Source(
            folder / results.RECORDS / f"{result.match}.jsonl",
            Place(name, block.id, match.place, block.id in counted, result.bots),
        )
        for block in tournament.blocks
        for match in block.matches
        for result in [tournament.results.get((block.id, match.place))]
        if result is not None
    ]


def _of_comparison(folder: Path) -> list[Source]:
    """The same of a comparison, whose two bots often say one name: each has the one that it was entered by."""
    try:
        from rivalry_tournament import compare_reading

        kept = compare_reading.read(folder)
    except ImportError as error:
        raise click.UsageError(
            f"{folder}: a comparison, which {error.name} is needed for: {install('tournament')}"
        ) from None
    name = folder.resolve().name
    return [
        Source(
            folder / results.RECORDS / f"{result.match}.jsonl",
            Place(name, result.block, result.place, result.block in kept.counted, result.bots),
        )
        for result in kept.results
    ]
