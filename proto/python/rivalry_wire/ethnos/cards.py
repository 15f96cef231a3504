"""Cards of Ethnos: packs to the bytes of their numbers, and numbers to packs, checked."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from rivalry_engine.ethnos.cards import ALLIES, NUMBERS, UNIT, copies
from rivalry_wire.reading import UnreadableError

COPIES: Final = tuple(copies(card) for card in range(NUMBERS))
_WRONG: Final = "is no Ally card, or stands more often than there are copies"


_AT: Final = {UNIT[card].bit_length() + 3 >> 2: card for card in ALLIES}
"""Cards by their place in a pack, counted from 1."""


def numbers_of(pack: int) -> bytes:
    """The cards of a pack, ascending, copies repeated, a byte each; from the top, since that shortens the integer."""
    numbers = bytearray()
    while pack:
        card = _AT[pack.bit_length() + 3 >> 2]
        pack -= UNIT[card]
        numbers.append(card)
    numbers.reverse()
    return bytes(numbers)


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
