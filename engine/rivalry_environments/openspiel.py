"""Games as OpenSpiel games: importing this module registers ``rivalry_NAME`` for each game with an encoder.

All chance of a match follows from its seed.  Here chance deals that seed, byte by byte, before the first decision: a
tree of ``seed_bytes`` chance nodes of 256 equal outcomes each, and no chance after them.  With the parameter ``seed``
there is none at all.  Seats asked at once are asked in turn and see nothing of each other's answers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Final

import numpy as np

from rivalry_engine import catalog, record
from rivalry_engine.chance import seed_from_text, seed_text
from rivalry_engine.error import RivalryError
from rivalry_engine.event import seen
from rivalry_engine.extra import install
from rivalry_engine.game import PUBLIC, Game
from rivalry_environments.encoder import Encoder, encoder, names
from rivalry_environments.parameters import options, plain, quoted, specification
from rivalry_environments.play import OVER, Play
from rivalry_environments.reward import bounds, checked, final

try:
    import pyspiel
except ImportError as error:
    raise ImportError(f"OpenSpiel is missing ({error}); {install('openspiel')}") from error

BYTE: Final = 256
BYTES: Final = [(outcome, 1 / BYTE) for outcome in range(BYTE)]


def name_of(game: str) -> str:
    """The name under which OpenSpiel knows the game."""
    return f"rivalry_{game}"


def register(game: str) -> None:
    """Registers a game that has no encoder too, with numbered choices; raises UnknownGameError.

    Where the game is registered already it is left as it is.
    """
    if name_of(game) not in pyspiel.registered_names():
        rules = catalog.rules(game)
        # A class of its own, and no closure: OpenSpiel keeps it beyond the end of Python, where a class is not freed.
        made = type(f"Rivalry{rules.__name__}", (RivalryGame,), {"rules": rules})
        pyspiel.register_game(_game_type(rules, deals=True, zero_sum=True), made)


def _game_type(rules: type[Game], *, deals: bool, zero_sum: bool) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=name_of(rules.name),
        long_name=f"{rules.title}, by rivalry",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if deals else kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(rules.seat_counts),
        min_num_players=min(rules.seat_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=specification(rules),
    )


class RivalryGame(pyspiel.Game):  # type: ignore[misc]  # it has no types
    """The rules of a game at one number of seats and options."""

    rules: ClassVar[type[Game]]

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        rules = self.rules
        given = {name: quoted(value) for name, value in {**specification(rules), **parameters}.items()}
        self.game = rules(options(rules, given))
        self.reward = checked(given["reward"])
        self.seed = seed_from_text(plain(given["seed"])) if given["seed"] else None
        self.seed_bytes = 0 if self.seed is not None else given["seed_bytes"]
        if self.seed is None and self.seed_bytes < 1:
            raise RivalryError(f"seed_bytes {self.seed_bytes}: expected at least 1; give a seed to have no chance")
        self.encoder = _encoder(rules.name, record.canonical(self.game.options_given()))
        least, most = bounds(self.reward, self.encoder)
        zero_sum = self.reward == "rank" or self.encoder.zero_sum
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.encoder.words.texts),
            max_chance_outcomes=BYTE if self.seed_bytes else 0,
            num_players=self.game.seats,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=self.encoder.most_steps,
        )
        super().__init__(_game_type(rules, deals=self.seed is None, zero_sum=zero_sum), info, given)

    def new_initial_state(self, *given: Any) -> RivalryState:
        """The state before the first byte of the seed, or before the first decision; it takes nothing."""
        if given:
            raise RivalryError("a state of rivalry is made from its seed and actions, not from a text")
        return RivalryState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The bytes of a seed."""
        return int(self.seed_bytes)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RivalryObserver:
        """An observer: what a seat or the public sees; with perfect recall as text only."""
        if params:
            raise RivalryError(f"{params!r}: an observer of rivalry takes no parameters")
        return RivalryObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)


def _loaded(text: str) -> Any:
    """The game of a text that ``str`` gave; a game is pickled so, that whoever reads it has registered it."""
    return pyspiel.load_game(text)


@cache
def _encoder(name: str, options: bytes) -> Encoder:
    return encoder(catalog.game(name, json.loads(options)))


