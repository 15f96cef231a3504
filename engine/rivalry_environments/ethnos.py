"""Ethnos as numbers, either edition: cards by face, seats clockwise from the one that looks."""

from __future__ import annotations

from typing import Final

import numpy as np

from rivalry_engine.error import RivalryError
from rivalry_engine.ethnos.cards import listed
from rivalry_engine.ethnos.data import SKELETONS
from rivalry_engine.ethnos.sight import EthnosObservation, SeatView
from rivalry_engine.game import Game, Observation, View
from rivalry_environments.encoder import Encoder
from rivalry_environments.ethnos_words import FACE, FACES, KINDS, EthnosWords
from rivalry_environments.layout import Layout, Vector

TYPES: Final = SKELETONS
"""Types of cards, numbered from 1."""
COLOURS: Final = 6
AGES: Final = 3
COINS: Final = 3
"""The values of coins go up to this."""
LARGEST: Final = 10
"""Bands of more cards than a hand cannot be."""
MARKERS: Final = 25
SPACES: Final = 18
TOKENS: Final = 6
MOST_SCORE: Final = 1_500
MOST_CARDS: Final = 160
"""No deck has more."""


class EthnosEncoder(Encoder):
    """All that an observation says, but for which cards lie in which of the Bands before the last."""

    most_steps: int = 1_000_000
    scores: tuple[int, int] = (0, MOST_SCORE)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.words = EthnosWords(game)
        seats = game.seats
        add = self.layout.add
        self._kind = add("kind", len(KINDS), 1, f"the question that is open: {', '.join(KINDS)}")
        self._asked = add("asked", seats, 1, "who is asked")
        self._bonus = add("bonus", 1, 9, "with the question bonus, how many are still to come")
        self._tribes = add("tribes", TYPES, 1, "the Tribes in play, by type from 1")
        self._tokens = add("tokens", COLOURS * AGES, 12, "by Kingdom, its Glory tokens from I up")
        self._ages = add("ages", 1, AGES, "how many Ages are played")
        self._age = add("age", 1, AGES, "the Age, from 1")
        self._first = add("first", seats, 1, "the first player of this Age")
        self._deck = add("deck", 1, MOST_CARDS, "cards in the deck")
        self._safe = add("safe", 1, MOST_CARDS, "how many of them, from the top, are certain to be no Dragons")
        self._dragons = add("dragons", 1, 3, "Dragons out")
        self._drawer = add("drawer", seats, 1, "who drew the last Dragon")
        self._giant = add("giant", seats, 1, "who holds the Giant token")
        self._row = add("row", FACES, 12, "face-up cards, by face")
        self._hand = add("hand", FACES, 12, "the own hand, by face")
        self._leader = add("band.leader", FACES, 1, "the Leader of the Band that the question is about")
        self._cards = add("band.cards", FACES, 12, "its cards, the Leader included, by face")
        self._coins: slice | None = None
        if game.options["edition"] == "second":
            self._coins = add("coins", COLOURS * COINS, 5, "by region, its coins of each value from 1")
            self._coins_left = add("coins_left", 1, 14, "coins that can still be placed")
        block = Layout()
        self._part = _SeatBlock(block)
        self._seats_at = self.layout.size
        for distance in range(seats):
            for row in block:
                add(f"p{distance}.{row.name}", row.size, row.most, row.meaning, least=row.least)
        self._kept: list[tuple[SeatView, Vector] | None] = [None] * seats

    def write(self, observation: Observation, setup: View, vector: Vector) -> None:
        seen = observation
        if not isinstance(seen, EthnosObservation):
            raise RivalryError(f"{observation!r} is no observation of Ethnos")
        seats = self.game.seats
        from_seat = max(seen.seat, 0)
        board = seen.board
        if seen.kind:
            vector[self._kind.start + KINDS.index(seen.kind)] = 1
        for at, seat in (
            *[(self._asked, seat) for seat in seen.movers],
            (self._first, board.first),
            (self._drawer, board.drawer),
            (self._giant, board.giant),
        ):
            if seat >= 0:
                vector[at.start + (seat - from_seat) % seats] = 1
        vector[self._bonus] = seen.bonus
        for tribe in seen.setup.tribe_numbers:
            vector[self._tribes.start + tribe - 1] = 1
        for kingdom, tokens in enumerate(seen.setup.tokens_by_colour):
            start = self._tokens.start + AGES * kingdom
            vector[start : start + len(tokens)] = tokens
        vector[self._ages] = seen.setup.ages
        vector[self._age] = board.age
        vector[self._deck] = board.deck
        vector[self._safe] = board.safe
        vector[self._dragons] = board.dragons
        _count(vector, self._row.start, board.row_pack)
        _count(vector, self._hand.start, seen.hand_pack)
        band = seen.band
        if band is not None:
            vector[self._leader.start + FACE[band.number & 255]] = 1
            _count(vector, self._cards.start, band.number >> 8)
        if self._coins is not None:
            for region, coins in enumerate(board.extra.coins):
                for value in coins:
                    vector[self._coins.start + COINS * region + value - 1] += 1
            vector[self._coins_left] = board.extra.coins_left
        size = self._part.size
        for part in seen.seats:
            start = self._seats_at + size * ((part.seat - from_seat) % seats)
            vector[start : start + size] = self._block(part)

    def _block(self, part: SeatView) -> Vector:
        """What everybody knows of a seat; made once as long as the part is the same."""
        kept = self._kept[part.seat]
        if kept is not None and kept[0] is part:
            return kept[1]
        made = self._part.made(part)
        self._kept[part.seat] = (part, made)
        return made


