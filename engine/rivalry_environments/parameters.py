"""A game's options as parameters of OpenSpiel: flags, whole numbers and texts in the text of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rivalry_engine.game import Game
from rivalry_engine.option import Option, OptionValue

SEED_BYTES: Final = 4
OURS: Final[dict[str, Any]] = {"reward": "rank", "seed": "", "seed_bytes": SEED_BYTES}
"""The parameters that every game has beside ``players`` and its own options."""
BETWEEN_WORDS: Final = "+"
"""Stands between the words of an option, since OpenSpiel puts commas between parameters."""


def specification(rules: type[Game]) -> dict[str, Any]:
    """The parameters and their defaults: flags and whole numbers as such, all else as text, empty for none.

    Options that are JSON have no parameter.
    """
    options = {option.name: _default(option) for option in rules.declared if option.kind != "json"}
    return {"players": rules.usual_seats, **OURS, **options}


def quoted(value: Any) -> Any:
    """A text that OpenSpiel would read as a number or a flag in quotes; any other value as it is."""
    if not isinstance(value, str):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}'" if value.lower() in ("true", "false") else value
    return f"'{value}'"


def plain(value: Any) -> Any:
    """A text without its quotes; any other value as it is."""
    if isinstance(value, str) and len(value) > 2 and value[0] == value[-1] == "'":
        return value[1:-1]
    return value


def options(rules: type[Game], given: Mapping[str, Any]) -> dict[str, OptionValue]:
    """The options that parameters mean, ``seats`` among them; raises OptionError.

    One at its default counts as not given, so that a preset may set it.
    """
    usual = specification(rules)
    own = [option for option in rules.declared if option.kind != "json" and given[option.name] != usual[option.name]]
    return {"seats": given["players"], **{option.name: _value(option, plain(given[option.name])) for option in own}}


def _default(option: Option) -> bool | int | str:
    if option.kind == "words":
        return BETWEEN_WORDS.join(option.default or ())
    default: bool | int | str | None = quoted(option.default)
    return "" if default is None else default


def _value(option: Option, given: Any) -> OptionValue:
    if option.kind == "words":
        return option.checked(given.split(BETWEEN_WORDS) if given else None)
    return option.from_text(given) if isinstance(given, str) and option.kind != "word" else option.checked(given)
