"""The values of JSON that people write by hand: each comes back in its type, or an error names its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rivalry_engine.error import RivalryError
from rivalry_engine.prompt import shown

MOST: Final = 1_000
"""No number is larger unless its reader says so."""


class Checks:
    """The checks of one kind of document: how its errors begin, and of which type they are."""

    __slots__ = ("begin", "kind")

    def __init__(self, begin: str, kind: type[RivalryError]) -> None:
        self.begin = begin
        self.kind = kind

    def refused(self, path: str, given: str, expected: str) -> RivalryError:
        """The error to raise: what stands at ``path``, and what was expected there."""
        return self.kind(f"{self.begin} {path or '(whole)'}: {given}; expected {expected}")

    def any_object(self, value: Any, path: str) -> Mapping[str, Any]:
        """An object, whatever its keys."""
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise self.refused(path, shown(value), "an object")
        return value

    def an_object(self, value: Any, path: str, keys: Sequence[str], optional: Sequence[str] = ()) -> Mapping[str, Any]:
        """An object with all of ``keys`` and no others but ``optional``."""
        found = self.any_object(value, path)
        for key in found:
            if key not in keys and key not in optional:
                expected = "one of " + ", ".join((*keys, *optional))
                raise self.refused(f"{path}.{key}" if path else key, "no such key", expected)
        for key in keys:
            if key not in found:
                raise self.refused(f"{path}.{key}" if path else key, "nothing", "a value")
        return found

    def a_list(self, value: Any, path: str, *, most: int = 100) -> Sequence[Any]:
        """A list of at most ``most`` items."""
        if not isinstance(value, list | tuple) or len(value) > most:
            raise self.refused(path, shown(value), f"a list of at most {most}")
        return value

    def a_text(self, value: Any, path: str, *, most: int = 40) -> str:
        """A printable text of 1 to ``most`` characters."""
        if not isinstance(value, str) or not 0 < len(value) <= most or not value.isprintable():
            raise self.refused(path, shown(value), f"a printable text of 1 to {most} characters")
        return value

    def a_flag(self, value: Any, path: str) -> bool:
        """A flag."""
        if not isinstance(value, bool):
            raise self.refused(path, shown(value), "true or false")
        return value

    def whole(self, value: Any, path: str, least: int = 0, most: int = MOST) -> int:
        """An integer from ``least`` to ``most``."""
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.refused(path, shown(value), f"an integer from {least} to {most}")
        return value
