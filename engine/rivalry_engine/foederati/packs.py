"""Cards by their faces, and packs: how many cards of each face, as one int with eight bits a face.

A face's number is its place in the table of the map (``maps.Map.cards``); the size of a pack is ``pack % 255``.
"""

from __future__ import annotations

from typing import Final

FACES: Final = 98
"""No map has more faces than it has cards."""
FIELD_BITS: Final = 8
UNIT: Final[list[int]] = [1 << (FIELD_BITS * face) for face in range(128)]
"""A pack of one card."""
FIELD: Final[list[int]] = [255 << (FIELD_BITS * face) for face in range(128)]
_HIGH: Final = sum(128 << (FIELD_BITS * face) for face in range(FACES))


def size(pack: int) -> int:
    """How many cards a pack has."""
    return pack % 255


def count(pack: int, face: int) -> int:
    """How many cards of ``face`` a pack has."""
    return pack >> (FIELD_BITS * face) & 255


def faces(pack: int) -> tuple[int, ...]:
    """The different faces of a pack, ascending."""
    found: list[int] = []
    while pack:
        face = ((pack & -pack).bit_length() - 1) >> 3
        found.append(face)
        pack &= ~FIELD[face]
    return tuple(found)


def listed(pack: int) -> tuple[int, ...]:
    """The faces of all cards of a pack, ascending; equal ones stand as often as there are."""
    found: list[int] = []
    while pack:
        face = ((pack & -pack).bit_length() - 1) >> 3
        found += [face] * (pack >> (FIELD_BITS * face) & 255)
        pack &= ~FIELD[face]
    return tuple(found)


def packed(cards: tuple[int, ...] | list[int]) -> int:
    """The pack of some faces."""
    pack = 0
    for face in cards:
        pack += UNIT[face]
    return pack


def is_formed(pack: int) -> bool:
    """True if a pack has at most 98 cards, of faces that a map may have; any int from 0 may be asked about."""
    if pack >> (FIELD_BITS * FACES) or pack & _HIGH:
        return False
    return sum(pack.to_bytes(FACES, "little")) <= FACES


def holds(pack: int, part: int) -> bool:
    """True if ``part`` can be taken out of ``pack``; both are formed."""
    return not ((pack | _HIGH) - part) & _HIGH ^ _HIGH
