"""The two editions as data: their names, their figures, and the few rules in which they differ (E1 to E9, N1 to N5).

Types, colours and verbs are the same numbers in both; an edition names them.  ``Figures`` is what follows from edition,
seats and options together: what the rules ask for instead of asking which edition is played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rivalry_engine.ethnos.cards import ALLIES, DRAGON, FIELD, NUMBERS, SKELETON, copies, listed
from rivalry_engine.ethnos.data import (
    AGES,
    CENTAURS,
    DRAGON_COPIES,
    DRAGONS,
    DWARVES,
    ELVES,
    FAIRIES,
    GIANT_AWARDS,
    GIANT_BONUS,
    GIANTS,
    HALFLINGS,
    MERFOLK,
    MERFOLK_AWARDS,
    MINOTAURS,
    ORCS,
    RACCOONS,
    SKELETONS,
    TROLLS,
    WINGFOLK,
    WIZARDS,
    is_small,
)
from rivalry_engine.option import OptionValue


class Card:
    """A card as a bot's author reads it; equal cards of an edition are one object.  ``int(card)`` is its number."""

    __slots__ = ("colour", "name", "number", "tribe")

    def __init__(self, number: int, name: str, tribe: str, colour: str) -> None:
        self.number = number
        self.name = name
        """As the notation writes it, ``red elf``."""
        self.tribe = tribe
        """The Tribe, ``elves``; empty for the Dragon and an unseen card."""
        self.colour = colour
        """The colour, ``red``; empty for none."""

    def __int__(self) -> int:
        return self.number

    def __index__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Words:
    """What an edition calls the things of the game, as they stand in the middle of a sentence (N1)."""

    tribe: str
    band: str
    bands: str
    leader: str
    glory: str
    kingdom: str
    row: str
    giant_token: str
    merfolk_board: str
    orc_board: str
    troll_token: str
    skeletons: str


class Edition:
    """One edition."""

    __slots__ = (
        "card_words",
        "cards",
        "colour_words",
        "fields",
        "four_plus_tokens",
        "giant_awards",
        "giant_bonus",
        "glory_tokens",
        "is_ordered",
        "is_simultaneous",
        "kingdoms",
        "merfolk_awards",
        "merfolk_last",
        "merfolk_symbols",
        "name",
        "names",
        "odd_card_on_top",
        "tribe_words",
        "words",
    )

    name: str
    """``first`` or ``second``, as the option has it."""
    tribe_words: Mapping[int, str]
    """By type, ascending, the Tribes that the edition has; among them Fairies, which an option lets in."""
    card_words: Mapping[int, str]
    """By type, what one card of it is called, the Dragon included."""
    colour_words: tuple[str, ...]
    """By colour."""
    kingdoms: tuple[str, ...]
    """By colour, what the Kingdom is called."""
    words: Words
    glory_tokens: tuple[int, ...]
    """All Glory tokens (E1.5, N2.2)."""
    four_plus_tokens: tuple[int, ...]
    """Those of them that are marked 4+."""
    merfolk_last: int
    """The last space of the Merfolk board (E1.7, N3.5)."""
    merfolk_symbols: Mapping[bool, tuple[int, ...]]
    """The spaces of that board with a marker symbol; True with 2 or 3 seats."""
    merfolk_awards: Mapping[bool, tuple[int, ...]]
    """The awards of that board in the way of a Kingdom's tokens; True with 2 or 3 seats (E9.5, N3.5)."""
    giant_bonus: int
    """Glory at once for the largest Giant-led Band so far (E6.4, N3.3)."""
    giant_awards: Mapping[bool, tuple[int, ...]]
    """What the holder of the Giant token scores by Age; True with 2 or 3 seats (E6.4, N3.3)."""
    is_ordered: bool
    """True if an ability is carried out and not offered (N3.0)."""
    is_simultaneous: bool
    """True if the owners of Orc boards decide all at once (N3.6)."""
    odd_card_on_top: bool
    """True if the bottom half of an odd split is the smaller one (N2.4)."""

    names: tuple[str, ...]
    """By card number, its notation: ``red elf``, ``skeleton``, ``dragon``; ``?`` for what is no card of the edition."""
    cards: tuple[Card, ...]
    """By card number, the card as a bot's author reads it."""
    fields: int
    """The mask of the edition's Ally cards in a pack."""

    def __init__(
        self,
        *,
        name: str,
        tribes: Mapping[int, tuple[str, str]],
        skeleton: tuple[str, str],
        colour_words: tuple[str, ...],
        kingdoms: tuple[str, ...],
        words: Words,
        glory_tokens: tuple[int, ...],
        four_plus_tokens: tuple[int, ...],
        merfolk_last: int,
        merfolk_symbols: Mapping[bool, tuple[int, ...]],
        merfolk_awards: Mapping[bool, tuple[int, ...]],
        giant_bonus: int,
        giant_awards: Mapping[bool, tuple[int, ...]],
        is_ordered: bool,
        is_simultaneous: bool,
        odd_card_on_top: bool,
    ) -> None:
        """``tribes`` gives by type the words for the Tribe and for one of its cards."""
        self.name = name
        self.tribe_words = {type_: word for type_, (word, _) in tribes.items()} | {SKELETONS: skeleton[0]}
        self.card_words = {type_: word for type_, (_, word) in tribes.items()} | {
            SKELETONS: skeleton[1],
            DRAGONS: "dragon",
        }
        self.colour_words = ("", *colour_words)
        self.kingdoms = ("", *kingdoms)
        self.words = words
        self.glory_tokens = glory_tokens
        self.four_plus_tokens = four_plus_tokens
        self.merfolk_last = merfolk_last
        self.merfolk_symbols = merfolk_symbols
        self.merfolk_awards = merfolk_awards
        self.giant_bonus = giant_bonus
        self.giant_awards = giant_awards
        self.is_ordered = is_ordered
        self.is_simultaneous = is_simultaneous
        self.odd_card_on_top = odd_card_on_top
        self.names = tuple([self._named(card) for card in range(NUMBERS)])
        self.cards = tuple([self._card(card) for card in range(NUMBERS)])
        self.fields = sum([FIELD[card] for card in self.allies()])

    def allies(self) -> list[int]:
        """The different Ally cards of the edition, ascending, the Skeleton last."""
        return [card for card in ALLIES if card >> 3 in self.tribe_words]

    def read(self, pack: int) -> tuple[Card, ...]:
        """The cards of a pack as a bot's author reads them."""
        cards = self.cards
        return tuple([cards[card] for card in listed(pack)])

    def listing(self, pack: int) -> str:
        """The cards of a pack in words, with commas; empty for none."""
        names = self.names
        return ", ".join([names[card] for card in listed(pack)])

    def _named(self, card: int) -> str:
        if card in (DRAGON, SKELETON):
            return self.card_words[card >> 3]
        if not copies(card) or card >> 3 not in self.tribe_words:
            return "?"
        return f"{self.colour_words[card & 7]} {self.card_words[card >> 3]}"

    def _card(self, card: int) -> Card:
        if not copies(card) or card >> 3 not in self.tribe_words:
            return Card(card, self.names[card], "", "")
        return Card(card, self.names[card], self.tribe_words[card >> 3], self.colour_words[card & 7])