class _SeatBlock:
    """The entries of one seat."""

    def __init__(self, layout: Layout) -> None:
        add = layout.add
        self._glory = add("glory", 1, MOST_SCORE, "its score")
        self._hand_size = add("hand_size", 1, 10, "cards in its hand")
        self._known = add("known", FACES, 12, "those of them that everybody knows, by face")
        self._markers = add("markers", COLOURS, MARKERS, "its markers, by Kingdom")
        self._supply = add("supply", 1, MARKERS, "its markers not placed")
        self._merfolk = add("merfolk", 1, SPACES, "its space on the Merfolk board")
        self._horde = add("horde", COLOURS, 1, "the colours of its Orc board with a marker")
        self._trolls = add("trolls", TOKENS, 1, "its Troll tokens, by value from 1")
        self._sizes = add("bands", LARGEST, 99, "its Bands of this Age, by size from 1")
        self._leaders = add("leaders", FACES, 12, "the Leaders of its Bands, by face")
        self._played = add("played", FACES, 12, "all cards of its Bands, by face")
        self.size = layout.size

    def made(self, part: SeatView) -> Vector:
        """The entries of ``part``."""
        vector = np.zeros(self.size, np.float32)
        vector[self._glory] = part.glory
        vector[self._hand_size] = part.hand_size
        _count(vector, self._known.start, part.known_pack)
        vector[self._markers] = part.markers_by_colour
        vector[self._supply] = part.supply
        vector[self._merfolk] = part.merfolk
        vector[self._horde] = [part.horde_mask >> colour & 1 for colour in range(1, COLOURS + 1)]
        vector[self._trolls] = [part.troll_mask >> value & 1 for value in range(1, TOKENS + 1)]
        for number in part.band_numbers:
            cards = listed(number >> 8)
            if cards:
                vector[self._sizes.start + len(cards) - 1] += 1
            vector[self._leaders.start + FACE[number & 255]] += 1
            for card in cards:
                vector[self._played.start + FACE[card]] += 1
        return vector


def _count(vector: Vector, start: int, pack: int) -> None:
    for card in listed(pack):
        vector[start + FACE[card]] += 1
