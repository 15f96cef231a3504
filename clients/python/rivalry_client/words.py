"""The words for the wire's enum values, and an arena's own words made fit for a terminal."""

from __future__ import annotations

from typing import Final, Protocol

LINE_LENGTH: Final = 1_000


class _Enum(Protocol):
    def Name(self, number: int) -> str: ...  # noqa: N802 - protobuf's own


def word(enum: _Enum, value: int, prefix: str) -> str:
    """The value's name without its prefix, in lower case: ``END_NO_SHOW`` is ``no_show``.

    A value that is not known here is its number.
    """
    try:
        return enum.Name(value).removeprefix(prefix).lower()
    except ValueError:
        return str(value)


def line(text: str) -> str:
    """``text`` in one line: what cannot be printed, such as what moves a cursor, is a space; a long one is cut."""
    text = text[: LINE_LENGTH + 1]
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return text if len(text) <= LINE_LENGTH else text[: LINE_LENGTH - 1] + "…"
