"""Foederati as numbers: planes of a hundred squares, cards by face, seats clockwise from the one that looks."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from rivalry_engine.error import RivalryError
from rivalry_engine.foederati.game import Foederati
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.question import KINDS
from rivalry_engine.foederati.sight import FoederatiObservation, SeatView, TurnView
from rivalry_engine.foederati.squares import SQUARES
from rivalry_engine.game import Game, Observation, View
from rivalry_environments.encoder import Encoder
from rivalry_environments.foederati_words import FoederatiWords
from rivalry_environments.layout import Layout, Vector

CARDS: Final = 98
"""In every deck."""
TRIGGERS: Final = 4
MOST_ROUND: Final = 100_000
STEPS_A_TURN: Final = 2_000
"""A turn cannot take more: two actions with their battles, one move, a ship from each sea square, all cards said."""


class FoederatiEncoder(Encoder):
    """All that an observation says, but for the order in which seats put down and drew cards; and not the map."""

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Foederati)
        super().__init__(game)
        seats, board = game.seats, game.board
        countries, faces = len(board.countries), len(board.cards)
        self.words = FoederatiWords(seats, board)
        score = _most_score(board, seats)
        self.scores = (0, score)
        rounds = game.stall_rounds * (seats * board.shields[seats] + countries + 2)
        self.most_steps = rounds * seats * STEPS_A_TURN
        self._faces = faces
        add = self.layout.add
        self._kind = add("kind", len(KINDS), 1, f"the question that is open: {', '.join(KINDS)}")
        self._asked = add("asked", seats, 1, "who is asked")
        self._round = add("round", 1, MOST_ROUND, "the round, from 1; 0 in the placement")
        self._first = add("first", seats, 1, "the first player of this round")
        self._founder = add("founder", countries * seats, 1, "by country, who founded it")
        self._fresh = add("founded_now", countries, 1, "the countries founded in this round")
        self._stall = add("stall", 1, game.stall_rounds, "rounds on end in which nothing stirred")
        self._stirred = add("stirred", 1, 1, "something stirred in this round")
        self._end = add("end", TRIGGERS, 1, "the trigger that ends the game after this round")
        self._reshuffles = add("reshuffles", 1, MOST_ROUND, "how often the discards became the pile")
        self._pool = add("pool", faces, CARDS, "the pile when it was last shuffled, by face")
        self._turn = _TurnBlock(self.layout, seats, board)
        self._hand = add("hand", faces, CARDS, "the own hand, by face")
        self._kept = add("kept", faces, CARDS, "the own hand at the last reshuffle, by face")
        block = Layout()
        self._part = _SeatBlock(block, faces, board, seats=seats, score=score)
        self._seats_at = self.layout.size
        for distance in range(seats):
            for row in block:
                add(f"p{distance}.{row.name}", row.size, row.most, row.meaning)
        self._blocks: list[tuple[SeatView, Vector] | None] = [None] * seats

    def write(self, observation: Observation, setup: View, vector: Vector) -> None:
        seen = observation
        if not isinstance(seen, FoederatiObservation):
            raise RivalryError(f"{observation!r} is no observation of Foederati")
        seats, faces = self.game.seats, self._faces
        own = max(seen.seat, 0)
        board = seen.board
        if seen.kind:
            vector[self._kind.start + KINDS.index(seen.kind)] = 1
        for at, seat in ((self._asked, seen.asked), (self._first, board.first)):
            if seat >= 0:
                vector[at.start + (seat - own) % seats] = 1
        vector[self._round] = board.round
        for founding in board.foundings:
            vector[self._founder.start + founding.country * seats + (founding.seat - own) % seats] = 1
            vector[self._fresh.start + founding.country] = founding.round == board.round
        vector[self._stall] = board.stall
        vector[self._stirred] = board.stirred
        if board.end_trigger:
            vector[self._end.start + board.end_trigger - 1] = 1
        vector[self._reshuffles] = board.reshuffles
        vector[self._pool] = _counts(board.pool_pack, faces)
        self._turn.write(seen.turn, vector, own)
        vector[self._hand] = _counts(seen.hand_pack, faces)
        vector[self._kept] = _counts(seen.kept_pack, faces)
        size = self._part.size
        for part in seen.seats:
            distance = (part.seat - own) % seats
            start = self._seats_at + size * distance
            vector[start : start + size] = self._block(part)
            vector[start + self._part.passed] = board.passed_mask >> part.seat & 1
            vector[start + self._part.attacked] = seen.turn.attacked_mask >> part.seat & 1

    def _block(self, part: SeatView) -> Vector:
        """What everybody knows of a seat; made once as long as the part is the same."""
        kept = self._blocks[part.seat]
        if kept is not None and kept[0] is part:
            return kept[1]
        made = self._part.made(part)
        self._blocks[part.seat] = (part, made)
        return made


class _TurnBlock:
    """The entries of the turn that runs and of the battle in it."""

    def __init__(self, layout: Layout, seats: int, board: Map) -> None:
        add = layout.add
        self._seats = seats
        self._faces = len(board.cards)
        strength = 5 + board.battle_bonus * board.hand_size
        self._active = add("active", seats, 1, "whose turn it is")
        self._used = add("used", 1, board.actions, "how often the turn has expanded or attacked")
        self._moved_once = add("moved_once", 1, 1, "the turn has migrated or exchanged")
        self._moved = add("moved", SQUARES, 1, "the squares of shields that have moved in this turn")
        self._acted = add("acted", 1, 1, "the turn has done something")
        self._pile = add("pile", 1, CARDS, "cards in the draw pile")
        self._discard = add("discard", self._faces, CARDS, "the discard pile, by face")
        self._target = add("target", SQUARES, 1, "the square that is attacked")
        self._defender = add("defender", seats, 1, "its owner")
        self._attack = add("attack", 1, strength, "the attacker's strength")
        self._defence = add("defence", 1, strength, "the defender's strength")
        self._played = add(
            "played", 2 * self._faces, CARDS, "cards of the battle, by face: attacker's, then defender's"
        )

    def write(self, turn: TurnView, vector: Vector, own: int) -> None:
        """Writes ``turn`` as the seat ``own`` sees it."""
        seats = self._seats
        if turn.active >= 0:
            vector[self._active.start + (turn.active - own) % seats] = 1
        vector[self._used] = turn.used
        vector[self._moved_once] = turn.moved_once
        vector[self._moved] = _squares(turn.moved_mask)
        vector[self._acted] = turn.acted
        vector[self._pile] = turn.pile
        vector[self._discard] = _counts(turn.discard_pack, self._faces)
        if turn.target < 0:
            return
        vector[self._target.start + turn.target] = 1
        vector[self._defender.start + (turn.defender - own) % seats] = 1
        vector[self._attack] = turn.attack
        vector[self._defence] = turn.defence
        for seat, face in turn.played_cards:
            vector[self._played.start + face + (seat == turn.defender) * self._faces] += 1


class _SeatBlock:
    """The entries of one seat."""

    def __init__(self, layout: Layout, faces: int, board: Map, *, seats: int, score: int) -> None:
        add = layout.add
        shields = board.shields[seats]
        self._faces = faces
        self._position = add("position", 1, score, "its score")
        self._supply = add("supply", 1, shields, "shields in its supply")
        self._lost = add("lost", 1, shields, "shields it lost")
        self._shields = add("shields", SQUARES, 1, "the squares of its shields, A1, A2, … J10")
        self._hand_size = add("hand_size", 1, board.hand_size, "cards in its hand")
        self._put = add("put", faces, CARDS, "cards it put down since the last reshuffle, by face; none before one")
        self._drawn = add("drawn", 1, CARDS, "cards it drew since the last reshuffle; none before one")
        self.passed = add("passed", 1, 1, "it has passed since the last turn that was no pass").start
        self.attacked = add("attacked", 1, 1, "it was attacked in this turn").start
        self.size = layout.size

    def made(self, part: SeatView) -> Vector:
        """The entries of ``part``, without those of the board and the turn."""
        vector = np.zeros(self.size, np.float32)
        vector[self._position] = part.position
        vector[self._supply] = part.supply
        vector[self._lost] = part.lost
        vector[self._shields] = _squares(part.shields_mask)
        vector[self._hand_size] = part.hand_size
        for entry in part.since:
            if entry >= 0:
                vector[self._put.start + entry] += 1
            else:
                vector[self._drawn] -= entry
        return vector


def _most_score(board: Map, seats: int) -> int:
    """More than any seat can come to: its start, every marker, all there is in every décompte, and the bumps."""
    scorings = len(board.countries) + 1
    clans = SQUARES // board.clan_least * max(board.clan_points, default=0)
    fleet = sum(board.maritime_points) + board.per_ship * board.sea.bit_count()
    tribes = sum([max(points, default=0) + board.sole_bonus for points in board.tribal])
    bumps = seats * (3 * scorings + len(board.track))
    return seats + sum([points for points, _ in board.track]) + scorings * (clans + fleet + tribes) + bumps


def _squares(mask: int) -> npt.NDArray[np.uint8]:
    return np.unpackbits(np.frombuffer(mask.to_bytes(13, "little"), np.uint8), count=SQUARES, bitorder="little")


def _counts(pack: int, faces: int) -> npt.NDArray[np.uint8]:
    """A pack has eight bits a face: its bytes are the counts."""
    return np.frombuffer(pack.to_bytes(faces, "little"), np.uint8)