FIRST: Final = Edition(
    name="first",
    tribes={
        CENTAURS: ("centaurs", "centaur"),
        DWARVES: ("dwarves", "dwarf"),
        ELVES: ("elves", "elf"),
        GIANTS: ("giants", "giant"),
        HALFLINGS: ("halflings", "halfling"),
        MERFOLK: ("merfolk", "merfolk"),
        MINOTAURS: ("minotaurs", "minotaur"),
        ORCS: ("orcs", "orc"),
        TROLLS: ("trolls", "troll"),
        WINGFOLK: ("wingfolk", "wingfolk"),
        WIZARDS: ("wizards", "wizard"),
        FAIRIES: ("fairies", "fairy"),
    },
    skeleton=("skeletons", "skeleton"),
    colour_words=("orange", "green", "grey", "blue", "purple", "red"),
    kingdoms=("Ithys", "Althea", "Pelagon", "Straton", "Duris", "Rhea"),
    words=Words(
        tribe="tribe",
        band="Band",
        bands="Bands",
        leader="Leader",
        glory="Glory",
        kingdom="Kingdom",
        row="face-up cards",
        giant_token="Giant token",
        merfolk_board="Merfolk board",
        orc_board="Orc board",
        troll_token="Troll token",
        skeletons="Skeletons",
    ),
    glory_tokens=(0, 0, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6, 8, 8, 8, 10, 10),
    four_plus_tokens=(0, 4, 4, 6, 6, 10),
    merfolk_last=18,
    merfolk_symbols={False: (3, 7, 12, 18), True: (3, 7, 12, 18)},
    merfolk_awards=MERFOLK_AWARDS,
    giant_bonus=GIANT_BONUS,
    giant_awards=GIANT_AWARDS,
    is_ordered=False,
    is_simultaneous=False,
    odd_card_on_top=False,
)

