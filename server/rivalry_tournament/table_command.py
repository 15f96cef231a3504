"""``rivalry tournament table``: the final table, or what there is of it until now."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from rivalry_engine.counting import counted
from rivalry_report import tables
from rivalry_report.names import shown
from rivalry_server.commands import output
from rivalry_tournament.evaluated import evaluated

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation


@click.command(
    epilog="The table depends on the results alone: the same results give the same bytes. Utilities and "
    "shares are percents, and with --json and --csv fractions, 0 to 1."
)
@click.argument("folder", metavar="DIR")
@click.option("--json", "form", flag_value="json", help="One JSON object: bots, pairs, method.")
@click.option("--csv", "form", flag_value="csv", help="CSV, a line a bot.")
@click.option("--markdown", "form", flag_value="markdown", help="A table of Markdown.")
def command(folder: str, form: str | None) -> int:
    """Print the table of the tournament in DIR: ratings and utilities with intervals, over whole blocks."""
    tournament, evaluation = evaluated(folder)
    if form == "json":
        output.emit(tables.as_json(evaluation))
    elif form is None:
        show(evaluation)
    else:
        made = {"csv": tables.as_csv, "markdown": tables.markdown}[form](evaluation)
        output.say(made.removesuffix("\n"))
    if not tournament.ended:
        output.tell(
            f"{folder}: not ended; {len(tournament.counted())} of"
            f" {counted(sum(1 for _ in tournament.blocks), 'block')} count"
        )
    return 0 if evaluation.matches else 1


def show(evaluation: Evaluation) -> None:
    """Prints the table for a person, as wide as a terminal has it."""
    if not output.on_terminal(sys.stdout):
        output.say(tables.text(evaluation).removesuffix("\n"))
        return
    rows = [[shown(cell) for cell in row] for row in tables.rows(evaluation)]
    columns = tables.columns(evaluation)
    output.table(columns, rows, numbers=[columns[at] for at in range(len(columns)) if tables.to_the_right(at)])
    for note in tables.notes(evaluation):
        output.say(output.wrapped(note, sys.stdout))
