"""JSON values as plain text for people and language models: what a game without a text view of its own shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

WIDTH = 100
"""A value that fits this many characters stands on one line."""

MOST = 65_536
"""Characters of a text view; an arena cuts a longer one."""


def outline(value: Mapping[str, Any]) -> str:
    """An object of JSON values, a line a key; what does not fit a line is indented below its key."""
    lines: list[str] = []
    _outlined(value.items(), 0, lines)
    return "\n".join(lines)


def _outlined(pairs: Iterable[tuple[Any, Any]], depth: int, lines: list[str]) -> None:
    indent = "  " * depth
    for key, item in pairs:
        head = f"{indent}{key}:"
        short = _short(item)
        if len(head) + len(short) < WIDTH or not isinstance(item, dict | list | tuple):
            lines.append(f"{head} {short}")
        else:
            lines.append(head)
            _outlined(item.items() if isinstance(item, dict) else enumerate(item), depth + 1, lines)


def _short(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, str):
        return value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return "; ".join([f"{key} {_nested(item)}" for key, item in value.items()]) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join([_nested(item) for item in value]) or "nothing"
    return str(value)


def _nested(value: Any) -> str:
    short = _short(value)
    return f"({short})" if isinstance(value, dict | list | tuple) and value else short
