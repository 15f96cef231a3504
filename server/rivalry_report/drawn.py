"""Tables of text and of Markdown from their cells, and what of them a narrow terminal has room for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from rivalry_report.names import clipped, padded, shown, width

GAP: Final = 2
"""Columns of a terminal between two of a table."""
NAME_USUAL: Final = 20
"""A name that is longer loses its middle before another column is left out."""
NAME_LEAST: Final = 8
"""To so much a name is made shorter when nothing else can be left out."""


@dataclass(frozen=True, slots=True)
class Narrow:
    """What a terminal of ``room`` columns does to a table; None is as wide as can be.

    Long names, in the columns ``names``, lose their middle first; then columns are left out in the order of ``less``,
    the least important first; then names are made shorter still.  Nothing else is ever cut.
    """

    room: int | None
    names: Collection[int]
    less: Sequence[int]


def text(
    heads: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int], narrow: Narrow
) -> tuple[list[str], list[int]]:
    """Lines of padded text, the heads first, and the columns that are left out; ``right`` are set to the right."""
    kept, cells = list(range(len(heads))), [list(row) for row in rows]
    if narrow.room is not None:
        kept, cells = _fitted(heads, rows, narrow.room, narrow)
    widths = _widths(heads, cells)
    lines = [
        (" " * GAP).join(padded(line[at], widths[at], right=at in right) for at in kept).rstrip()
        for line in (heads, *cells)
    ]
    return lines, [at for at in range(len(heads)) if at not in kept]


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int]) -> list[str]:
    """Lines of a table of GitHub's Markdown; the cells are as they are."""
    rule = ["---:" if at in right else "---" for at in range(len(heads))]
    return [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]


def marked(name: str) -> str:
    """A name in a cell of Markdown, where its signs mean nothing."""
    signs = "\\`*_{}[]()<>#+!|~&$@:"
    return "".join(f"\\{character}" if character in signs else character for character in shown(name))


def _fitted(
    heads: Sequence[str], rows: Sequence[Sequence[str]], room: int, narrow: Narrow
) -> tuple[list[int], list[list[str]]]:
    """The columns for which there is room, and the cells of all."""
    kept = list(range(len(heads)))
    cells = [list(row) for row in rows]
    _shorten(heads, cells, room, kept, narrow.names, NAME_USUAL)
    for column in narrow.less:
        if _room(heads, cells, kept) <= room:
            break
        kept.remove(column)
    cells = [list(row) for row in rows]
    _shorten(heads, cells, room, kept, narrow.names, NAME_LEAST)
    return kept, cells


def _shorten(
    heads: Sequence[str],
    cells: list[list[str]],
    room: int,
    kept: Sequence[int],
    names: Collection[int],
    least: int,
) -> None:
    """Makes the widest names shorter, until there is room or all are down to ``least``."""
    while (over := _room(heads, cells, kept) - room) > 0:
        widths = _widths(heads, cells)
        widest = max(names, key=lambda at: widths[at])
        if widths[widest] <= least:
            return
        others = max((widths[at] for at in names if at != widest), default=0)
        to = max(least, widths[widest] - over, min(others, widths[widest] - 1))
        for row in cells:
            row[widest] = clipped(row[widest], to)


def _room(heads: Sequence[str], rows: Sequence[Sequence[str]], kept: Sequence[int]) -> int:
    widths = _widths(heads, rows)
    return sum(widths[at] + GAP for at in kept) - GAP


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(width(line[at]) for line in (heads, *rows)) for at in range(len(heads))]
