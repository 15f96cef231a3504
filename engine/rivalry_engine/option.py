"""Options: what a game lets its organiser decide, declared by the game, checked in one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rivalry_engine.error import OptionError

OptionValue = Any
"""A flag (bool), an integer, a word (str), a list of words, or any JSON value; None is "left to chance"."""

KINDS: Final = ("flag", "integer", "word", "words", "json")


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a game.

    ``allowed`` lists the values of an integer or word option, or the words of a words option; empty means that the
    game itself says what it refuses.  A default of None is drawn by chance, and the draw stands in the setup.
    """

    name: str
    kind: str
    default: OptionValue
    allowed: tuple[OptionValue, ...]
    meaning: str

    def __post_init__(self) -> None:
        assert self.kind in KINDS, self.kind
        if isinstance(self.allowed, str):
            raise TypeError(f"option {self.name}: allowed is the text {self.allowed!r}; expected a tuple of values")

    def checked(self, value: OptionValue) -> OptionValue:
        """``value`` in the option's type; raises OptionError that says what came and what is allowed."""
        if value is None:
            if self.default is None:
                return None
            raise self._refusal(value)
        if self.kind == "flag":
            if not isinstance(value, bool):
                raise self._refusal(value)
        elif self.kind == "integer":
            if isinstance(value, bool) or not isinstance(value, int):
                raise self._refusal(value)
        elif self.kind == "word":
            if not isinstance(value, str):
                raise self._refusal(value)
        elif self.kind == "words":
            return self._words(value)
        if self.allowed and value not in self.allowed:
            raise self._refusal(value)
        return value

    def from_text(self, text: str) -> OptionValue:
        """The value a person writes on a command line: ``true|false``, an integer, a word, words with commas."""
        if self.kind == "flag":
            if text not in ("true", "false"):
                raise self._refusal(text)
            return self.checked(text == "true")
        if self.kind == "integer":
            try:
                number = int(text)
            except ValueError:
                raise self._refusal(text) from None
            return self.checked(number)
        if self.kind == "words":
            return self.checked([word.strip() for word in text.split(",") if word.strip()])
        if self.kind == "json":
            import json

            try:
                value = json.loads(text)
            except ValueError:
                raise self._refusal(text) from None
            return self.checked(value)
        return self.checked(text)

    def wording(self) -> str:
        """What is allowed, in words."""
        if self.kind == "flag":
            return "true or false" if not self.allowed else " or ".join(str(value).lower() for value in self.allowed)
        words = ", ".join(str(value) for value in self.allowed)
        if self.kind == "words":
            return f"different words out of {words}" if words else "a list of words"
        if words:
            return f"one of {words}"
        return {"integer": "an integer", "word": "a word"}.get(self.kind, "a JSON value")

    def _words(self, value: OptionValue) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise self._refusal(value)
        words: list[str] = []
        for word in value:
            if not isinstance(word, str) or (self.allowed and word not in self.allowed):
                raise OptionError(f"option {self.name}: {word!r} is not allowed; expected {self.wording()}")
            if word in words:
                raise OptionError(f"option {self.name}: {word!r} stands twice; expected {self.wording()}")
            words.append(word)
        return tuple(words)

    def _refusal(self, value: OptionValue) -> OptionError:
        shown = {True: "true", False: "false"}.get(value, repr(value)) if isinstance(value, bool) else repr(value)
        return OptionError(f"option {self.name}: {shown} is not allowed; expected {self.wording()}")


def resolved(game: str, declared: Sequence[Option], given: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Every declared option with its value, given or default; raises OptionError on an unknown name or a bad value."""
    names = [option.name for option in declared]
    for name in given:
        if name not in names:
            raise OptionError(f"{game} has no option {name!r}; it has {', '.join(names)}")
    return {
        option.name: option.checked(given[option.name]) if option.name in given else option.default
        for option in declared
    }
