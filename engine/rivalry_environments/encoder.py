"""How a game looks as numbers: its layout, its words, and the bounds that learners ask for.

An encoder is found by entry point ``rivalry.encoders`` under the game's name, ours and everybody's in the same way.
A game without one is played with numbered choices and a vector that says only what was said so far (``Plain``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from importlib.metadata import EntryPoint

from rivalry_engine import catalog, entries
from rivalry_engine.error import RivalryError
from rivalry_engine.game import Game, Observation, View
from rivalry_engine.loading import fault
from rivalry_environments.layout import Layout, Vector
from rivalry_environments.words import Numbered, Vocabulary

GROUP = "rivalry.encoders"


class Encoder(ABC):
    """The numbers of one game.

    A subclass adds its slices to ``layout`` and sets ``words`` in its constructor.  ``said`` comes last in every
    layout: the environment writes it.
    """

    words: Vocabulary
    most_steps: int = 1_000_000
    """No match takes more steps than this."""
    scores: tuple[int, int] = (-1_000_000, 1_000_000)
    """No seat ends with a score outside of these, in units of ``Game.score_unit``."""
    zero_sum: bool = False
    """True if the scores of a match always sum to 0."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.layout = Layout()

    @abstractmethod
    def write(self, observation: Observation, setup: View, vector: Vector) -> None:
        """Writes an observation into ``vector``, which is all zeros; it makes no use of anything else."""

    def finish(self) -> None:
        """Adds what every layout has; called once by ``encoder``."""
        meaning = "how often each action was said in the decision that is open to this seat"
        self.layout.add("said", len(self.words.texts), 99, meaning)


class Plain(Encoder):
    """Any game: numbered choices, and no observation but the seat's number."""

    def __init__(self, game: Game, choices: int, parts: int) -> None:
        super().__init__(game)
        self.words = Numbered(choices, parts)
        self._seat = self.layout.add("seat", game.seats, 1, "the seat that looks, one of them 1")

    def write(self, observation: Observation, setup: View, vector: Vector) -> None:
        if observation.seat >= 0:
            vector[self._seat.start + observation.seat] = 1


@cache
def _entries() -> dict[str, EntryPoint]:
    return entries.installed(GROUP)


def names() -> list[str]:
    """The games that have an encoder and are installed, sorted."""
    return sorted(name for name in _entries() if catalog.is_known(name))


def encoder(game: Game, *, choices: int = 128, parts: int = 128) -> Encoder:
    """A new encoder of ``game``; ``choices`` and ``parts`` bound the numbered actions of a game that has none.

    Raises RivalryError when the installed one cannot be loaded.
    """
    entry = _entries().get(game.name)
    made: Encoder
    if entry is None:
        made = Plain(game, choices, parts)
    else:
        entries.refuse_rivals(GROUP, entry.name)
        try:
            made = entry.load()(game)
        except ImportError as error:
            raise RivalryError(f"the encoder of {game.name} cannot be loaded: {fault(error)}") from error
    made.finish()
    return made
