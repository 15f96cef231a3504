"""A hand laid out for the questions about it; made once for as long as the hand stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.foederati.actions import CARD_PART, EXCHANGE, IN_PACK
from rivalry_engine.foederati.packs import FIELD, FIELD_BITS
from rivalry_engine.foederati.squares import ALL
from rivalry_engine.game import Choice

if TYPE_CHECKING:
    from rivalry_engine.foederati.maps import Map


class Hand:
    """The different cards of a hand, ascending, and the choice to exchange some of them."""

    __slots__ = ("cards", "exchange")

    def __init__(self, board: Map, pack: int) -> None:
        self.cards: list[tuple[int, int, int, int]] = []
        """Face, the squares it fits (all, for ``neighbour``), its part in choices, how many there are."""
        parts: tuple[int, ...] = ()
        while pack:
            face = ((pack & -pack).bit_length() - 1) >> 3
            count = pack >> (FIELD_BITS * face) & 255
            pack &= ~FIELD[face]
            self.cards.append((face, ALL if face == board.neighbour else board.fits[face], CARD_PART + face, count))
            parts += (CARD_PART + face,) * count
        self.exchange: Choice | None = None
        """None for an empty hand (FO10.77)."""
        if parts:
            most = min(board.exchange_most, len(parts))
            self.exchange = Choice(EXCHANGE | IN_PACK[parts[0] - CARD_PART], parts, 1, most, 1)
