"""Cards of Ethnos as they are read: numbers to packs, checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rivalry_engine.ethnos.cards import NUMBERS, UNIT, copies, count
from rivalry_wire.reading import UnreadableError

COPIES: Final = tuple(copies(card) for card in range(NUMBERS))


def pack_of(cards: Iterable[int]) -> int:
    """The pack of some Ally cards; raises UnreadableError on another card, or on more of a face than the box has."""
    pack = 0
    for card in cards:
        if not 0 <= card < NUMBERS or count(pack, card) >= COPIES[card]:
            raise UnreadableError(f"{card} is no Ally card, or stands more often than there are copies")
        pack += UNIT[card]
    return pack
