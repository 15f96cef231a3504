"""A match taken step by step: each step one seat says one word.

Seats that are asked at once are asked one after another in seat order.  None of their answers is applied, and none can
be seen, before all are in.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rivalry_engine import record
from rivalry_engine.chance import luck
from rivalry_engine.error import IllegalActionError, RivalryError
from rivalry_engine.event import Event
from rivalry_engine.game import Action, Game, Objection, State
from rivalry_engine.prompt import Answer, StatePrompt, judged
from rivalry_environments.encoder import Encoder
from rivalry_environments.layout import Vector
from rivalry_environments.saying import Saying, ways, words_of

OVER = -1


class Play:
    """One match; ``seat`` is asked for a word, OVER when there is none to ask."""

    __slots__ = ("_answered", "_movers", "_saying", "encoder", "log", "moves", "seat", "seed", "state")

    def __init__(self, encoder: Encoder, seed: bytes, *, logs: bool = False) -> None:
        self.encoder = encoder
        self.seed = seed
        self.state: State = encoder.game.new_state(seed)
        self.log: list[Event] | None = [] if logs else None
        """What happened, if it is kept."""
        self.state.log = self.log
        self.moves: list[tuple[int, Action]] = []
        """The actions so far, each with its seat: what a record holds."""
        self._answered: list[tuple[int, Action]] = []
        self._ask()

    @property
    def game(self) -> Game:
        """The rules."""
        return self.encoder.game

    @property
    def said(self) -> tuple[int, ...]:
        """The words of the decision that is open."""
        return self._saying.said if self._saying else ()

    def legal(self) -> list[int]:
        """What ``seat`` may say now, ascending; nothing when the match is over."""
        return sorted(self._saying.next) if self._saying else []

    def mask(self, seat: int) -> npt.NDArray[np.int8]:
        """1 for each word that ``seat`` may say now, all 0 for a seat that is not asked."""
        mask = np.zeros(len(self.encoder.words.texts), np.int8)
        if self._saying and seat == self.seat:
            mask[list(self._saying.next)] = 1
        return mask

    def say(self, word: int) -> None:
        """The asked seat says a word; raises IllegalActionError when it may not."""
        saying = self._saying
        if saying is None:
            raise RivalryError("the match is over; nothing can be said")
        saying.say(word)
        if saying.next:
            return
        self._answered.append((self.seat, saying.action(self.game)))
        self._ask()

    def vector(self, seat: int) -> Vector:
        """What ``seat`` observes, as the encoder's layout says."""
        layout = self.encoder.layout
        vector = np.zeros(layout.size, np.float32)
        self.encoder.write(self.state.observe(seat), self.state.setup(), vector)
        if seat == self.seat:
            start = layout["said"].start
            for word in self.said:
                vector[start + word] += 1
        return vector

    def prompt(self) -> StatePrompt:
        """The question that is open, as a bot gets it; raises RivalryError when the match is over."""
        if self.seat == OVER:
            raise RivalryError("the match is over; there is no prompt")
        number = 1 + sum([seat == self.seat for seat, _ in self.moves])
        return StatePrompt(self.state, self.seat, number=number, luck=luck(self.seed, self.seat))

    def words(self, answer: object) -> list[int]:
        """The words that say ``answer``, whatever a bot may answer; raises RivalryError when it is not legal.

        An answer by notation or action, such as a record holds, is looked for among all that can be said.
        """
        given, words = Answer.of(answer), self.encoder.words
        choices = self.prompt().choices
        if given.index is not None:
            return words_of(words, choices, given)
        action = judged(self.state, self.seat, choices, given)
        if isinstance(action, Objection):
            raise IllegalActionError(f"seat {self.seat}: {action.text} ({action.code})")
        for saying in ways(words, choices):
            if saying.action(self.game) == action:
                return list(saying.said)
        raise AssertionError(f"{self.game.name}: {self.game.text(action)!r} is legal, and no choice says it")

    def clone(self) -> Play:
        """An independent copy, with its log."""
        other = Play.__new__(Play)
        other.encoder = self.encoder
        other.seed = self.seed
        other.state = self.state.clone()
        other.log = None if self.log is None else self.log[:]
        other.state.log = other.log
        other.moves = self.moves[:]
        other.seat = self.seat
        other._movers = self._movers
        other._answered = self._answered[:]
        other._saying = self._saying.copy() if self._saying else None
        return other

    def record(self, names: Sequence[str] = ()) -> str:
        """The match so far as a record, with scores and ranks of this moment; ``rivalry verify`` reads it.

        ``names`` are those of the seats.
        """
        game = self.game
        if names and len(names) != game.seats:
            raise RivalryError(f"{len(names)} names were given; {game.name} has {game.seats} seats")
        seats = [{"name": name, "version": ""} for name in names or ["environment"] * game.seats]
        recorder = record.Recorder(
            game, self.seed, "0" * 32, seats=seats, time="untimed", policies={}, package="", protocol=0
        )
        for seat, action in self.moves:
            recorder.act(seat, game.text(action), 0)
        fell: list[int | None] = [None] * game.seats
        recorder.end(scores=self.state.scores(), ranks=self.state.ranks(), ends=["normal"] * game.seats, fell=fell)
        return recorder.text()

    def _ask(self) -> None:
        """Goes on to the next mover; applies the answers once all movers have given theirs."""
        movers = self._movers if self._answered else tuple(self.state.movers())
        if movers and len(self._answered) == len(movers):
            for seat, action in self._answered:
                self.state.apply(seat, action)
            self.moves += self._answered
            self._answered = []
            movers = tuple(self.state.movers())
        self._movers: tuple[int, ...] = movers
        self.seat: int = movers[len(self._answered)] if movers else OVER
        self._saying: Saying | None = Saying(self.encoder.words, self.state.choices(self.seat)) if movers else None
