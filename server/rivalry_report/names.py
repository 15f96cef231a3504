"""Names as they are shown: they are others' input, so nothing in them may move, hide or break what stands around."""

from __future__ import annotations

import unicodedata
from typing import Final

HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories without a sign of their own: controls, directions, halves of pairs, unassigned, line breaks."""
JOINERS: Final = frozenset("\u200c\u200d")
"""What scripts and emoji are joined by: it stays."""
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What begins a formula for spreadsheets, the wide signs as well, which some turn into the narrow ones."""


def shown(name: str) -> str:
    """The name with each character that cannot be seen written as an escape."""
    return "".join(_escaped(character) for character in name) or '""'


def cell(name: str) -> str:
    """The name for a cell of CSV, which no spreadsheet takes for a formula.

    An apostrophe stands before one that begins with a sign of FORMULA (OWASP, CSV Injection), and before one that
    begins with an apostrophe, so that whoever takes one away has the name again.
    """
    return f"'{name}" if name.startswith((*FORMULA, "'")) else name


def width(text: str) -> int:
    """How many columns of a terminal the text takes; wide characters take two, combining ones none."""
    return sum(_columns(character) for character in text)


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """The text filled with spaces to ``columns``; ``right`` sets it to the right."""
    space = " " * max(0, columns - width(text))
    return space + text if right else text + space


def clipped(text: str, columns: int) -> str:
    """The text in at most ``columns``; what is left out of its middle is shown as an ellipsis."""
    if width(text) <= columns:
        return text
    head = _first(text, (columns - 1 + 1) // 2)
    tail = _first(text[::-1], columns - 1 - width(head))[::-1]
    return f"{head}…{tail}"


def _first(text: str, columns: int) -> str:
    used = 0
    for at, character in enumerate(text):
        used += _columns(character)
        if used > columns:
            return text[:at]
    return text


def _escaped(character: str) -> str:
    if unicodedata.category(character) in HIDDEN and character not in JOINERS:
        return character.encode("unicode_escape").decode()
    return character


def _columns(character: str) -> int:
    if unicodedata.combining(character) or character in JOINERS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
