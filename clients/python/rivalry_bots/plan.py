"""What to build in Ethnos: which Band, how large, and whether there is still time for it.

A plan is a Leader in hand, its Tribe or its colour, and how many more fitting cards to recruit first.  Its worth is the
Band's, by how likely the Age lasts so long, less what the turns cost that it takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_bots.worth import Worth
from rivalry_engine.ethnos.cards import ALLIES, SKELETON, copies
from rivalry_engine.ethnos.data import HAND_LIMIT
from rivalry_engine.ethnos.sight import EthnosObservation

TURN: Final = 1500
"""What a turn is worth, in thousandths of a Glory: what waiting for another card costs."""
LARGEST: Final = 7
"""The largest Band that a plan waits for, Skeletons not counted: what pays most, and one card for the marker."""
LUCK: Final = 1900
"""Turns for a fitting card that does not lie face up, in thousandths."""
DRAWS: Final = 600
"""Cards that a seat draws from the deck in a turn, in thousandths."""
SURE: Final = 1000


class Groups:
    """How many cards of a list go together, Skeletons counted with every Tribe and every colour."""

    __slots__ = ("colours", "skeletons", "tribes")

    def __init__(self, cards: Sequence[int]) -> None:
        self.skeletons = skeletons = cards.count(SKELETON)
        self.tribes = tribes = [skeletons] * 16
        self.colours = colours = [skeletons] * 8
        for card in cards:
            if card != SKELETON:
                tribes[card >> 3] += 1
                colours[card & 7] += 1


class Plans:
    """The plans of one observation."""

    def __init__(self, seen: EthnosObservation, worth: Worth) -> None:
        self._worth = worth
        self._lasts = [lasts(seen, turns) for turns in range(2 * HAND_LIMIT)]
        self.row = [int(card) for card in seen.board.row]
        self.unseen = unseen(seen)
        self._weighed: dict[tuple[int, int, int, int, int], int] = {}

    def best(self, hand: Sequence[int], row: Sequence[int]) -> int:
        """The worth of the best plan for ``hand`` when ``row`` lies face up; 0 without any."""
        return self._best(hand, Groups(hand), Groups(row))

    def _best(self, hand: Sequence[int], held: Groups, row: Groups) -> int:
        best = 0
        for leader in hand:
            if leader == SKELETON:
                continue
            tribe, colour = leader >> 3, leader & 7
            along_tribe = (leader, held.tribes[tribe], held.skeletons, len(hand), row.tribes[tribe])
            along_colour = (leader, held.colours[colour], held.skeletons, len(hand), row.colours[colour])
            for plan in (along_tribe, along_colour):
                worth = self._weighed.get(plan)
                if worth is None:
                    worth = self._weighed[plan] = self._along(*plan)
                if worth > best:
                    best = worth
        return best

    def after_a_draw(self, hand: Sequence[int]) -> int:
        """The mean worth of the best plan after the deck's next card."""
        total = weight = 0
        row = Groups(self.row)
        for card, count in self.unseen:
            more = [*hand, card]
            total += count * self._best(more, Groups(more), row)
            weight += count
        return total // weight if weight else self.best(hand, self.row)

    def after_a_turn(self, worth: int) -> int:
        """What a plan is worth that begins with a recruit now: a turn is spent, and the Age may end before the next."""
        return worth * self._lasts[1] // SURE - TURN

    def _along(self, leader: int, size: int, skeletons: int, held: int, face_up: int) -> int:
        """The best worth of a Leader's plan along one axis over the numbers of cards it waits for."""
        best = self._worth.band(leader, size, skeletons, held - size)
        turns = 0
        for more in range(1, min(LARGEST + skeletons, HAND_LIMIT) - size + 1):
            turns += SURE if more <= face_up else LUCK
            lasts = self._lasts[min((turns + SURE - 1) // SURE, len(self._lasts) - 1)]
            rest = min(held - size + max(0, turns // SURE - more), HAND_LIMIT - size)
            worth = self._worth.band(leader, size + more, skeletons, rest) * lasts // SURE - TURN * turns // SURE
            best = max(best, worth)
        return best


def lasts(seen: EthnosObservation, turns: int) -> int:
    """How likely the Age lasts ``turns`` more rounds of the table, in thousandths (E3.2, E4.3).

    The Dragons left are anywhere in the part of the deck that may hold them.
    """
    board = seen.board
    missing = seen.setup.figures.dragons_to_end - board.dragons
    among = max(board.deck - board.safe, missing)
    drawn = turns * len(seen.seats) * DRAWS // SURE - board.safe
    ended = SURE
    for taken in range(missing):
        ended = ended * max(0, min(drawn, among) - taken) // (among - taken)
    return SURE - ended


def unseen(seen: EthnosObservation) -> list[tuple[int, int]]:
    """The cards of the Age that may still come, each with how many: none in hand, face up, known or in Bands."""
    known: dict[int, int] = {}
    shown = [*seen.hand, *seen.board.row]
    for seat in seen.seats:
        for band in seat.bands:
            shown.extend(band.cards)
        if seat.seat != seen.seat:
            shown.extend(seat.known)
    for card in shown:
        known[int(card)] = known.get(int(card), 0) + 1
    tribes = seen.setup.tribe_numbers
    left = [(card, copies(card) - known.get(card, 0)) for card in ALLIES if card >> 3 in tribes]
    return [(card, count) for card, count in left if count > 0]
