"""Kuhn poker, the worked example of a game (H. W. Kuhn, "A Simplified Two-Person Poker", 1950).

Two seats put one chip each, and each gets one of three cards.  Seat 0 passes or bets one more chip; then seat 1; after
a pass and a bet seat 0 once more.  A pass against a bet folds.  Otherwise the higher card takes the pot.  Scores are
chips won or lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rivalry_engine.chance import Stream, seed_from_text, seed_text
from rivalry_engine.error import NotationError, PositionError, RivalryError
from rivalry_engine.event import Event, Seen
from rivalry_engine.game import PUBLIC, Action, Choice, Game, Objection, Observation, State, View, ranked

PASS: Final = 1
BET: Final = 2
WORDS: Final = {PASS: "pass", BET: "bet"}
CARDS: Final = {1: "jack", 2: "queen", 3: "king"}
ANTE: Final = 1
KEYS: Final = ("game", "options", "seed", "cards", "moves")
CHOICES: Final = (Choice(PASS), Choice(BET))


@dataclass(frozen=True, slots=True)
class KuhnSetup(View):
    """What both seats have paid before the cards are dealt, in chips."""

    ante: int

    def json(self) -> dict[str, Any]:
        return {"ante": self.ante}


@dataclass(frozen=True, slots=True)
class KuhnObservation(Observation):
    """``card`` is the audience's own (0 for the public); ``shown`` both cards once they were shown, else empty."""

    seat: int
    card: int
    moves: tuple[int, ...]
    shown: tuple[int, ...]

    def json(self) -> dict[str, Any]:
        return {
            "seat": None if self.seat == PUBLIC else self.seat,
            "card": CARDS.get(self.card),
            "moves": [WORDS[move] for move in self.moves],
            "shown": [CARDS[card] for card in self.shown],
        }


class Kuhn(Game):
    """Kuhn poker: no options."""

    name = "kuhn"
    title = "Kuhn poker"
    rules_version = 1
    seat_counts = range(2, 3)
    usual_seats = 2
    imagines = True
    has_positions = True
    glossary: ClassVar[Mapping[str, str]] = {
        "pass": "check, or fold against a bet",
        "bet": "put in one more chip, or call a bet with it",
        "jack, queen, king": "the three cards, lowest to highest; each seat holds one, the third lies aside",
        "ante": "the one chip each seat has paid before the cards are dealt",
    }
    primer = """\
Two players, three cards: jack, queen, king. Each player has put one chip (the ante) into the pot and holds one card
that the other does not see; the third card lies aside, unseen.

Seat 0 begins and says "pass" or "bet"; a bet puts one more chip into the pot.
- After a pass seat 1 may pass too: then both show, and the higher card takes the pot (each wins or loses 1).
- After a pass seat 1 may bet: then seat 0 passes, which folds and loses 1, or bets, which calls.
- After a bet seat 1 passes, which folds and loses 1, or bets, which calls.
After a call both show, and the higher card takes the pot (each wins or loses 2).

A score is the chips won, or lost when it is below zero.
"""
    echoes = frozenset(("moved",))

    def new_state(self, seed: bytes) -> KuhnState:
        cards = sorted(CARDS)
        Stream(seed, "deal").shuffle(cards)
        return KuhnState(self, seed, (cards[0], cards[1]), ())

    def text(self, action: Action) -> str:
        return WORDS[action]

    def action(self, text: str) -> Action:
        for action, word in WORDS.items():
            if text.strip().lower() == word:
                return action
        raise NotationError(f"{text!r} is no action of Kuhn poker; expected pass or bet")

    def view(self, observation: Observation) -> str:
        if not isinstance(observation, KuhnObservation):
            return super().view(observation)
        seat, moves = observation.seat, observation.moves
        lines = ["Kuhn poker, seen by nobody's seat" if seat == PUBLIC else f"Kuhn poker: you are seat {seat}"]
        if seat != PUBLIC:
            lines.append(f"Your card: {CARDS[observation.card]}")
        lines.append(f"Pot: {2 * ANTE + moves.count(BET)} chips, {ANTE} from each seat before the deal")
        said = [f"seat {number % 2} {WORDS[move]}" for number, move in enumerate(moves)]
        lines.append(f"So far: {', '.join(said) or 'nobody has said anything'}")
        if observation.shown:
            shown = [f"seat {each} {CARDS[card]}" for each, card in enumerate(observation.shown)]
            lines.append(f"Shown: {', '.join(shown)}")
        return "\n".join(lines)

    def event_text(self, seen: Seen) -> str:
        facts = seen.facts
        if seen.kind == "dealt":
            return f"dealt: {CARDS[facts['card']]}" if "card" in facts else "dealt"
        if seen.kind == "moved":
            return f"seat {facts['seat']}: {WORDS[facts['move']]}"
        if seen.kind == "showdown":
            return "shown: " + ", ".join(CARDS[card] for card in facts["cards"])
        return f"seat {facts['winner']} wins {facts['chips']}"

    def imagine(self, seat: int, observation: Observation, rng: Stream) -> KuhnState:
        if not isinstance(observation, KuhnObservation):
            raise RivalryError(f"{observation!r} is no observation of Kuhn poker")
        if observation.shown:
            cards = (observation.shown[0], observation.shown[1])
        else:
            other = rng.choice([card for card in CARDS if card != observation.card])
            cards = (observation.card, other) if seat == 0 else (other, observation.card)
        return KuhnState(self, rng.seed(), cards, observation.moves)

    def state_at(self, position: Mapping[str, Any]) -> KuhnState:
        """Keys: ``game options seed cards moves``, each but the first optional."""
        for key in position:
            if key not in KEYS:
                raise PositionError(f"position key {key}: unknown; a position of kuhn has {' '.join(KEYS)}")
        text = position.get("seed", "")
        if not isinstance(text, str):
            raise PositionError(f"position key seed: {text!r}; expected a text")
        seed = seed_from_text(text)
        cards = self.new_state(seed).cards if "cards" not in position else _cards(position["cards"])
        state = KuhnState(self, seed, cards, ())
        moves = position.get("moves", [])
        if not isinstance(moves, list):
            raise PositionError(f"position key moves: {moves!r}; expected a list of pass and bet")
        for word in moves:
            if not state.movers():
                raise PositionError(f"position key moves: {moves!r}; the game is over before the last")
            try:
                state.apply(state.movers()[0], self.action(str(word)))
            except NotationError as error:
                raise PositionError(f"position key moves: {error}") from error
        return state


