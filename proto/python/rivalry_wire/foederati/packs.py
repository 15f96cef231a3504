"""Packs and sets of squares to lists of numbers, and back, checked."""

from __future__ import annotations

from collections.abc import Iterable

from rivalry_engine.foederati import packs
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.squares import SQUARES
from rivalry_wire.reading import UnreadableError


def pack_of(faces: Iterable[int], board: Map) -> int:
    """The pack of some faces; raises UnreadableError for a number that is none, or more than the deck has."""
    listed = list(faces)
    known = len(board.cards)
    for face in listed:
        if not 0 <= face < known:
            raise UnreadableError(f"card {face}; expected 0 to {known - 1}")
    if len(listed) > len(board.deck):
        raise UnreadableError(f"{len(listed)} cards; the deck has {len(board.deck)}")
    pack = packs.packed(listed)
    if not packs.holds(board.deck_pack, pack):
        raise UnreadableError(f"cards {listed}, of which the deck has not so many")
    return pack


def mask_of(numbers: Iterable[int], *, below: int = SQUARES, what: str = "square") -> int:
    """The set of some squares, or of other numbers below ``below``; raises UnreadableError."""
    mask = 0
    for number in numbers:
        if not 0 <= number < below:
            raise UnreadableError(f"{what} {number}; expected 0 to {below - 1}")
        mask |= 1 << number
    return mask


def square_of(number: int) -> int:
    """A square; raises UnreadableError."""
    if not 0 <= number < SQUARES:
        raise UnreadableError(f"square {number}; expected 0 to {SQUARES - 1}")
    return number
