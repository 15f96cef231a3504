"""The end of a tournament: its outcome is shown, and its report written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rivalry_server.commands import output
from rivalry_tournament import outcome
from rivalry_tournament.evaluated import afterwards, evaluated, lacking, missing
from rivalry_tournament.results import Tournament

if TYPE_CHECKING:
    from pathlib import Path

    from rivalry_evaluation.standing import Evaluation

REPORT = "report"
"""The folder of the report, in the tournament's."""


report_option = click.option("--no-report", is_flag=True, help="Write no report; `rivalry tournament report` does.")


def forewarn(folder: Path, *, no_report: bool) -> None:
    """Says before the first match what the end will be without, where a package is missing."""
    if text := lacking(folder, no_report=no_report):
        output.tell(text)


def finish(tournament: Tournament, *, as_json: bool, no_report: bool) -> int:
    """Shows what a tournament that has ended came to; returns the exit status, 1 if nothing counts.

    Without the packages that tables and plots need, a plain table is shown.
    """
    try:
        _, evaluation = evaluated(str(tournament.folder))
        report = None if no_report else _written(tournament, evaluation)
    except click.UsageError as error:
        output.tell(f"{error.message}; then: {afterwards(tournament.folder, no_report=no_report)}")
        evaluation, report = None, None
    if as_json:
        output.emit(_facts(tournament, evaluation, report))
    else:
        _show(tournament, evaluation, report)
    return 0 if tournament.counted() else 1


def _written(tournament: Tournament, evaluation: Evaluation) -> Path | None:
    """The folder of the report, written; None, and told, where that cannot be.

    Raises UsageError where a package is missing.
    """
    try:
        from rivalry_report.report import report
        from rivalry_tournament import told

        folder = tournament.folder / REPORT
        report(evaluation, told.facts(tournament), told.timings(tournament)).write(folder)
    except ImportError as error:
        raise missing(error) from error
    except OSError as error:
        how = afterwards(tournament.folder, no_report=False)
        output.tell(f"{error.filename or folder}: {error.strerror}; there is no report, {how} --out FOLDER writes one")
        return None
    return folder


def _facts(tournament: Tournament, evaluation: Evaluation | None, report: Path | None) -> dict[str, object]:
    from rivalry_report import tables

    return {
        **outcome.facts(tournament),
        "table": None if evaluation is None else tables.as_json(evaluation),
        "report": None if report is None else str(report),
    }


def _show(tournament: Tournament, evaluation: Evaluation | None, report: Path | None) -> None:
    from rivalry_tournament import table_command

    outcome.places(tournament)
    if evaluation is None:
        outcome.table(tournament)
    else:
        table_command.show(evaluation)
    outcome.left_out(tournament)
    if report is not None:
        output.say(f"report: {report / 'report.html'}")
