"""The words for the wire's enum values; a value that is not known here is its number."""

from __future__ import annotations

from typing import Protocol


class _Enum(Protocol):
    def Name(self, number: int) -> str: ...  # noqa: N802 - protobuf's own


def word(enum: _Enum, value: int, prefix: str) -> str:
    """The value's name without its prefix, in lower case: ``END_NO_SHOW`` is ``no_show``."""
    try:
        return enum.Name(value).removeprefix(prefix).lower()
    except ValueError:
        return str(value)
