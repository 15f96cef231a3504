"""One playing of a game of OpenSpiel's."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.chance import Stream, seed_text
from rivalry_engine.error import RivalryError
from rivalry_engine.event import Event
from rivalry_engine.game import PUBLIC, Action, Choice, Objection, State, ranked
from rivalry_openspiel.bounds import UNASKED_MOST
from rivalry_openspiel.draws import drawn, unit
from rivalry_openspiel.notation import action_of, number_of, text_of
from rivalry_openspiel.seen import Setup, Sight

if TYPE_CHECKING:
    from rivalry_openspiel.game import OpenSpielGame

FLAT: Final = 256
"""So many actions are a choice each; of more, a choice offers a block of them as its parts."""
TRIES: Final = 1_000
"""How often a state is resampled until it looks the same."""
NOBODYS: Final = 0
"""What OpenSpiel wants of a player who has no action while others move."""


class OpenSpielState(State):
    """OpenSpiel's state, and what is ours around it: chance that was drawn, and answers that wait for one another."""

    __slots__ = ("_asked", "_draws", "_history", "_inner", "_legal", "_pending", "game", "seed")

    game: OpenSpielGame

    def __init__(self, game: OpenSpielGame, seed: bytes, inner: Any) -> None:
        """``inner`` is at its beginning."""
        self.game = game
        self.seed = seed
        self.log: list[Event] | None = None
        self._inner = inner
        self._history: list[int] = []
        """All that was done, by chance too; of seats that move at once in their order."""
        self._draws = 0
        self._pending: dict[int, int] = {}
        """By seat: what was answered while another is still asked."""
        self._legal: dict[int, dict[int, Action]] = {}
        """By seat: its legal actions by OpenSpiel's number, once they were asked for."""
        self._asked: tuple[int, ...] = ()

    def movers(self) -> Sequence[int]:
        return tuple(seat for seat in self._asked if seat not in self._pending) if self._pending else self._asked

    def question(self, seat: int) -> str:
        return "move"

    def choices(self, seat: int) -> Sequence[Choice]:
        actions = tuple(self.numbers(seat).values())
        if len(actions) <= FLAT:
            return [Choice(action) for action in actions]
        blocks = (len(actions) + FLAT - 1) // FLAT
        bounds = [len(actions) * block // blocks for block in range(blocks + 1)]
        return [Choice(actions[low], actions[low:high], 1, 1, 1) for low, high in pairwise(bounds)]

    def legal_actions(self, seat: int) -> Sequence[Action]:
        return tuple(self.numbers(seat).values())

    def objection(self, seat: int, action: Action) -> Objection | None:
        if seat not in self.movers():
            return Objection("not_asked", f"seat {seat} is not asked now")
        legal = self.numbers(seat)
        if action < 0 or number_of(action) not in legal:
            told = text_of(action) if action >= 0 else str(action)
            return Objection("illegal", f"{told} is none of the {len(legal)} legal actions")
        right = legal[number_of(action)]
        if right != action:
            return Objection("words", f"{text_of(action)!r} is written {text_of(right)!r} here")
        return None

    def apply(self, seat: int, action: Action) -> None:
        number = number_of(action)
        if not self._inner.is_simultaneous_node():
            if self.log is not None and self.game.is_open:
                self.log.append(Event("moved", {"seat": seat, "action": text_of(action)}))
            self._inner.apply_action(number)
            self._history.append(number)
            self._settle()
            return
        self._pending[seat] = number
        if len(self._pending) == len(self._asked):
            self._apply_together()

    def _apply_together(self) -> None:
        if self.log is not None and self.game.is_open:
            for seat in self._asked:
                told = text_of(self.numbers(seat)[self._pending[seat]])
                self.log.append(Event("moved", {"seat": seat, "action": told}))
        together = [self._pending.get(seat, NOBODYS) for seat in range(self.game.seats)]
        self._pending = {}
        self._inner.apply_actions(together)
        self._history += together
        self._settle()

    def settle(self) -> OpenSpielState:
        """Draws the chance before the first question; returns the state itself."""
        self._settle()
        return self

    def _settle(self) -> None:
        """Draws chance until a seat is asked, and says who is."""
        inner = self._inner
        self._legal = {}
        self._asked = ()
        unasked = 0
        while not inner.is_terminal():
            unasked += 1
            if unasked > UNASKED_MOST:
                raise RivalryError(
                    f"{self.game.name} draws chance or moves more than {UNASKED_MOST} times before a seat is asked; "
                    "choose parameters that make it smaller"
                )
            if inner.is_chance_node():
                self._draw()
            elif not inner.is_simultaneous_node():
                self._asked = (inner.current_player(),)
                return
            else:
                asked = tuple(seat for seat in range(self.game.seats) if inner.legal_actions(seat))
                if asked:
                    self._asked = asked
                    return
                together = [NOBODYS] * self.game.seats
                inner.apply_actions(together)
                self._history += together
        if self.log is not None:
            self.log.append(Event("over", {"scores": self.scores()}))

    def _draw(self) -> None:
        inner = self._inner
        outcome = drawn(
            [(int(number), share) for number, share in inner.chance_outcomes()],
            Stream(self.seed, f"chance/{self._draws}"),
        )
        self._draws += 1
        if self.log is not None and self.game.is_open and not self.game.draws_itself:
            self.log.append(Event("chance", {"outcome": inner.action_to_string(inner.current_player(), outcome)}))
        inner.apply_action(outcome)
        self._history.append(outcome)

    def played(self, history: Sequence[int]) -> OpenSpielState:
        """Does what ``history`` holds, chance included, from the beginning; returns the state itself.

        Raises ValueError that says which of it is impossible.
        """
        inner = self._inner
        place = 0
        while place < len(history) and not inner.is_terminal():
            number = history[place]
            if inner.is_simultaneous_node():
                together = list(history[place : place + self.game.seats])
                if len(together) < self.game.seats or not all(
                    number in (inner.legal_actions(seat) or [NOBODYS]) for seat, number in enumerate(together)
                ):
                    raise ValueError(f"{together} from place {place} are no actions of seats that move at once")
                inner.apply_actions(together)
                place += self.game.seats
                continue
            chance = inner.is_chance_node()
            allowed = [outcome for outcome, _ in inner.chance_outcomes()] if chance else inner.legal_actions()
            if number not in allowed:
                raise ValueError(f"{number} at place {place} is not legal there")
            inner.apply_action(number)
            self._draws += chance
            place += 1
        if place < len(history):
            raise ValueError(f"the game is over before place {place}")
        self._history = list(history)
        return self

    def setup(self) -> Setup:
        return self.game.setup

    def observe(self, audience: int) -> Sight:
        game, inner = self.game, self._inner
        over = inner.is_terminal()
        facts: dict[str, Any] = {
            "seat": None if audience == PUBLIC else audience,
            "to_move": list(self._asked),
            "over": over,
        }
        if game.is_open:
            if over:
                facts["scores"] = list(self.scores())
            facts["text"] = (
                str(inner) if audience == PUBLIC or not game.observes else inner.observation_string(audience)
            )
            if game.imagines:
                facts["history"] = list(self._history)
        elif audience == PUBLIC:
            if game.observer is not None:
                facts["text"] = game.observer.string_from(inner, 0)
        else:
            if game.observes:
                facts["text"] = inner.observation_string(audience)
            if game.remembers:
                facts["memory"] = inner.information_state_string(audience)
            if game.imagines:
                facts["history"] = self._witness(audience, facts["memory"])
        return Sight(audience, facts)

    def _witness(self, seat: int, memory: str) -> list[int]:
        """Actions that lead to a state that looks the same to ``seat``: they follow from what it was shown alone."""
        seed = sha256(f"{seat}/{memory}".encode()).digest()
        return self.resampled(seat, Stream(seed, "witness"))

    def resampled(self, seat: int, stream: Stream) -> list[int]:
        """The actions of some state that looks the same to ``seat``, as OpenSpiel draws it.

        What it draws for the end of a game may look otherwise (another wins with other cards): then it draws again.
        """
        inner = self._inner
        memory = inner.information_state_string(seat)
        for _ in range(TRIES):
            other = inner.resample_from_infostate(seat, lambda: unit(stream))
            if other.is_terminal() == inner.is_terminal() and other.information_state_string(seat) == memory:
                return [int(number) for number in other.history()]
        raise RivalryError(f"{self.game.name}: {TRIES} states that OpenSpiel resampled look otherwise to seat {seat}")

    def scores(self) -> tuple[int, ...]:
        if self.game.scores_at_end and not self._inner.is_terminal():
            return (0,) * self.game.seats
        return tuple(round(points * self.game.score_unit) for points in self._inner.returns())

    def ranks(self) -> tuple[int, ...]:
        return ranked(self.scores())

    def clone(self) -> OpenSpielState:
        if self.game.draws_itself:  # its clones would draw from the same source as it does
            twin = self.game.at_beginning(self.seed).played(self._history)
        else:
            twin = OpenSpielState(self.game, self.seed, self._inner.clone())
            twin._history = self._history.copy()
            twin._draws = self._draws
        twin._pending = self._pending.copy()
        twin._legal = self._legal.copy()
        twin._asked = self._asked
        return twin

    def position(self) -> dict[str, Any]:
        position = {
            "game": self.game.name,
            "options": self.game.options_given(),
            "seed": seed_text(self.seed),
            "history": list(self._history),
        }
        if self._pending:
            position["pending"] = [[seat, number] for seat, number in sorted(self._pending.items())]
        return position

    def numbers(self, seat: int) -> dict[int, Action]:
        """The legal actions of a seat by OpenSpiel's number."""
        legal = self._legal.get(seat)
        if legal is None:
            inner = self._inner
            numbers = inner.legal_actions(seat) if seat in self._asked else ()
            legal = self._legal[seat] = {
                number: action_of(number, inner.action_to_string(seat, number)) for number in numbers
            }
        return legal
