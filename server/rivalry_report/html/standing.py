"""The table of a report, with a bar for each interval."""

from __future__ import annotations

from html import escape
from math import nan
from typing import TYPE_CHECKING

from rivalry_report import figures, known, tables
from rivalry_report.html.bars import axis, bar
from rivalry_report.names import shown

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation, Standing
    from rivalry_report.html.bars import Axis


def named(bot: str) -> str:
    """A bot's name as HTML: whatever is in it, it is text, and runs in its own direction."""
    return f"<bdi>{escape(shown(bot))}</bdi>"


def table(evaluation: Evaluation) -> str:
    """The table of all bots, best first."""
    faulty = any(tables.faults(standing) for standing in evaluation.standings)
    level = tables.level(evaluation)
    heads = [
        ("n", "Place"),
        ("", "Bot"),
        ("n", "Rating"),
        ("bars", f"interval, {level} %"),
        ("n", "Utility"),
        ("wide", f"interval, {level} %"),
        ("n", "Share"),
        ("n", "Places"),
        ("n wide", "Blocks"),
        *([("n", "Faults")] if faulty else []),
    ]
    ends = [end for each in evaluation.standings for end in (*_bounds(each), each.rating)]
    shared = axis(ends, 0.0)
    head = "".join(f'<th scope="col" class="{kind}">{escape(text)}</th>' for kind, text in heads)
    body = "".join(_row(standing, shared, faulty=faulty) for standing in evaluation.standings)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _bounds(standing: Standing) -> tuple[float, float]:
    """The bounds of a rating's bar; none where they are not known."""
    return (standing.rating_low, standing.rating_high) if known.rating(standing) else (nan, nan)


def _row(standing: Standing, shared: Axis, *, faulty: bool) -> str:
    percent, rate = figures.percent, figures.rating
    low, high = _bounds(standing)
    cells = [
        ("n place", str(standing.rank)),
        ("name", named(standing.bot)),
        ("n", f"<b>{rate(standing.rating)}</b>"),
        (
            "bars",
            f'<div class="barred">{bar(shared, low, standing.rating, high)}'
            f'<span class="span">{tables.rating_span(standing)}</span></div>',
        ),
        ("n", percent(standing.utility)),
        ("span wide", tables.utility_span(standing)),
        ("n", percent(standing.share)),
        ("n", figures.places(standing.rank_low, standing.rank_high)),
        ("n wide", f"{standing.blocks:,}"),
        *([("n", f"{tables.faults(standing):,}")] if faulty else []),
    ]
    return "<tr>" + "".join(f'<td class="{kind}">{text}</td>' for kind, text in cells) + "</tr>"
