"""Ethnos as a game: its options, and the way in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rivalry_engine.chance import Stream
from rivalry_engine.error import OptionError, RivalryError
from rivalry_engine.ethnos import bands, imagination, notation, telling
from rivalry_engine.ethnos.cards import name
from rivalry_engine.ethnos.data import (
    AGES,
    MERFOLK,
    SEAT_COUNTS,
    SUPPLY,
    SUPPLY_WITH_MERFOLK,
    TRIBE_WORDS,
    TRIBES_IN_PLAY,
)
from rivalry_engine.ethnos.glossary import GLOSSARY
from rivalry_engine.ethnos.sight import EthnosObservation
from rivalry_engine.ethnos.state import EthnosState
from rivalry_engine.event import Seen
from rivalry_engine.game import Choice, Game, Observation
from rivalry_engine.option import Option, OptionValue


class Ethnos(Game):
    """Ethnos, first edition, 2 to 6 seats."""

    name: ClassVar[str] = "ethnos"
    title: ClassVar[str] = "Ethnos"
    rules_version: ClassVar[int] = 1
    seat_counts: ClassVar[range] = SEAT_COUNTS
    usual_seats: ClassVar[int] = 4
    imagines: ClassVar[bool] = True
    has_positions: ClassVar[bool] = True
    glossary: ClassVar[Mapping[str, str]] = GLOSSARY
    echoes: ClassVar[frozenset[str]] = telling.ECHOES
    declared: ClassVar[tuple[Option, ...]] = (
        Option("edition", "word", "first", ("first",), "which edition's rules are played"),
        Option(
            "ruleset", "word", "standard", ("standard", "bga"), "bga: ties look at the single largest Band only (E11)"
        ),
        Option("fairies", "flag", False, (False,), "whether Fairies may be drawn; they are not built (E7)"),
        Option(
            "tribes",
            "words",
            None,
            tuple(TRIBE_WORDS.values()),
            "the Tribes in play, 6 of them, 5 with 2 or 3 seats; without it they are drawn (E2.2)",
        ),
        Option(
            "centaurs_need_marker", "flag", True, (), "a Centaur Band needs its marker placed for a further Band (E6.1)"
        ),
    )

    ages: int
    """How many Ages are played (E2)."""
    named_tribes: tuple[int, ...]
    """The types of the Tribes that the options name, ascending; empty if they are drawn."""
    centaurs_need_marker: bool
    largest_band_only: bool
    """True if ties look at the single largest Band (E11)."""

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        words = self.options["tribes"]
        if words is not None:
            expected = TRIBES_IN_PLAY[self.seats]
            if len(words) != expected:
                raise OptionError(
                    f"option tribes: {len(words)} were given; with {self.seats} seats expected {expected}"
                    f" different words out of {', '.join(TRIBE_WORDS.values())}"
                )
            words = tuple([word for word in TRIBE_WORDS.values() if word in words])
            self.options = {**self.options, "tribes": words}
        self.named_tribes = tuple([tribe for tribe, word in TRIBE_WORDS.items() if words and word in words])
        self.ages = AGES[self.seats]
        self.centaurs_need_marker = self.options["centaurs_need_marker"] is True
        self.largest_band_only = self.options["ruleset"] == "bga"

    def supply(self, tribes: Sequence[int]) -> int:
        """Markers of a seat at the start: one less when Merfolk are in play (E1.6)."""
        return SUPPLY_WITH_MERFOLK if MERFOLK in tribes else SUPPLY

    def new_state(self, seed: bytes) -> EthnosState:
        state = EthnosState(self)
        state.begin(seed)
        return state

    def text(self, action: int) -> str:
        return notation.text(action)

    def action(self, text: str) -> int:
        return notation.action(text)

    def part_text(self, part: int) -> str:
        return name(part)

    def event_text(self, seen: Seen) -> str:
        return telling.told(seen)

    def fill(self, choice: Choice, chosen: Sequence[int]) -> int:
        return bands.filled(choice, chosen)

    def imagine(self, seat: int, observation: Observation, rng: Stream) -> EthnosState:
        if not isinstance(observation, EthnosObservation) or observation.seat != seat:
            raise RivalryError(f"imagine: {observation!r} is no observation of Ethnos by seat {seat}")
        return imagination.state(self, observation, rng)

    def state_at(self, position: Mapping[str, Any]) -> EthnosState:
        from rivalry_engine.ethnos import position as positions

        return positions.state(self, position)
