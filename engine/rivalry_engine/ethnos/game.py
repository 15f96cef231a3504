"""Ethnos as a game: its options, and the way in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError
from rivalry_engine.ethnos import bands, glossary, imagination, notation, primer, telling, view
from rivalry_engine.ethnos.data import MERFOLK, SEAT_COUNTS, SUPPLY, SUPPLY_WITH_MERFOLK
from rivalry_engine.ethnos.edition import Edition, Figures
from rivalry_engine.ethnos.options import DECLARED, TRIBES, settled, spelled
from rivalry_engine.ethnos.sight import EthnosObservation
from rivalry_engine.ethnos.state import EthnosState
from rivalry_engine.event import Seen
from rivalry_engine.game import Choice, Game, Observation
from rivalry_engine.option import Option, OptionValue


class Ethnos(Game):
    """Ethnos, both editions, 2 to 6 seats."""

    name: ClassVar[str] = "ethnos"
    title: ClassVar[str] = "Ethnos"
    rules_version: ClassVar[int] = 1
    seat_counts: ClassVar[range] = SEAT_COUNTS
    usual_seats: ClassVar[int] = 4
    imagines: ClassVar[bool] = True
    has_positions: ClassVar[bool] = True
    glossary: ClassVar[Mapping[str, str]] = glossary.BOTH
    primer: ClassVar[str] = primer.BOTH
    echoes: ClassVar[frozenset[str]] = telling.ECHOES["first"]
    declared: ClassVar[tuple[Option, ...]] = DECLARED

    edition: Edition
    """The names and the data of the edition that is played."""
    figures: Figures
    """What the rules ask for, by edition, seats and options."""
    ages: int
    """How many Ages are played (E2, N2.4)."""
    named_tribes: tuple[int, ...]
    """The types of the Tribes that the options name, ascending; empty if they are drawn."""
    fairies: bool
    """True if Fairies may come (E7)."""

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        given = spelled(options or {})
        super().__init__(given)
        self.options = settled(given, self.options)
        self.figures = Figures(self.options)
        self.edition = self.figures.edition
        self.ages = self.figures.ages
        # One edition is played here, though the class speaks of both.
        object.__setattr__(self, "glossary", glossary.OF[self.edition.name])
        object.__setattr__(self, "primer", primer.OF[self.edition.name])
        object.__setattr__(self, "echoes", telling.ECHOES[self.edition.name])
        words = self.options[TRIBES[self.edition.name]] or ()
        self.named_tribes = tuple([tribe for tribe, word in self.edition.tribe_words.items() if word in words])
        self.fairies = self.options.get("fairies", False) is True

    def supply(self, tribes: Sequence[int]) -> int:
        """Markers of a seat at the start: one less when Merfolk are in play (E1.6)."""
        return SUPPLY_WITH_MERFOLK if MERFOLK in tribes else SUPPLY

    def new_state(self, seed: bytes) -> EthnosState:
        state = EthnosState(self)
        state.begin(seed)
        return state

    def text(self, action: int) -> str:
        return notation.text(self.edition, action)

    def action(self, text: str) -> int:
        return notation.action(self.edition, text)

    def part_text(self, part: int) -> str:
        return self.edition.names[part]

    def view(self, observation: Observation) -> str:
        if not isinstance(observation, EthnosObservation):
            return super().view(observation)
        return view.text(observation)

    def event_text(self, seen: Seen) -> str:
        return telling.told(self.figures, seen)

    def is_echo(self, seen: Seen) -> bool:
        return super().is_echo(seen) or telling.is_hidden_draw(seen)

    def fill(self, choice: Choice, chosen: Sequence[int]) -> int:
        return bands.filled(choice, chosen)

    def imagine(self, seat: int, observation: Observation, rng: Stream) -> EthnosState:
        if not isinstance(observation, EthnosObservation) or observation.seat != seat:
            raise RivalryError(f"imagine: {observation!r} is no observation of Ethnos by seat {seat}")
        return imagination.state(self, observation, rng)

    def state_at(self, position: Mapping[str, Any]) -> EthnosState:
        from rivalry_engine.ethnos import position as positions

        return positions.state(self, position)
