"""JSON values as plain text for people and language models: what a game without a text view of its own shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WIDTH = 100
"""A value that fits this many characters stands on one line."""


def outline(value: Mapping[str, Any]) -> str:
    """An object of JSON values, a line a key; what does not fit a line is indented below its key."""
    return "\n".join(_lines(value, 0))


def _lines(value: Mapping[str, Any] | Sequence[Any], depth: int) -> list[str]:
    lines: list[str] = []
    indent = "  " * depth
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
    for key, item in pairs:
        short = _short(item)
        if len(indent) + len(str(key)) + len(short) + 2 <= WIDTH or not isinstance(item, Mapping | list | tuple):
            lines.append(f"{indent}{key}: {short}")
        else:
            lines.append(f"{indent}{key}:")
            lines += _lines(item, depth + 1)
    return lines


def _short(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{key} {_nested(item)}" for key, item in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(_nested, value)) or "nothing"
    return str(value)


def _nested(value: Any) -> str:
    return f"({_short(value)})" if isinstance(value, Mapping | list | tuple) and value else _short(value)
