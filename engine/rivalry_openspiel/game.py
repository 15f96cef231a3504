"""The rules of a game of OpenSpiel's, as a game of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rivalry_engine.chance import Stream, seed_from_text
from rivalry_engine.counting import counted
from rivalry_engine.error import PositionError, RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.game import Action, Choice, Game, Observation
from rivalry_engine.option import OptionValue
from rivalry_openspiel import parameters
from rivalry_openspiel.library import loaded, pyspiel, tried
from rivalry_openspiel.notation import action_read, text_of
from rivalry_openspiel.seen import Setup, view
from rivalry_openspiel.state import OpenSpielState

KEYS = ("game", "options", "seed", "history", "pending")


class OpenSpielGame(Game):
    """What all of them have in common; the family makes a class for each, with what is declared."""

    rules_version = 1
    score_unit = 1_000_000
    echoes = frozenset(("moved",))
    glossary: ClassVar[Mapping[str, str]] = {
        "#NUMBER": "OpenSpiel's number of an action, after its words; an action is written with both",
        "text": "OpenSpiel's observation: what is to be seen now",
        "memory": "OpenSpiel's information state: all that the seat was ever shown",
        "history": "OpenSpiel's numbers of actions and outcomes of chance that lead to a state that looks so",
    }

    short: ClassVar[str]
    """OpenSpiel's name of it."""
    fixed: ClassVar[Mapping[str, Any]]
    """The parameters that its name settles."""
    specification: ClassVar[Mapping[str, Any]]
    """OpenSpiel's parameters with their defaults."""
    seats_key: ClassVar[str | None]
    """The parameter that is our option ``seats``; None where the game has none."""

    is_open: bool
    """True if every seat sees everything."""
    draws_itself: bool
    """True if OpenSpiel draws chance from a source of its own, which is started from the match's seed."""
    observes: bool
    remembers: bool
    """True if it has observations and information states as texts."""
    scores_at_end: bool
    """True if nobody has points before the end."""
    observer: Any
    """Writes what all may see of a game with secrets; None where OpenSpiel has no such thing."""
    setup: Setup

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        super().__init__(options)
        chosen = parameters.chosen(self.name, self.specification, self.options, self.seats_key)
        self._parameters = {**self.fixed, **chosen}
        if not parameters.trusted(chosen) and tried(self.short, self._parameters):
            self.heavy = True  # type: ignore[misc]  # what its options make of it
        self._core = loaded(self.short, self._parameters)
        if self._core.num_players() != self.seats:
            raise RivalryError(
                f"{self.name} has {counted(self._core.num_players(), 'seat')} with these options, not {self.seats}"
            )
        self._describe()

    def _describe(self) -> None:
        spiel, core = pyspiel(), self._core
        kind = core.get_type()
        self.is_open = kind.information != spiel.GameType.Information.IMPERFECT_INFORMATION
        self.draws_itself = kind.chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        self.observes = kind.provides_observation_string
        self.remembers = kind.provides_information_state_string
        self.scores_at_end = kind.reward_model == spiel.GameType.RewardModel.TERMINAL
        # A game around another has its observer, which takes its states for its own and then fails altogether.
        around = any(isinstance(value, Mapping) for value in self._parameters.values())
        factored = kind.provides_factored_observation_string and not around
        self.observer = _public(core) if factored and not self.is_open else None
        self.setup = Setup(
            {
                "openspiel": str(core),
                "title": kind.long_name,
                "information": kind.information.name.lower(),
                "dynamics": kind.dynamics.name.lower(),
                "chance": kind.chance_mode.name.lower(),
                "max_game_length": core.max_game_length(),
            }
        )

    def new_state(self, seed: bytes) -> OpenSpielState:
        return self.at_beginning(seed).settle()

    def at_beginning(self, seed: bytes) -> OpenSpielState:
        """The state before any chance was drawn."""
        core = self._core
        if self.draws_itself:
            own = 1 + Stream(seed, "sampled").below((1 << 31) - 2)
            core = loaded(self.short, {**self._parameters, parameters.SEEDS: own})
        return OpenSpielState(self, seed, core.new_initial_state())

    def text(self, action: Action) -> str:
        return text_of(action)

    def action(self, text: str) -> Action:
        return action_read(text)

    def part_text(self, part: int) -> str:
        return text_of(part)

    def fill(self, choice: Choice, chosen: Sequence[int]) -> Action:
        return choice.parts[chosen[0]] if choice.parts else choice.action

    def event_text(self, seen: Seen) -> str:
        facts = seen.facts
        if seen.kind == "moved":
            return f"seat {facts['seat']}: {facts['action']}"
        if seen.kind == "chance":
            return f"chance: {facts['outcome']}"
        return "over: " + ", ".join(f"{score / self.score_unit:g}" for score in facts["scores"])

    def view(self, observation: Observation) -> str:
        return view(observation.json())

    def imagine(self, seat: int, observation: Observation, rng: Stream) -> OpenSpielState:
        if not self.imagines:
            raise RivalryError(f"{self.name} cannot imagine states: OpenSpiel does not resample it")
        history = observation.json().get("history")
        if not isinstance(history, list):
            raise RivalryError(f"{observation!r} is no observation of a seat of {self.name}")
        state = self.at_beginning(rng.seed())
        try:
            state.played(history)
            if not self.is_open:
                state = self.at_beginning(rng.seed()).played(state.resampled(seat, rng))
        except ValueError as error:
            raise RivalryError(f"history {history} is none of {self.name}: {error}") from error
        return state.settle()

    def state_at(self, position: Mapping[str, Any]) -> OpenSpielState:
        """Keys: ``game options seed history pending``, each but the first optional.

        Without ``history`` it is the beginning of that seed.
        """
        for key in position:
            if key not in KEYS:
                raise PositionError(f"position key {key}: unknown; a position of {self.name} has {' '.join(KEYS)}")
        text = position.get("seed", "")
        if not isinstance(text, str):
            raise PositionError(f"position key seed: {text!r}; expected a text")
        try:
            seed = seed_from_text(text)
        except RivalryError as error:
            raise PositionError(f"position key seed: {error}") from error
        if "history" not in position:
            state = self.new_state(seed)
        else:
            history = position["history"]
            if not isinstance(history, list) or not all(type(number) is int for number in history):
                raise PositionError(f"position key history: {history!r}; expected a list of OpenSpiel's actions")
            try:
                state = self.at_beginning(seed).played(history).settle()
            except ValueError as error:
                raise PositionError(f"position key history: {error}") from error
        self._answer(state, position.get("pending", []))
        return state

    def _answer(self, state: OpenSpielState, pending: Any) -> None:
        """Gives the answers of seats that move at once with others that are still asked."""
        expected = "expected pairs of a seat and OpenSpiel's number of its action, of some of the seats that are asked"
        if not isinstance(pending, list) or len(pending) >= max(2, len(state.movers())):
            raise PositionError(f"position key pending: {pending!r}; {expected}")
        for pair in pending:
            if not isinstance(pair, list) or len(pair) != 2 or not all(type(each) is int for each in pair):
                raise PositionError(f"position key pending: {pair!r}; {expected}")
            seat, number = pair
            if len(state.movers()) < 2 or seat not in state.movers() or number not in state.numbers(seat):
                raise PositionError(f"position key pending: {pair!r}; {expected}")
            state.apply(seat, state.numbers(seat)[number])


def _public(core: Any) -> Any:
    """OpenSpiel's observer of what all may see; None where the game has none after all."""
    spiel = pyspiel()
    kind = spiel.IIGObservationType(public_info=True, perfect_recall=True, private_info=spiel.PrivateInfoType.NONE)
    try:
        observer = spiel._Observation(core, core.make_observer(kind, {}))
        return observer if observer.has_string() else None
    except (spiel.SpielError, TypeError):
        return None
