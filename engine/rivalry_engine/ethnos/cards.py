"""Cards and packed sets of cards.

A card is an int: 8 × type + colour, below 128; 0 is an unseen card.  A *pack* is a set of cards with copies as one int:
four bits a face, Skeletons in the highest field.  Packs are added and subtracted as ints; no field ever carries, since
three of its bits hold every count and the fourth is the guard that ``holds`` and ``less`` use.

Numbers and packs are the same for both editions; an edition has some of the types and names of its own for them
(``edition``).
"""

from __future__ import annotations

from typing import Final

from rivalry_engine.ethnos.data import (
    CENTAURS,
    COLOURS,
    COPIES,
    DRAGONS,
    HALFLING_COPIES,
    HALFLINGS,
    RACCOONS,
    SKELETON_COPIES,
    SKELETONS,
)

NUMBERS: Final = 128
"""Card numbers are below this."""
UNSEEN: Final = 0
SKELETON: Final = 8 * SKELETONS
DRAGON: Final = 8 * DRAGONS

FACES: Final = 78
"""Coloured faces that a pack has room for: types 1 to 13, six colours."""
SKELETON_SHIFT: Final = 4 * FACES


def of(tribe: int, colour: int) -> int:
    """The card of a Tribe and a colour; Skeletons have colour 0."""
    return 8 * tribe + colour


def tribe_of(card: int) -> int:
    """The type of a card."""
    return card >> 3


def colour_of(card: int) -> int:
    """The colour of a card, 0 for none."""
    return card & 7


def _slot(card: int) -> int:
    return FACES if card == SKELETON else 6 * (card >> 3) + (card & 7) - 7


def faces_of(tribe: int) -> list[int]:
    """The different cards of a Tribe, ascending."""
    return [SKELETON] if tribe == SKELETONS else [of(tribe, colour) for colour in COLOURS]


def copies(card: int) -> int:
    """How many cards of this face there are; 0 for what is no Ally card of any edition (E1.3, N2.1)."""
    if card == SKELETON:
        return SKELETON_COPIES
    if not CENTAURS <= card >> 3 <= RACCOONS or not 1 <= card & 7 <= 6:
        return 0
    return HALFLING_COPIES if card >> 3 == HALFLINGS else COPIES


ALLIES: Final = tuple(card for card in range(NUMBERS) if copies(card))
"""Every Ally card of both editions once, ascending, the Skeleton last."""

UNIT: Final[list[int]] = [1 << 4 * _slot(card) if copies(card) else 0 for card in range(NUMBERS)]
"""The pack of one card."""
FIELD: Final[list[int]] = [15 * unit for unit in UNIT]
"""The mask of a card's count in a pack."""

_AT: Final[list[int]] = [0] * (FACES + 1)
for _face in ALLIES:
    _AT[_slot(_face)] = _face

SKELETON_FIELD: Final = 15 << SKELETON_SHIFT
SKELETON_GUARD: Final = 16 << SKELETON_SHIFT
FACE_GUARDS: Final = sum(8 << 4 * slot for slot in range(FACES))
GUARDS: Final = FACE_GUARDS | SKELETON_GUARD
COLOURED: Final = (1 << SKELETON_SHIFT) - 1
"""All fields but that of the Skeletons."""
COUNTS: Final = sum(7 << 4 * _slot(card) for card in ALLIES if card != SKELETON) | SKELETON_FIELD
"""The bits that a pack may have."""

TRIBE_FIELDS: Final[list[int]] = [
    sum(FIELD[card] for card in ALLIES if card >> 3 == tribe) | SKELETON_FIELD for tribe in range(16)
]
"""Masks by Tribe: its faces and the Skeletons, which go with everything."""
COLOUR_FIELDS: Final[list[int]] = [
    sum(FIELD[card] for card in ALLIES if card & 7 == colour and colour) | SKELETON_FIELD for colour in range(8)
]
"""Masks by colour: its faces and the Skeletons."""

WHOLE: Final = sum(copies(card) * UNIT[card] for card in ALLIES)
"""Every Ally card of both editions."""
TEN_SKELETONS: Final = 10 * UNIT[SKELETON]

_OF_TRIBE: Final[list[list[int]]] = [
    [card for card in ALLIES if card >> 3 == tribe for _ in range(copies(card))] for tribe in range(16)
]

_LISTED: Final[dict[int, tuple[int, ...]]] = {}
_LISTED_LIMIT: Final = 1 << 13


def size(pack: int) -> int:
    """How many cards a pack of at most 14 holds: 16 is 1 modulo 15, so its digits add up."""
    return pack % 15


def count(pack: int, card: int) -> int:
    """How many copies of ``card`` a pack holds."""
    return (pack & FIELD[card]) // UNIT[card] if UNIT[card] else 0


def listed(pack: int) -> tuple[int, ...]:
    """The cards of a pack, ascending, copies repeated, Skeletons last."""
    found = _LISTED.get(pack)
    if found is None:
        if len(_LISTED) >= _LISTED_LIMIT:
            _LISTED.clear()
        found = _LISTED[pack] = _unpacked(pack)
    return found


def _unpacked(pack: int) -> tuple[int, ...]:
    found: list[int] = []
    while pack:  # from the top, since that shortens the integer
        card = _AT[(pack.bit_length() - 1) >> 2]
        pack -= UNIT[card]
        found.append(card)
    found.reverse()
    return tuple(found)


def faces(pack: int) -> list[int]:
    """The different cards of a pack, ascending, the Skeleton last."""
    found: list[int] = []
    for card in _unpacked(pack):
        if not found or found[-1] != card:
            found.append(card)
    return found


def packed(cards: tuple[int, ...] | list[int]) -> int:
    """The pack of some Ally cards."""
    pack = 0
    for card in cards:
        pack += UNIT[card]
    return pack


def holds(pack: int, other: int) -> bool:
    """True if every card of ``other`` is in ``pack``, copies counted."""
    return ((pack | GUARDS) - other) & GUARDS == GUARDS


def less(pack: int, other: int) -> int:
    """``pack`` without as many cards of ``other`` as it has: what is left of each face, at least 0."""
    if not pack:
        return 0
    left = (pack | GUARDS) - other
    mask = ((left & FACE_GUARDS) >> 3) * 7
    if left & SKELETON_GUARD:
        mask |= SKELETON_FIELD
    return left & mask


def deck_of(tribes: tuple[int, ...]) -> list[int]:
    """All Ally cards of some Tribes, ascending, copies repeated (E3.1)."""
    deck: list[int] = []
    for tribe in tribes:
        deck += _OF_TRIBE[tribe]
    return deck
