"""``rivalry tournament check``: whether a schedule holds what it promises, from its data alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rivalry_engine.counting import counted
from rivalry_server.commands import given, output
from rivalry_server.commands.failure import FailedError
from rivalry_tournament import making
from rivalry_tournament import schedule as schedules
from rivalry_tournament.checking import check
from rivalry_tournament.checking.finding import Finding, finding
from rivalry_tournament.points import Ranks

if TYPE_CHECKING:
    from rivalry_tournament.results import Tournament


@click.command(epilog="PATH is schedule.json, or the folder of a tournament: then its log and records are checked too.")
@click.argument("path", metavar="PATH")
@given.json_option
def command(path: str, as_json: bool) -> int:
    """Check that a schedule holds what it promises: seats, seeds, counts, meetings, ids.

    Exit status: 0 when all is held, 1 when something is not, 2 when the file is no schedule.
    """
    found = _folder(Path(path)) if Path(path).is_dir() else check(schedules.read(Path(path)))
    promised = [one for one in found if one.promised]
    broken = [one for one in promised if not one.held]
    if as_json:
        output.emit({"held": not broken, "findings": [one.json() for one in found]})
    else:
        _told(found)
    if broken:
        raise FailedError(f"{path}: {len(broken)} of {len(promised)} promises are not held: {broken[0].wrong[0]}")
    return 0


def _folder(folder: Path) -> list[Finding]:
    from rivalry_tournament import results

    tournament = results.read(folder)
    return [*check(tournament.schedule, tournament.rounds), _followed(tournament), _recorded(tournament)]


def _recorded(tournament: Tournament) -> Finding:
    from rivalry_tournament.checking import records
    from rivalry_tournament.results import RECORDS

    found = [
        tournament.results[key]
        for block in tournament.blocks
        for match in block.matches
        if (key := (block.id, match.place)) in tournament.results
    ]
    return records.kept(tournament.folder / RECORDS, found)


def _followed(tournament: Tournament) -> Finding:
    """Every round of the log is the one that follows from the rounds and results before it."""
    first = len(tournament.schedule.rounds)
    outcomes: dict[str, Ranks | None] = {
        block.id: None
        if tournament.excluded(block)
        else [tournament.results[block.id, match.place].ranks for match in block.matches]
        for block in tournament.blocks
        if tournament.settled(block)
    }
    wrong = []
    for at in range(first, len(tournament.rounds)):
        before = tournament.rounds[:at]
        unknown = [block.id for round_ in before for block in round_.blocks if block.id not in outcomes]
        if unknown:
            wrong.append(f"round {at + 1} was settled before block {unknown[0]} had its results")
        elif making.following(tournament.schedule, before, outcomes) != tournament.rounds[at]:
            wrong.append(f"round {at + 1} is not the one that follows from the results before it")
    later = len(tournament.rounds) - first
    return finding("later rounds follow from the results", f"{counted(later, 'round')} in the log", wrong)


def _told(found: Sequence[Finding]) -> None:
    output.table(("held", "promise", "figures"), [(one.verdict, one.promise, one.figures) for one in found])
    for one in found:
        for text in one.wrong:
            output.say(output.wrapped(f"  {one.promise}: {text}", sys.stdout))
