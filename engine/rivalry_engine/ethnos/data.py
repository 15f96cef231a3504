"""Every number and name of the boxed game, in one place (E1 to E3, E6, E9): a correction is one line."""

from __future__ import annotations

from typing import Final

# A card's type: a Tribe, or the Dragon.  Skeletons come last so that ascending numbers put them last.
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
SKELETONS: Final = 14
DRAGONS: Final = 15

TRIBE_WORDS: Final[dict[int, str]] = {
    CENTAURS: "centaurs",
    DWARVES: "dwarves",
    ELVES: "elves",
    GIANTS: "giants",
    HALFLINGS: "halflings",
    MERFOLK: "merfolk",
    MINOTAURS: "minotaurs",
    ORCS: "orcs",
    TROLLS: "trolls",
    WINGFOLK: "wingfolk",
    WIZARDS: "wizards",
    SKELETONS: "skeletons",
}
"""The Tribes in the order of their numbers (E1.3)."""

CARD_WORDS: Final[dict[int, str]] = {
    CENTAURS: "centaur",
    DWARVES: "dwarf",
    ELVES: "elf",
    GIANTS: "giant",
    HALFLINGS: "halfling",
    MERFOLK: "merfolk",
    MINOTAURS: "minotaur",
    ORCS: "orc",
    TROLLS: "troll",
    WINGFOLK: "wingfolk",
    WIZARDS: "wizard",
    SKELETONS: "skeleton",
    DRAGONS: "dragon",
}

COLOURS: Final = range(1, 7)
"""The colours, which are also the Kingdoms; colour 0 is none (E1.2)."""

COLOUR_WORDS: Final = ("", "orange", "green", "grey", "blue", "purple", "red")
KINGDOMS: Final = ("", "Ithys", "Althea", "Pelagon", "Straton", "Duris", "Rhea")

COPIES: Final = 2
"""Cards of one Tribe and colour (E1.3)."""
HALFLING_COPIES: Final = 4
SKELETON_COPIES: Final = 12
"""Skeletons, which have no colour."""
DRAGON_COPIES: Final = 3

HAND_LIMIT: Final = 10

SEAT_COUNTS: Final = range(2, 7)
AGES: Final = (0, 0, 2, 2, 3, 3, 3)
"""Ages by the number of seats (E2)."""
TRIBES_IN_PLAY: Final = (0, 0, 5, 5, 6, 6, 6)
FACE_UP_A_SEAT: Final = 2

GLORY_TOKENS: Final = (0, 0, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6, 8, 8, 8, 10, 10)
"""All Glory tokens (E1.5)."""
FOUR_PLUS_TOKENS: Final = (0, 4, 4, 6, 6, 10)
"""Those of them that are marked 4+ and leave with 2 or 3 seats."""

SUPPLY: Final = 25
"""Markers of a seat beside the score marker (E1.6)."""
SUPPLY_WITH_MERFOLK: Final = 24

MERFOLK_LAST: Final = 18
"""The last space of the Merfolk board (E1.7)."""
MERFOLK_SYMBOLS: Final = (3, 7, 12, 18)
TROLL_TOKENS: Final = range(1, 7)

GIANT_BONUS: Final = 2
"""Glory at once for the largest Giant-led Band so far (E6.4)."""

GIANT_AWARDS: Final[dict[bool, tuple[int, ...]]] = {False: (2, 4, 6), True: (2, 5)}
"""What the holder of the Giant token scores by Age; True with 2 or 3 seats (E6.4)."""
MERFOLK_AWARDS: Final[dict[bool, tuple[int, ...]]] = {False: (1, 2, 4), True: (1, 3)}
"""The awards of the Merfolk board in the way of a Kingdom's tokens; True with 2 or 3 seats (E9.5)."""

BAND_GLORY: Final = (0, 0, 1, 3, 6, 10, 15)
"""Glory of a Band by its cards; more than six score as six (E9.6)."""
HORDE_GLORY: Final = (0, 1, 3, 6, 10, 15, 20)
"""Glory of an emptied Orc board by its markers (E9.7)."""


def is_small(seats: int) -> bool:
    """True with 2 or 3 seats: two Ages, five Tribes, no 4+ tokens (E2)."""
    return AGES[seats] == 2


def glory_tokens(seats: int) -> list[int]:
    """The Glory tokens in the game, ascending (E2)."""
    tokens = list(GLORY_TOKENS)
    if is_small(seats):
        for value in FOUR_PLUS_TOKENS:
            tokens.remove(value)
    return tokens
