"""The words of Foederati: each means the same thing in every prompt of a map.

A command is said first, with its card or with the square it is about; then the square it goes to, or its cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.foederati import actions
from rivalry_engine.foederati.actions import CARD_PART
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.squares import NAMES, SQUARES
from rivalry_engine.game import Choice
from rivalry_environments.words import Vocabulary

DONE: Final = 0
AT: Final = 1
"""The first of the words for squares."""
ATTACK: Final = AT + SQUARES
MIGRATE: Final = ATTACK + SQUARES
SAIL: Final = MIGRATE + SQUARES
PLAIN: Final = SAIL + SQUARES
_PLAIN: Final = {
    actions.PLACE: "place",
    actions.EXCHANGE: "exchange",
    actions.REINFORCE: "reinforce",
    actions.END_TURN: "end turn",
    actions.PASS: "pass",
    actions.YIELD: "yield",
}
_PLACES: Final = {verb: PLAIN + place for place, verb in enumerate(_PLAIN)}
FIRST: Final = PLAIN + len(_PLAIN)
"""The first of the words that name a seat by its distance clockwise from the one asked."""


class FoederatiWords(Vocabulary):
    """``done``; squares; attack, migrate and sail by square; plain commands; seats; expand by card; cards."""

    done = DONE

    def __init__(self, seats: int, board: Map) -> None:
        names = [card.name for card in board.cards]
        self._expand = FIRST + seats
        self._card = self._expand + len(names)
        texts = ["done", *[f"at {square}" for square in NAMES]]
        for verb in ("attack", "migrate from", "sail from"):
            texts += [f"{verb} {square}" for square in NAMES]
        texts += _PLAIN.values()
        texts += [f"choose first p{distance}" for distance in range(seats)]
        texts += [f"expand {name}" for name in names]
        texts += [f"card {name}" for name in names]
        self.texts = tuple(texts)

    def choices(self, choices: Sequence[Choice]) -> list[int]:
        return [self._word(index, choice.action) for index, choice in enumerate(choices)]

    def parts(self, choice: Choice) -> Sequence[int]:
        return [AT + part if part < CARD_PART else self._card + part - CARD_PART for part in choice.parts]

    def _word(self, index: int, action: int) -> int:
        verb = action & 15
        if verb == actions.EXPAND:
            return self._expand + actions.other(action)
        if verb == actions.ATTACK:
            return ATTACK + actions.square(action)
        if verb == actions.MIGRATE:
            return MIGRATE + actions.other(action)
        if verb == actions.SAIL:
            return SAIL + actions.other(action)
        if verb == actions.CHOOSE_FIRST:  # its choices are the seats clockwise from the one asked
            return FIRST + index
        return _PLACES[verb]
