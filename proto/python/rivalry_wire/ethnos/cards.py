"""Cards of Ethnos as they are read: numbers to packs, checked."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rivalry_engine.ethnos.cards import NUMBERS, UNIT, copies
from rivalry_wire.reading import UnreadableError

COPIES: Final = tuple(copies(card) for card in range(NUMBERS))
_WRONG: Final = "is no Ally card, or stands more often than there are copies"


def pack_of(cards: Iterable[int]) -> int:
    """The pack of some Ally cards; raises UnreadableError on another card, or on more of a face than the box has."""
    numbers = tuple(cards)
    try:
        return _packed(bytes(numbers))
    except ValueError as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(f"one of {numbers} {_WRONG}") from error


@lru_cache(maxsize=1 << 13)
def _packed(cards: bytes) -> int:
    pack = 0
    for card in cards:
        if card >= NUMBERS or cards.count(card) > COPIES[card]:
            raise UnreadableError(f"{card} {_WRONG}")
        pack += UNIT[card]
    return pack
