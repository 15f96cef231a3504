"""``rivalry tournament report``: tables, plots and one HTML page about a tournament."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from rivalry_server.commands import given, output
from rivalry_tournament import told
from rivalry_tournament.evaluated import evaluated, missing

FOLDER = "report"
"""Where a report stands in a tournament's folder, usually."""


@click.command(
    epilog="It writes table.txt, table.csv, table.json, table.md, each plot as PNG and SVG, and report.html, which "
    "holds all of it and loads nothing from elsewhere."
)
@click.argument("folder", metavar="DIR")
@click.option("--out", metavar="FOLDER", help="Where the files go.  [default: DIR/report]")
@given.json_option
def command(folder: str, out: str | None, as_json: bool) -> int:
    """Write the report of the tournament in DIR, also while it is played."""
    tournament, evaluation = evaluated(folder)
    target = Path(folder) / FOLDER if out is None else Path(out)
    if target.exists() and not target.is_dir():
        raise click.UsageError(f"--out {target}: a file; expected a folder")
    try:
        from rivalry_report import headline
        from rivalry_report.report import report

        made = report(evaluation, told.facts(tournament), told.timings(tournament))
        paths = made.write(target)
    except ImportError as error:
        raise missing(error) from error
    if as_json:
        output.emit({"headline": headline.plain(evaluation), "files": [str(path) for path in paths]})
    else:
        output.say(output.wrapped(headline.plain(evaluation), sys.stdout))
        output.say(f"report: {target / 'report.html'}, and {len(paths) - 1} files beside it")
    return 0 if evaluation.matches else 1
