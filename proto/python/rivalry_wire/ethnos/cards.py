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

_WIDTH: Final = 80
_MASKS: Final = tuple((1 << _WIDTH) - 1 << _WIDTH * part for part in range(-(-max(UNIT).bit_length() // _WIDTH)))
"""A pack in parts of twenty faces: what changes a pack changes one of them, and the others were seen before."""
_LIMIT: Final = 1 << 14
_PARTS: Final[dict[int, bytes]] = {}


def numbers_of(pack: int) -> bytes:
    """The cards of a pack, ascending, copies repeated, a byte each."""
    try:
        return b"".join([_PARTS[pack & mask] for mask in _MASKS])
    except KeyError:
        return b"".join([_part(pack & mask) for mask in _MASKS])


def _part(pack: int) -> bytes:
    numbers = bytearray()
    left = pack
    while left:  # from the top, since that shortens the integer
        card = _AT[left.bit_length() + 3 >> 2]
        left -= UNIT[card]
        numbers.append(card)
    numbers.reverse()
    if len(_PARTS) >= _LIMIT:
        _PARTS.clear()
    part = _PARTS[pack] = bytes(numbers)
    return part


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