class Match:
    """What a state holds: the seed so far, and the match once the seed is whole.  It can be copied and pickled."""

    __slots__ = ("_moved", "_play", "_shown", "encoder", "missing", "seed", "words")

    def __init__(self, encoder: Encoder, seed: bytes, missing: int) -> None:
        self.encoder = encoder
        self.seed = seed
        self.missing = missing
        """Bytes of the seed that are still to be dealt."""
        self.words: tuple[int, ...] = ()
        self._play: Play | None = None
        self._moved: list[str] = []
        self._shown: dict[int, list[str]] = {}

    @property
    def play(self) -> Play | None:
        """The match; None before the seed is whole."""
        if self._play is None and not self.missing:
            self._play = Play(self.encoder, self.seed, logs=True)
            for word in self.words:
                self._play.say(word)
        return self._play

    def say(self, word: int) -> None:
        """A byte of the seed, or a word of the seat that is asked."""
        play = self.play
        if play is None:
            self.seed += bytes((word,))
            self.missing -= 1
        else:
            play.say(word)
            self.words = (*self.words, word)

    def moved(self) -> list[str]:
        """The actions so far, a text each; not to be changed by the caller."""
        play, moved = self.play, self._moved
        if play:
            moved += [f"seat {seat}: {play.game.text(action)}" for seat, action in play.moves[len(moved) :]]
        return moved

    def shown(self, audience: int) -> list[str]:
        """All that ``audience`` was shown so far, a text each, the setup first; not to be changed by the caller."""
        play, shown = self.play, self._shown.setdefault(audience, [])
        if play and play.log is not None:
            if not shown:
                shown.append(_json(play.state.setup().json()))
            told = [seen(event, audience) for event in play.log[len(shown) - 1 :]]
            shown += [f"{one.kind} {_json(dict(one.facts))}" for one in told]
        return shown

    def __deepcopy__(self, memo: object) -> Match:
        other = Match(self.encoder, self.seed, self.missing)
        other.words = self.words
        other._moved = self._moved[:]
        other._shown = {audience: shown[:] for audience, shown in self._shown.items()}
        other._play = self._play.clone() if self._play else None
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.encoder.game
        return _match, (game.name, record.canonical(game.options_given()), self.seed, self.missing, self.words)


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _match(name: str, options: bytes, seed: bytes, missing: int, words: tuple[int, ...]) -> Match:
    made = Match(_encoder(name, options), seed, missing)
    made.words = words
    return made


class RivalryState(pyspiel.State):  # type: ignore[misc]  # it has no types
    """A match on its way."""

    def __init__(self, game: RivalryGame) -> None:
        super().__init__(game)
        self.reward = game.reward
        self.match = Match(game.encoder, game.seed or b"", game.seed_bytes)

    def current_player(self) -> int:
        play = self.match.play
        if play is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if play.seat == OVER else play.seat

    def _legal_actions(self, player: int) -> list[int]:
        play = self.match.play
        return play.legal() if play and player == play.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each byte alike."""
        return BYTES

    def _apply_action(self, action: int) -> None:
        self.match.say(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"seed byte {action:02x}"
        return self.match.encoder.words.texts[action]

    def is_terminal(self) -> bool:
        """True when nobody is asked any more."""
        play = self.match.play
        return play is not None and play.seat == OVER

    def returns(self) -> list[float]:
        """Zeros until the end, then the rewards."""
        play = self.match.play
        game = self.match.encoder.game
        if play is None or play.seat != OVER:
            return [0.0] * game.seats
        return final(self.reward, game, play.state.scores(), play.state.ranks())

    def __str__(self) -> str:
        """The seed, the actions, and what was said of the decision that is open."""
        play = self.match.play
        lines = [f"seed {seed_text(self.match.seed)}", *self.match.moved()]
        if play:
            lines += [f"said: {self.match.encoder.words.texts[word]}" for word in play.said]
        return "\n".join(lines)


class RivalryObserver:
    """Writes what a player sees into ``tensor``; ``dict`` holds its slices by name."""

    def __init__(self, game: RivalryGame, kind: Any) -> None:
        layout = game.encoder.layout
        self._recalls = kind.perfect_recall
        self._public = kind.private_info == pyspiel.PrivateInfoType.NONE
        self.tensor = None if self._recalls else np.zeros(layout.size, np.float32)
        self.dict = {} if self.tensor is None else {row.name: self.tensor[layout[row.name]] for row in layout}

    def set_from(self, state: RivalryState, player: int) -> None:
        """All zeros before the seed is dealt."""
        if self.tensor is not None:
            play = state.match.play
            self.tensor[:] = play.vector(self._audience(player)) if play else 0

    def string_from(self, state: RivalryState, player: int) -> str:
        """The observation as JSON; with perfect recall also all that the player was ever shown."""
        play = state.match.play
        if play is None:
            return "before the deal"
        audience = self._audience(player)
        seen_now: dict[str, Any] = {"sees": play.state.observe(audience).json(), "asked": play.seat}
        if play.seat == audience:
            seen_now["said"] = list(play.said)
        if self._recalls:
            return "\n".join((*state.match.shown(audience), _json(seen_now)))
        return _json(seen_now)

    def _audience(self, player: int) -> int:
        return PUBLIC if self._public else player


for _name in names():
    register(_name)
