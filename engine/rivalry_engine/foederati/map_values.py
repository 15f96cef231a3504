"""The values of a map's JSON: each comes back in its type, or OptionError names its path (FO4.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rivalry_engine.error import OptionError
from rivalry_engine.prompt import shown

MOST: Final = 1_000
"""No number of a map is larger."""


def refused(path: str, given: str, expected: str) -> OptionError:
    """The error to raise: what stands at ``path`` of the map, and what was expected there."""
    return OptionError(f"option map: {path or 'the whole'}: {given}; expected {expected}")


def an_object(value: Any, path: str, keys: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, Any]:
    """An object with all of ``keys`` and no others but ``optional``."""
    found = any_object(value, path)
    for key in found:
        if key not in keys and key not in optional:
            raise refused(f"{path}.{key}" if path else key, "no such key", "one of " + ", ".join((*keys, *optional)))
    for key in keys:
        if key not in found:
            raise refused(f"{path}.{key}" if path else key, "nothing", "a value, as in the map that is built in")
    return found


def any_object(value: Any, path: str) -> Mapping[str, Any]:
    """An object, whatever its keys."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refused(path, shown(value), "an object")
    return value


def a_list(value: Any, path: str, *, most: int = 100) -> Sequence[Any]:
    """A list of at most ``most`` items."""
    if not isinstance(value, list | tuple) or len(value) > most:
        raise refused(path, shown(value), f"a list of at most {most}")
    return value


def a_text(value: Any, path: str) -> str:
    """A text of 1 to 40 characters that UTF-8 can hold."""
    if not isinstance(value, str) or not 0 < len(value) <= 40 or not value.isprintable():
        raise refused(path, shown(value), "a printable text of 1 to 40 characters")
    return value


def a_flag(value: Any, path: str) -> bool:
    """A flag."""
    if not isinstance(value, bool):
        raise refused(path, shown(value), "true or false")
    return value


def whole(value: Any, path: str, least: int = 0, most: int = MOST) -> int:
    """An integer from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise refused(path, shown(value), f"an integer from {least} to {most}")
    return value


def points(value: Any, path: str) -> tuple[int, ...]:
    """Points by place, each from 0 to 1000, not rising."""
    row = tuple([whole(each, f"{path}[{place}]") for place, each in enumerate(a_list(value, path))])
    if not row or list(row) != sorted(row, reverse=True):
        raise refused(path, shown(value), "points by place, the first place's first, not rising")
    return row
