"""What an organiser gave, by key, from a TOML file and from flags; flags go before the file.

Every error names where it stands, the key, what came and what was expected.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rivalry_engine.error import RivalryError
from rivalry_server import files
from rivalry_tournament.names import shown


class SettingsError(RivalryError):
    """Settings that make no tournament."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value, and how errors call the place where it stands: ``cup.toml: blocks``, ``--blocks``."""

    place: str
    value: Any

    def refused(self, expected: str) -> SettingsError:
        """The error that says what came and what was expected."""
        shown = repr(self.value)
        shown = shown if len(shown) <= 60 else shown[:59] + "…"
        return SettingsError(f"{self.place} = {shown}; expected {expected}")


class Given:
    """All values by key.  What is not given is looked for with its default."""

    def __init__(self, values: Mapping[str, Value], place: str) -> None:
        self._values = values
        self.place = place
        """How errors call the whole."""

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def check_keys(self, known: Sequence[str]) -> None:
        """Raises SettingsError where a key is none of ``known``."""
        for key, value in self._values.items():
            if key not in known:
                raise SettingsError(f"{value.place}: there is no such key; expected {', '.join(known)}")

    def at(self, key: str) -> Value:
        """The value of a key that was given."""
        return self._values[key]

    def error(self, key: str, expected: str) -> SettingsError:
        """The error of a key, given or missing."""
        if key in self._values:
            return self._values[key].refused(expected)
        return SettingsError(f"{self.place}: no {key}; expected {expected}")

    def text(self, key: str, default: str | None, *, expected: str = "a text") -> str:
        """A text; raises SettingsError where it is none, or missing without a default."""
        value = self._values[key].value if key in self._values else default
        if not isinstance(value, str):
            raise self.error(key, expected)
        return value

    def word(self, key: str, default: str | None, words: Sequence[str]) -> str:
        """One of ``words``."""
        expected = ", ".join(words[:-1]) + f" or {words[-1]}"
        word = self.text(key, default, expected=expected)
        if word not in words:
            raise self.error(key, expected)
        return word

    def number(self, key: str, default: int | None, *, least: int, most: int) -> int:
        """A whole number in bounds."""
        value = self._values[key].value if key in self._values else default
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self.error(key, f"a whole number, {least} to {most}" if least < most else str(least))
        return value

    def table(self, key: str) -> dict[str, Value]:
        """A table of values by name; empty where it is not given."""
        if key not in self._values:
            return {}
        given = self._values[key]
        if not isinstance(given.value, dict):
            raise given.refused(f"a table, [{key}]")
        return {
            name: value if isinstance(value, Value) else Value(f"{given.place}.{shown(name)}", value)
            for name, value in given.value.items()
        }

    def names(self, key: str) -> tuple[str, ...]:
        """A list of different texts, or one text; empty where it is not given."""
        if key not in self._values:
            return ()
        value = self._values[key].value
        names = (value,) if isinstance(value, str) else value
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise self._values[key].refused("a list of names")
        if len(set(names)) < len(names):
            raise self._values[key].refused("each name once")
        return tuple(names)


def together(path: str | None, flags: Mapping[str, Value]) -> Given:
    """What the file and the flags give; tables (options, policies) are joined, flags first.  Raises SettingsError."""
    values = dict(of_file(path)) if path is not None else {}
    for key, flag in flags.items():
        before = values.get(key)
        if before is not None and isinstance(flag.value, dict) and isinstance(before.value, dict) and key != "entrants":
            inside = {name: Value(f"{before.place}.{shown(name)}", value) for name, value in before.value.items()}
            values[key] = Value(before.place, {**inside, **flag.value})
        else:
            values[key] = flag
    return Given(values, path if path is not None else "the flags")


def of_file(path: str) -> dict[str, Value]:
    """The values of a TOML file by key; raises SettingsError, or OSError with its name."""
    try:
        read = tomllib.loads(files.content(Path(path)).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: {error}; expected TOML, which is UTF-8") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"{path}: {error}; expected TOML, as `rivalry tournament plan --help` shows it") from error
    return {key: Value(f"{path}: {shown(key)}", value) for key, value in read.items()}
