"""Head to head: a row for every two bots that met, with the interval of their score and whether it decides.

The bot of a row is the one that stands higher in the table, so that rows are in the table's order.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from rivalry_report import drawn, figures, known
from rivalry_report.names import cell, shown

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation, Pair

COLUMNS: Final = ("bot", "against", "blocks", "score", "interval", "decided")
RIGHT: Final = (2, 3)
"""The columns that are set to the right."""
LESS: Final = (2,)
"""Blocks: what a narrow terminal has no room for."""
CSV_COLUMNS: Final = ("a", "b", "blocks", "wins", "draws", "losses", "mean", "low", "high", "decided")
MOST: Final = 66
"""So many pairs, all of 12 bots, stand below the table as text; of more only those of the bot that is first."""
NOTES: Final = (
    "score: percent of comparisons, seat against seat, in which the bot ranked above the other, ties half.",
    "decided: the interval of the score excludes 50; each pair is taken by itself.",
)


def pairs(evaluation: Evaluation) -> list[Pair]:
    """The pairs that met, in the order of the table, each seen from the bot that stands higher."""
    from rivalry_evaluation.standing import mirrored

    at = {standing.bot: place for place, standing in enumerate(evaluation.standings)}
    met = [pair for pair in evaluation.pairs if pair.blocks]
    turned = [mirrored(pair) if at[pair.a] > at[pair.b] else pair for pair in met]
    return sorted(turned, key=lambda pair: (at[pair.a], at[pair.b]))


def decided(pair: Pair) -> bool:
    """True if the interval excludes an even score."""
    return not pair.low <= 0.5 <= pair.high


def span(pair: Pair) -> str:
    """The interval of the score as text, in percent; one block tells none."""
    if not known.score(pair):
        return figures.UNKNOWN
    return figures.interval(figures.percent(pair.low), figures.percent(pair.high))


def rows(found: list[Pair]) -> list[list[str]]:
    """The cells of pairs, under COLUMNS."""
    return [
        [
            pair.a,
            pair.b,
            str(pair.blocks),
            figures.percent(pair.mean),
            span(pair),
            "yes" if decided(pair) else "no",
        ]
        for pair in found
    ]


def below(evaluation: Evaluation) -> tuple[list[Pair], str]:
    """What stands below the table as text: all pairs, or those of the first, and then how to see the others."""
    found = pairs(evaluation)
    if len(found) <= MOST:
        return found, ""
    first = [pair for pair in found if pair.a == evaluation.standings[0].bot]
    return first, f"head to head: {len(first):,} of {len(found):,} pairs are shown; --pairs shows all."


def text(found: list[Pair], room: int | None = None) -> list[str]:
    """Lines of padded text; for a terminal of ``room`` columns with what there is room for."""
    cells = [[*map(shown, row[:2]), *row[2:]] for row in rows(found)]
    return drawn.text(COLUMNS, cells, RIGHT, drawn.Narrow(room, (0, 1), LESS))[0]


def markdown(found: list[Pair]) -> list[str]:
    """Lines of a table of GitHub's Markdown."""
    return drawn.markdown(COLUMNS, [[*map(drawn.marked, row[:2]), *row[2:]] for row in rows(found)], RIGHT)


def as_csv(evaluation: Evaluation) -> str:
    """CSV with CSV_COLUMNS: fractions, and bounds empty where one block tells none."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for pair in pairs(evaluation):
        bounds = [figures.rounded(bound, 4) if pair.blocks > 1 else "" for bound in (pair.low, pair.high)]
        counts = (pair.blocks, pair.wins, pair.draws, pair.losses, figures.rounded(pair.mean, 4))
        writer.writerow((cell(pair.a), cell(pair.b), *counts, *bounds, "yes" if decided(pair) else "no"))
    return target.getvalue()
