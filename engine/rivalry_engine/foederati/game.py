"""Foederati as a game: its options, and the way in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.foederati import actions, imagination, notation, options, telling, view
from rivalry_engine.foederati.glossary import GLOSSARY
from rivalry_engine.foederati.maps import SEATS, Map
from rivalry_engine.foederati.primer import PRIMER
from rivalry_engine.foederati.sight import FoederatiObservation, FoederatiSetup
from rivalry_engine.foederati.state import FoederatiState
from rivalry_engine.game import Choice, Game, Observation
from rivalry_engine.option import Option, OptionValue


class Foederati(Game):
    """Foederati, 2 to 5 seats."""

    name: ClassVar[str] = "foederati"
    title: ClassVar[str] = "Foederati"
    rules_version: ClassVar[int] = 1
    seat_counts: ClassVar[range] = SEATS
    usual_seats: ClassVar[int] = 4
    imagines: ClassVar[bool] = True
    has_positions: ClassVar[bool] = True
    glossary: ClassVar[Mapping[str, str]] = GLOSSARY
    primer: ClassVar[str] = PRIMER
    echoes: ClassVar[frozenset[str]] = telling.ECHOES
    declared: ClassVar[tuple[Option, ...]] = options.DECLARED

    board: Map
    facts: FoederatiSetup
    last_free: list[int]
    """By face, the free squares it fitted when a choice of ``expand`` was made with it last; kept for speed."""
    last_expansion: list[Choice]
    """By face, that choice."""

    def __init__(self, given: Mapping[str, OptionValue] | None = None) -> None:
        stated = given or {}
        self.board = options.read_map(stated.get("map", {}))
        super().__init__(options.given_by_name(stated, self.board))
        self.options = {name: value for name, value in self.options.items() if name != "preset"}
        options.check(self.options)
        own = self.options
        self.only_red_scores = own["scoring_scope"] == "red-only"
        self.final_tribal_always = own["final_tribal"] == "always"
        self.attack_full_seas = own["attack_full_seas"] is True
        self.attack_needs_card = own["attack_needs_opening_card"] is True
        self.failure_costs = own["attacker_loses_shield_on_failure"] is True
        self.tie_to_attacker = own["battle_tie_to"] == "attacker"
        self.stall_rounds = int(own["stall_rounds"])
        self.start_space = int(own["start_spaces"])
        self.first_player = -1 if own["first_player"] == "random" else int(own["first_player"])
        self.last_free = [0] * len(self.board.cards)
        self.last_expansion = [Choice(0)] * len(self.board.cards)
        self.facts = FoederatiSetup(self.seats, self.options, self.board)

    def new_state(self, seed: bytes) -> FoederatiState:
        state = FoederatiState(self)
        state.begin(seed)
        return state

    def text(self, action: int) -> str:
        return notation.text(self.board, action)

    def action(self, text: str) -> int:
        return notation.action(self.board, text)

    def part_text(self, part: int) -> str:
        return notation.part_text(self.board, part)

    def view(self, observation: Observation) -> str:
        if not isinstance(observation, FoederatiObservation):
            return super().view(observation)
        return view.text(observation)

    def event_text(self, seen: Seen) -> str:
        return telling.told(self.board, seen)

    def fill(self, choice: Choice, chosen: Sequence[int]) -> int:
        return actions.filled(choice, chosen)

    def imagine(self, seat: int, observation: Observation, rng: Stream) -> FoederatiState:
        if not isinstance(observation, FoederatiObservation) or observation.seat != seat:
            raise RivalryError(f"imagine: {observation!r} is no observation of Foederati by seat {seat}")
        return imagination.state(self, observation, rng)

    def state_at(self, position: Mapping[str, Any]) -> FoederatiState:
        from rivalry_engine.foederati import position as positions

        return positions.state(self, position)
