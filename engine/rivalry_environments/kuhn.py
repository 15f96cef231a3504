"""Kuhn poker as numbers."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.error import RivalryError
from rivalry_engine.game import Choice, Game, Observation, View
from rivalry_engine.kuhn import BET, CARDS, PASS, WORDS, KuhnObservation
from rivalry_environments.encoder import Encoder
from rivalry_environments.layout import Vector
from rivalry_environments.words import Vocabulary

MOVES = 3
"""A match has at most so many actions."""


class KuhnWords(Vocabulary):
    """Pass and bet."""

    texts = tuple(WORDS.values())
    done = -1

    def choices(self, choices: Sequence[Choice]) -> list[int]:
        return [choice.action - PASS for choice in choices]

    def parts(self, choice: Choice) -> Sequence[int]:
        return ()


class KuhnEncoder(Encoder):
    """The own card, and what was bet."""

    most_steps: int = MOVES
    scores: tuple[int, int] = (-2, 2)
    zero_sum: bool = True

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.words = KuhnWords()
        add = self.layout.add
        self._seat = add("seat", 2, 1, "the seat that looks, one of them 1")
        self._card = add("card", 3, 1, "its card: jack, queen, king, one of them 1")
        self._moves = add("moves", 2 * MOVES, 1, "for each action made, in order: pass, bet, one of them 1")
        self._shown = add("shown", 6, 1, "for each seat the card it showed: jack, queen, king")

    def write(self, observation: Observation, setup: View, vector: Vector) -> None:
        if not isinstance(observation, KuhnObservation):
            raise RivalryError(f"{observation!r} is no observation of Kuhn poker")
        if observation.seat >= 0:
            vector[self._seat.start + observation.seat] = 1
        if observation.card in CARDS:
            vector[self._card.start + observation.card - 1] = 1
        for number, move in enumerate(observation.moves):
            vector[self._moves.start + 2 * number + (move == BET)] = 1
        for seat, card in enumerate(observation.shown):
            vector[self._shown.start + 3 * seat + card - 1] = 1
