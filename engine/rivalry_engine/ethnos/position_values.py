"""The values of hand-written JSON: each comes back in its type, or PositionError names its path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rivalry_engine.error import PositionError
from rivalry_engine.ethnos.cards import DRAGON
from rivalry_engine.ethnos.data import COLOURS, ELVES, SKELETONS
from rivalry_engine.ethnos.edition import EDITIONS, Edition
from rivalry_engine.prompt import shown

MOST: Final = 1_000_000
"""No integer of a position is larger: scores that follow from it can be sent and recorded."""
CARDS: Final[dict[str, dict[str, int]]] = {
    edition.name: {edition.names[card]: card for card in (*edition.allies(), DRAGON)} for edition in EDITIONS.values()
}
"""By the name of an edition and that of a card, the card."""


def impossible(path: str, given: str, expected: str) -> PositionError:
    """The error to raise: what stands at ``path``, and what was expected there."""
    return PositionError(f"position key {path}: {given}; expected {expected}")


def an_object(value: Any, path: str, keys: Sequence[str]) -> Mapping[str, Any]:
    """An object with no other keys than ``keys``."""
    if not isinstance(value, Mapping):
        raise impossible(path or "(whole)", repr(value), "an object")
    for key in value:
        if key not in keys:
            raise impossible(f"{path}.{key}" if path else str(key), "no such key", "one of " + ", ".join(keys))
    return value


def a_list(value: Any, path: str) -> Sequence[Any]:
    """A list."""
    if not isinstance(value, list | tuple):
        raise impossible(path, repr(value), "a list")
    return value


def a_text(value: Any, path: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise impossible(path, repr(value), "a text")
    return value


def a_flag(holder: Mapping[str, Any], key: str, path: str) -> bool:
    """A flag; false when it is not stated."""
    value = holder.get(key, False)
    if not isinstance(value, bool):
        raise impossible(path, repr(value), "true or false")
    return value


def whole(value: Any, path: str, least: int = 0, most: int = MOST) -> int:
    """An integer from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise impossible(path, shown(value), f"an integer from {least} to {most}")
    return value


def integer(holder: Mapping[str, Any], key: str, path: str, usual: int, least: int = 0, most: int = MOST) -> int:
    """An integer of ``holder``, ``usual`` when it is not stated."""
    return whole(holder[key], path, least, most) if key in holder else usual


def card_named(word: Any, path: str, edition: Edition) -> int:
    """The card of a name, the Dragon included."""
    card = CARDS[edition.name].get(word) if isinstance(word, str) else None
    if card is None:
        examples = f"{edition.names[8 * ELVES + COLOURS[-1]]!r} or {edition.card_words[SKELETONS]!r}"
        raise impossible(path, repr(word), f"a card such as {examples}")
    return card