class KuhnState(State):
    """``cards`` in seat order; ``moves`` in the order they were made."""

    __slots__ = ("cards", "game", "moves", "seed")

    def __init__(self, game: Game, seed: bytes, cards: tuple[int, int], moves: tuple[int, ...]) -> None:
        self.game = game
        self.seed = seed
        self.cards = cards
        self.moves = moves
        self.log: list[Event] | None = None

    def movers(self) -> Sequence[int]:
        if self.moves in ((), (PASS, BET)):
            return (0,)
        return (1,) if len(self.moves) == 1 else ()

    def question(self, seat: int) -> str:
        return "call" if BET in self.moves else "open"

    def choices(self, seat: int) -> Sequence[Choice]:
        return CHOICES

    def legal_actions(self, seat: int) -> Sequence[Action]:
        return (PASS, BET)

    def objection(self, seat: int, action: Action) -> Objection | None:
        if seat not in self.movers():
            return Objection("not_asked", f"seat {seat} is not asked now")
        if action not in WORDS:
            return Objection("unknown", f"{action} is neither pass (1) nor bet (2)")
        return None

    def apply(self, seat: int, action: Action) -> None:
        log = self.log
        if log is not None:
            if not self.moves:
                log.append(Event("dealt", {}, {0: {"card": self.cards[0]}, 1: {"card": self.cards[1]}}))
            log.append(Event("moved", {"seat": seat, "move": action}))
        self.moves = (*self.moves, action)
        if log is not None and not self.movers():
            if self._shown():
                log.append(Event("showdown", {"cards": self.cards}))
            scores = self.scores()
            winner = 0 if scores[0] > 0 else 1
            log.append(Event("payment", {"winner": winner, "chips": scores[winner]}))

    def setup(self) -> KuhnSetup:
        return KuhnSetup(ANTE)

    def observe(self, audience: int) -> KuhnObservation:
        card = 0 if audience == PUBLIC else self.cards[audience]
        return KuhnObservation(audience, card, self.moves, self._shown())

    def scores(self) -> tuple[int, ...]:
        if self.movers():
            return (0, 0)
        if self._shown():
            winner = 0 if self.cards[0] > self.cards[1] else 1
            stake = ANTE + 1 if BET in self.moves else ANTE
        else:
            winner = self.moves.index(BET)
            stake = ANTE
        return (stake, -stake) if winner == 0 else (-stake, stake)

    def ranks(self) -> tuple[int, ...]:
        return ranked(self.scores())

    def clone(self) -> KuhnState:
        return KuhnState(self.game, self.seed, self.cards, self.moves)

    def position(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "options": self.game.options_given(),
            "seed": seed_text(self.seed),
            "cards": [CARDS[card] for card in self.cards],
            "moves": [WORDS[move] for move in self.moves],
        }

    def _shown(self) -> tuple[int, ...]:
        """Both cards after a game that ended without a fold, else nothing."""
        return self.cards if not self.movers() and self.moves[-2:] in ((PASS, PASS), (BET, BET)) else ()


def _cards(value: Any) -> tuple[int, int]:
    numbers = {word: card for card, word in CARDS.items()}
    if (
        not isinstance(value, list)
        or len(value) != 2
        or any(not isinstance(word, str) or word not in numbers for word in value)
        or value[0] == value[1]
    ):
        raise PositionError(f"position key cards: {value!r}; expected two different ones of jack, queen, king")
    return (numbers[value[0]], numbers[value[1]])
