"""The words of Ethnos: each means the same thing in every prompt.

A card is said by its face.  A Band is said by its Leader and by what holds it together, Tribe or colour, then by its
other cards one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.ethnos import actions
from rivalry_engine.ethnos.cards import ALLIES, NUMBERS, SKELETON
from rivalry_engine.game import Choice, Game
from rivalry_environments.words import Vocabulary

KINDS: Final = (
    *("turn", "marker", "advance", "bonus", "horde", "token"),
    *("target", "further", "keep", "draw", "empty"),
)
"""The kinds of questions (E5.8)."""

FACES: Final = 79
"""Types 1 to 13 in six colours, and the card without a colour."""


FACE: Final = [FACES - 1 if card == SKELETON else 6 * (card >> 3) + (card & 7) - 7 for card in range(NUMBERS)]
"""By card, where it stands in a run of FACES: ascending by type, then by colour."""


UNKNOWN: Final = "?"
"""What a card is called that the edition does not have."""

DONE: Final = 0
TAKE: Final = 1
LEAD: Final = TAKE + FACES
LEAD_COLOUR: Final = LEAD + FACES
WITH: Final = LEAD_COLOUR + FACES
OTHERS: Final = WITH + FACES

_OTHERS: Final = (
    actions.draw(),
    actions.forced_pass(),
    actions.stop(),
    *[actions.mark(colour) for colour in range(7)],
    *[actions.token(value) for value in range(7)],
    *[
        does(flag)
        for does in (actions.advance, actions.horde, actions.draw_cards, actions.empty)
        for flag in (True, False)
    ],
)
KEEP: Final = OTHERS + len(_OTHERS)
_WORDS: Final = {action: OTHERS + index for index, action in enumerate(_OTHERS)}
NO_TARGET: Final = KEEP + 1
TARGETS: Final = NO_TARGET + 1


class EthnosWords(Vocabulary):
    """``done``; take, band by tribe, band by colour and with, for each face; every other action; keep.

    Where Fairies may come (E7), then no target, and the targets by their place among those offered.
    """

    done = DONE

    def __init__(self, game: Game) -> None:
        texts = ["done", *["unused"] * (OTHERS - 1), *[game.text(action) for action in _OTHERS], "keep"]
        self._words = dict(_WORDS)
        if game.options.get("fairies") is True:
            self._words[actions.no_swap()] = NO_TARGET
            texts += [game.text(actions.no_swap()), *[f"target {place}" for place in range(actions.MOST_BANDS)]]
        for card in ALLIES:
            name = game.part_text(card)
            if name == UNKNOWN:
                continue
            texts[TAKE + FACE[card]] = game.text(actions.take(card))
            texts[WITH + FACE[card]] = f"with {name}"
            if card != SKELETON:  # it leads no Band (E5.1)
                texts[LEAD + FACE[card]] = f"band {name} by tribe"
                texts[LEAD_COLOUR + FACE[card]] = f"band {name} by colour"
        self.texts = tuple(texts)

    def choices(self, choices: Sequence[Choice]) -> list[int]:
        words: list[int] = []
        led: set[int] = set()
        targets = TARGETS
        for choice in choices:
            action = choice.action
            verb = action & 15
            if verb == actions.BAND:
                leader = action >> 4 & 255
                # A Leader stands once with its Tribe and, where the cards differ, behind that once with its colour.
                words.append((LEAD_COLOUR if leader in led else LEAD) + FACE[leader])
                led.add(leader)
            elif verb == actions.TAKE:
                words.append(TAKE + FACE[action >> 4])
            elif verb == actions.KEEP:
                words.append(KEEP)
            elif action in self._words:
                words.append(self._words[action])
            else:
                assert verb == actions.SWAP, action
                words.append(targets)
                targets += 1
        return words

    def parts(self, choice: Choice) -> Sequence[int]:
        return [WITH + FACE[part] for part in choice.parts]
