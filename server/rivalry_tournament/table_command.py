"""``rivalry tournament table``: the final table, or what there is of it until now."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from rivalry_engine.counting import counted
from rivalry_report import head_to_head, tables
from rivalry_server.commands import output
from rivalry_tournament import outcome
from rivalry_tournament.evaluated import evaluated

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation


@click.command(
    epilog="The table depends on the results alone: the same results give the same bytes. Utilities and "
    "shares are percents, and with --json and --csv fractions, 0 to 1."
)
@click.argument("folder", metavar="DIR")
@click.option("--json", "form", flag_value="json", help="One JSON object: bots, pairs, method.")
@click.option("--csv", "form", flag_value="csv", help="CSV, a line a bot; with --pairs a line a pair.")
@click.option("--markdown", "form", flag_value="markdown", help="Tables of Markdown.")
@click.option("--pairs", is_flag=True, help="Head to head in place of the table; with --csv, too.")
def command(folder: str, form: str | None, pairs: bool) -> int:
    """Print the table of the tournament in DIR: ratings, utilities and pairs with intervals, over whole blocks."""
    if pairs and form == "json":
        raise click.UsageError("--pairs with --json: the object has them already, as pairs; leave it out")
    tournament, evaluation = evaluated(folder)
    if form == "json":
        output.emit(tables.as_json(evaluation))
    elif form is None:
        show_pairs(evaluation) if pairs else show(evaluation)
    else:
        output.say(_written(evaluation, form, pairs=pairs).removesuffix("\n"))
    if not tournament.ended:
        output.tell(
            f"{folder}: not ended; {len(tournament.counted())} of"
            f" {counted(sum(1 for _ in tournament.blocks), 'block')} count"
        )
    return 0 if evaluation.matches else 1


def show(evaluation: Evaluation) -> None:
    """Prints the table for a person, with as much of it as a terminal has room for."""
    _say(tables.text(evaluation, outcome.room()).splitlines())


def show_pairs(evaluation: Evaluation) -> None:
    """Prints head to head, every pair, for a person."""
    _say([*head_to_head.text(head_to_head.pairs(evaluation), outcome.room()), "", *head_to_head.NOTES])


def _say(lines: Sequence[str]) -> None:
    """Prints lines, and breaks those that are sentences at the width of a terminal."""
    for line in lines:
        output.say(line if "  " in line else output.wrapped(line, sys.stdout))


def _written(evaluation: Evaluation, form: str, *, pairs: bool) -> str:
    """A form for programs or pages."""
    if form == "csv":
        return head_to_head.as_csv(evaluation) if pairs else tables.as_csv(evaluation)
    if pairs:
        return "\n".join((*head_to_head.markdown(head_to_head.pairs(evaluation)), "", *head_to_head.NOTES)) + "\n"
    return tables.markdown(evaluation)
