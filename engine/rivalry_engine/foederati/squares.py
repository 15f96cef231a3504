"""The hundred squares as numbers, sets of squares as bit masks (FO4.1).

A square is 10 × row + column, both from 0: ``A1`` is 0, ``J10`` is 99.  A set of squares is an int with a bit for each.
"""

from __future__ import annotations

from typing import Final

ROWS: Final = "ABCDEFGHIJ"
WIDTH: Final = 10
SQUARES: Final = 100
ALL: Final = (1 << SQUARES) - 1
NOWHERE: Final = 127
"""Stands in an action for a square that there is not (FO10.75)."""

BIT: Final[list[int]] = [1 << square for square in range(SQUARES)] + [0] * (NOWHERE + 1 - SQUARES)
"""The set of one square; the empty set for numbers that are none."""
NAMES: Final[list[str]] = [f"{row}{column}" for row in ROWS for column in range(1, WIDTH + 1)]
ROW_MASKS: Final[list[int]] = [((1 << WIDTH) - 1) << (WIDTH * row) for row in range(len(ROWS))]
COLUMN_MASKS: Final[list[int]] = [sum(1 << (WIDTH * row + column) for row in range(10)) for column in range(WIDTH)]
_NOT_FIRST: Final = ALL & ~COLUMN_MASKS[0]
_NOT_LAST: Final = ALL & ~COLUMN_MASKS[-1]
_IN_ROW: Final[list[list[tuple[int, ...]]]] = [
    [tuple([WIDTH * row + column for column in range(WIDTH) if bits >> column & 1]) for bits in range(1 << WIDTH)]
    for row in range(len(ROWS))
]
_NUMBERS: Final[dict[str, int]] = {name.lower(): square for square, name in enumerate(NAMES)}


def grown(mask: int) -> int:
    """The squares up, down, left and right of those in ``mask``; some of them may be in ``mask`` (FO10.11)."""
    return (mask << 10 | mask >> 10 | (mask & _NOT_LAST) << 1 | (mask & _NOT_FIRST) >> 1) & ALL


NEIGHBOURS: Final[list[int]] = [grown(BIT[square]) for square in range(NOWHERE + 1)]
"""By square, those orthogonally next to it."""


_KEPT: Final[dict[int, tuple[int, ...]]] = {}
_KEPT_MOST: Final = 1 << 14


def listed(mask: int) -> tuple[int, ...]:
    """The squares of a set, ascending; kept, since the same sets come again and again."""
    found = _KEPT.get(mask)
    if found is not None:
        return found
    if len(_KEPT) >= _KEPT_MOST:
        _KEPT.clear()
    found = ()
    row = 0
    rest = mask
    while rest:
        bits = rest & 1023
        if bits:
            found += _IN_ROW[row][bits]
        rest >>= 10
        row += 1
    _KEPT[mask] = found
    return found


def filled(start: int, within: int) -> int:
    """The squares of ``within`` that hang together with ``start``, a set inside it."""
    found = start
    while True:
        more = found | (grown(found) & within)
        if more == found:
            return found
        found = more


def components(mask: int) -> list[int]:
    """The connected groups of a set of squares, in the order of their first squares."""
    groups: list[int] = []
    while mask:
        group = filled(mask & -mask, mask)
        groups.append(group)
        mask &= ~group
    return groups


def name(square: int) -> str:
    """``F5``; ``nowhere`` for a number that is no square."""
    return NAMES[square] if square < SQUARES else "nowhere"


def names(mask: int) -> list[str]:
    """The names of the squares of a set, ascending."""
    return [NAMES[square] for square in listed(mask)]


def numbered(word: str) -> int:
    """The square of a name in any case; -1 when there is none."""
    return _NUMBERS.get(word.lower(), -1)
