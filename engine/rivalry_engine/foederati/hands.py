"""A hand laid out for the questions about it; made once for as long as the hand stays the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.foederati.actions import CARD_PART, EXCHANGE, IN_PACK
from rivalry_engine.game import Choice

if TYPE_CHECKING:
    from rivalry_engine.foederati.maps import Map

Held = tuple[int, int, int, int]
"""Face, the squares it fits (all, for ``neighbour``), its part in choices, how many there are."""


class Hand:
    """The different cards of a hand, ascending, and the choice to exchange some of them."""

    __slots__ = ("cards", "exchange")

    def __init__(self, board: Map, pack: int) -> None:
        held = board.held
        counts = pack.to_bytes(len(held), "little")
        self.cards: list[Held] = [held[face][count] for face, count in enumerate(counts) if count]
        self.exchange: Choice | None = None
        """None for an empty hand (FO10.77)."""
        if pack:
            parts: tuple[int, ...] = ()
            for _, _, part, count in self.cards:
                parts += (part,) * count
            most = min(board.exchange_most, len(parts))
            self.exchange = Choice(EXCHANGE | IN_PACK[parts[0] - CARD_PART], parts, 1, most, 1)
