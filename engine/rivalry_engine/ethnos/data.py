"""The numbers that both editions share (E1 to E3, E6, E9); what is an edition's own stands in ``edition``."""

from __future__ import annotations

from typing import Final

# A card's type: a Tribe, or the Dragon.  Skeletons come last so that ascending numbers put them last.  A clan of the
# second edition has the type of the Tribe that does the same (N1); Raccoons have one of their own.
CENTAURS: Final = 1
DWARVES: Final = 2
ELVES: Final = 3
GIANTS: Final = 4
HALFLINGS: Final = 5
MERFOLK: Final = 6
MINOTAURS: Final = 7
ORCS: Final = 8
TROLLS: Final = 9
WINGFOLK: Final = 10
WIZARDS: Final = 11
FAIRIES: Final = 12
RACCOONS: Final = 13
SKELETONS: Final = 14
DRAGONS: Final = 15

COLOURS: Final = range(1, 7)
"""The colours, which are also the Kingdoms; colour 0 is none (E1.2)."""

COPIES: Final = 2
"""Cards of one Tribe and colour (E1.3)."""
HALFLING_COPIES: Final = 4
"""Halflings of one colour."""
SKELETON_COPIES: Final = 12
"""Skeletons, which have no colour."""
DRAGON_COPIES: Final = 3

HAND_LIMIT: Final = 10

SEAT_COUNTS: Final = range(2, 7)
AGES: Final = (0, 0, 2, 2, 3, 3, 3)
"""Ages by the number of seats (E2)."""
TRIBES_IN_PLAY: Final = (0, 0, 5, 5, 6, 6, 6)
FACE_UP_A_SEAT: Final = 2

SUPPLY: Final = 25
"""Markers of a seat beside the score marker (E1.6)."""
SUPPLY_WITH_MERFOLK: Final = 24

TROLL_TOKENS: Final = range(1, 7)

GIANT_BONUS: Final = 2
"""Glory at once for the largest Giant-led Band so far, in the first edition (E6.4)."""
GIANT_AWARDS: Final[dict[bool, tuple[int, ...]]] = {False: (2, 4, 6), True: (2, 5)}
"""What the holder of the Giant token scores by Age; True with 2 or 3 seats; in the first edition (E6.4)."""
MERFOLK_AWARDS: Final[dict[bool, tuple[int, ...]]] = {False: (1, 2, 4), True: (1, 3)}
"""The awards of the Merfolk board; True with 2 or 3 seats; in the first edition (E9.5)."""

BAND_GLORY: Final = (0, 0, 1, 3, 6, 10, 15)
"""Glory of a Band by its cards; more than six score as six (E9.6)."""
HORDE_GLORY: Final = (0, 1, 3, 6, 10, 15, 20)
"""Glory of an emptied Orc board by its markers (E9.7)."""


def is_small(seats: int) -> bool:
    """True with 2 or 3 seats: two Ages, five Tribes, no 4+ tokens (E2)."""
    return AGES[seats] == 2
