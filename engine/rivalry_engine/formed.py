"""Whether a class is all that a game must be, before anybody plays it: what it says of itself, and that it is whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import isabstract
from typing import Any, Final
from unicodedata import category

from rivalry_engine.error import OptionError
from rivalry_engine.game import Game
from rivalry_engine.loading import fault
from rivalry_engine.option import Option

MOST_RULES_VERSION: Final = (1 << 31) - 1
MOST_SCORE: Final = (1 << 63) - 1
"""What a message can hold."""

_MISSING: Final = object()
_UNSEEN: Final = frozenset(("Cc", "Cs", "Zl", "Zp"))


def is_plain(text: str, *, among: str = "") -> bool:
    """True if ``text`` can be encoded and shown: no control characters but those ``among`` which are allowed."""
    return text.isprintable() or all(each in among or category(each) not in _UNSEEN for each in text)


def is_line(text: object) -> bool:
    """True for a text of one line that says something."""
    return isinstance(text, str) and text.strip() != "" and is_plain(text)


def is_number(value: object, least: int, most: int) -> bool:
    """True for an integer from ``least`` to ``most``, which a truth value is not."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def trouble(rules: type[Game]) -> str:
    """What the class lacks or has wrong of what every game must have, in words; empty for one that is well formed."""
    if isabstract(rules):
        names = sorted(getattr(rules, "__abstractmethods__", ()))
        return f"{rules.__name__} does not define {', '.join(names)}"
    found = [_attribute(rules, name, *asked) for name, asked in _ATTRIBUTES.items()]
    wrong = "; ".join(each for each in found if each)
    if wrong:
        return wrong
    if rules.usual_seats not in rules.seat_counts:
        return f"usual_seats is {rules.usual_seats!r}; expected one of seat_counts, {rules.seat_counts!r}"
    try:
        declared = rules.options_declared()
    except Exception as error:
        return f"options_declared cannot be called: {fault(error)}"
    return _options(declared)


def _attribute(rules: type[Game], name: str, holds: Any, expected: str) -> str:
    value = getattr(rules, name, _MISSING)
    if value is _MISSING:
        return f"{name} is missing; expected {expected}"
    shown = dict(value) if isinstance(value, Mapping) else value
    return "" if holds(value) else f"{name} is {shown!r:.80}; expected {expected}"


def _is_counts(value: object) -> bool:
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and len(value) > 0
        and all(is_number(count, 1, MOST_RULES_VERSION) for count in value)
    )


def _is_glossary(value: object) -> bool:
    return isinstance(value, Mapping) and all(is_line(word) and is_line(said) for word, said in value.items())


def _is_primer(value: object) -> bool:
    return isinstance(value, str) and is_plain(value, among="\n\t")


def _is_echoes(value: object) -> bool:
    return isinstance(value, frozenset | set) and all(isinstance(kind, str) for kind in value)


def _is_options(value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(option, Option) for option in value)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


_ATTRIBUTES: Final = {
    "name": (is_line, "the game's name, as it is asked for"),
    "title": (is_line, "a text of one line"),
    "rules_version": (lambda value: is_number(value, 1, MOST_RULES_VERSION), "an integer from 1"),
    "seat_counts": (_is_counts, "one count or more, each an integer of at least 1, as range(2, 5)"),
    "usual_seats": (lambda value: is_number(value, 1, MOST_RULES_VERSION), "one of seat_counts"),
    "score_unit": (lambda value: is_number(value, 1, MOST_SCORE), "an integer from 1"),
    "declared": (_is_options, "a tuple of options"),
    "glossary": (_is_glossary, "words and their meanings, each a text of one line"),
    "primer": (_is_primer, "a text"),
    "echoes": (_is_echoes, "a frozenset of kinds of events"),
    "imagines": (_is_flag, "True or False"),
    "has_positions": (_is_flag, "True or False"),
    "heavy": (_is_flag, "True or False"),
}


def _options(declared: Sequence[Option]) -> str:
    names: list[str] = []
    for option in declared:
        if not isinstance(option, Option):
            return f"options_declared has {option!r:.80}; expected options"
        if not is_line(option.name):
            return f"an option has the name {option.name!r:.80}; expected a text of one line"
        if option.name in names:
            return f"option {option.name} is declared twice"
        names.append(option.name)
        if not is_line(option.meaning):
            return f"option {option.name} has no meaning of one line"
        if option.default is None:
            continue
        try:
            option.checked(option.default)
        except OptionError as error:
            return f"the default of {error}"
    return "" if "seats" in names else "options_declared has no option seats"
