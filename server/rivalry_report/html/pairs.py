"""Head to head as a table: what the plot's figures are worth."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from rivalry_report import figures, head_to_head, tables
from rivalry_report.html.standing import named

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation, Pair

OPEN: Final = 66
"""So many pairs, all of 12 bots, are seen at once; more are behind a line that opens them."""


def table(evaluation: Evaluation) -> str:
    """A row for every two bots that met; empty where none did."""
    found = head_to_head.pairs(evaluation)
    if not found:
        return ""
    heads = (
        ("", "Bot"),
        ("", "Against"),
        ("n", "Score"),
        ("", f"interval, {tables.level(evaluation)} %"),
        ("", "Decided"),
        ("n", "Blocks"),
    )
    head = "".join(f'<th scope="col" class="{kind}">{escape(text)}</th>' for kind, text in heads)
    body = "".join(map(_row, found))
    drawn = f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    if len(found) <= OPEN:
        return drawn
    return f"<details><summary>All {len(found):,} pairs with their intervals</summary>{drawn}</details>"


def _row(pair: Pair) -> str:
    cells = (
        ("name", named(pair.a)),
        ("name", named(pair.b)),
        ("n", f"<b>{figures.percent(pair.mean)}</b>"),
        ("span", head_to_head.span(pair)),
        ("", "yes" if head_to_head.decided(pair) else "no"),
        ("n", f"{pair.blocks:,}"),
    )
    return "<tr>" + "".join(f'<td class="{kind}">{text}</td>' for kind, text in cells) + "</tr>"
