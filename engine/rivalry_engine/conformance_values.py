"""What the values of a game may be, for ``conformance``: JSON, facts of events, and how much goes into a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rivalry_engine.formed import is_line

FRAME: Final = 1 << 20
"""Bytes that an arena sends at once."""
MOST_PROMPT: Final = FRAME // 2
"""Bytes of an observation and the words of its choices together, and of a setup; clocks, events and the text view go
into the same frame.
"""
MOST_EVENT: Final = FRAME // 4
"""Bytes of an event as one audience sees it."""


def unlike_json(value: object, where: str = "") -> str:
    """What of ``value`` is not JSON as bots read it, in words; empty where all of it is.

    Objects with keys of text, lists, texts that can be encoded, whole numbers, flags and null.
    """
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str) or not is_encodable(key):
                return f"the key {key!r:.40}{_at(where)} is no text"
            found = unlike_json(item, f"{where}.{key}" if where else key)
            if found:
                return found
        return ""
    if isinstance(value, list | tuple):
        return next(filter(None, (unlike_json(item, f"{where}[{at}]") for at, item in enumerate(value))), "")
    if isinstance(value, str):
        return "" if is_encodable(value) else f"{value!r:.40}{_at(where)} cannot be encoded"
    if value is None or isinstance(value, int):
        return ""
    return f"{value!r:.40}{_at(where)} is {type(value).__name__}"


def _at(where: str) -> str:
    return f" at {where:.80}" if where else ""


def is_encodable(text: str) -> bool:
    """True if ``text`` can be written in UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_facts(value: object) -> bool:
    """True for the facts of an event: by names, integers, texts, flags or tuples of them."""
    return isinstance(value, Mapping) and all(is_line(key) and _is_fact(item) for key, item in value.items())


def _is_fact(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_fact, value))
    return isinstance(value, int) or (isinstance(value, str) and is_encodable(value))