SECOND: Final = Edition(
    name="second",
    tribes={
        CENTAURS: ("owl", "owl"),
        DWARVES: ("rabbit", "rabbit"),
        ELVES: ("red panda", "red panda"),
        GIANTS: ("bear", "bear"),
        MERFOLK: ("koi", "koi"),
        MINOTAURS: ("tiger", "tiger"),
        ORCS: ("monkey", "monkey"),
        TROLLS: ("fox", "fox"),
        WINGFOLK: ("deer", "deer"),
        WIZARDS: ("raven", "raven"),
        RACCOONS: ("raccoon", "raccoon"),
    },
    skeleton=("dog", "dog"),
    colour_words=("red", "blue", "green", "yellow", "black", "white"),
    kingdoms=("red", "blue", "green", "yellow", "black", "white"),
    words=Words(
        tribe="clan",
        band="party",
        bands="parties",
        leader="leader",
        glory="prestige",
        kingdom="region",
        row="ally pool",
        giant_token="Bear token",
        merfolk_board="Koi board",
        orc_board="settlement board",
        troll_token="Fox token",
        skeletons="Dogs",
    ),
    glory_tokens=(4, 4, 4, 4, 4, 4, 6, 6, 6, 6, 6, 8, 8, 8, 8, 10, 10, 12),
    four_plus_tokens=(4, 4, 4, 6, 6),
    merfolk_last=12,
    merfolk_symbols={False: (3, 7, 12), True: (4, 9)},
    merfolk_awards={False: (2, 4, 6), True: (2, 4)},
    giant_bonus=4,
    giant_awards={False: (4, 6, 8), True: (4, 6)},
    is_ordered=True,
    is_simultaneous=True,
    odd_card_on_top=True,
)

EDITIONS: Final[Mapping[str, Edition]] = {edition.name: edition for edition in (FIRST, SECOND)}

COINS: Final = (1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3)
"""The coins of the Raccoons, lowest first (N3.4)."""

FIRST_GAME: Final[Mapping[bool, tuple[int, ...]]] = {
    False: (ELVES, GIANTS, MINOTAURS, ORCS, TROLLS, WIZARDS),
    True: (ELVES, GIANTS, MINOTAURS, ORCS, WIZARDS),
}
"""The clans recommended for a first game; True with 2 or 3 seats (N2.3)."""


class Figures:
    """The rules' figures for one edition, number of seats and set of options."""

    __slots__ = (
        "ages",
        "centaurs_need_marker",
        "dragons_to_end",
        "edition",
        "giant_awards",
        "glory_tokens",
        "is_duel",
        "largest_band_only",
        "merfolk_awards",
        "merfolk_symbols",
        "outnumbers_all",
        "seats",
        "tokens_a_kingdom",
    )

    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        edition = EDITIONS[str(options["edition"])]
        seats = int(options["seats"])
        small = is_small(seats)
        pair = seats == 2 and options.get("two_player_exceptions", True) is True
        self.edition: Edition = edition
        self.seats: int = seats
        self.ages: int = AGES[seats]
        """How many Ages are played (E2, N2.4)."""
        self.merfolk_symbols: tuple[int, ...] = edition.merfolk_symbols[small]
        self.merfolk_awards: tuple[int, ...] = edition.merfolk_awards[small]
        self.giant_awards: tuple[int, ...] = edition.giant_awards[small]
        self.outnumbers_all: bool = pair
        """True if a Band must outnumber everybody's markers, not its owner's alone (E5.4, N4.1)."""
        self.is_duel: bool = pair
        """True if the second in a Kingdom earns nothing in Age II (E9.4, N4.1)."""
        self.centaurs_need_marker: bool = options.get("centaurs_need_marker", True) is True
        """True if only a Centaur-led Band that placed its marker is followed by another (E6.1, N3.1)."""
        self.largest_band_only: bool = options.get("ruleset") == "bga"
        """True if ties look at the single largest Band (E11)."""
        literal = small and options.get("dragons_to_end") == "literal"
        self.dragons_to_end: int = DRAGON_COPIES - 1 if literal else DRAGON_COPIES
        """The Dragon of this number ends its Age (E4.3, N5)."""
        tokens = list(edition.glory_tokens)
        count = 3
        if small and options.get("small_game_tokens", 2) == 2:
            count = 2
            for value in edition.four_plus_tokens:
                tokens.remove(value)
        self.tokens_a_kingdom: int = count
        self.glory_tokens: tuple[int, ...] = tuple(tokens)
        """The Glory tokens that are dealt, ascending; one may be too many, and stays out unseen (E2, N2.2, N2.6)."""


__all__ = ["COINS", "EDITIONS", "FIRST", "FIRST_GAME", "SECOND", "Card", "Edition", "Figures", "Words"]
