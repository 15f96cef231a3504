"""What a search is told about a game: which actions to look at, how a playout goes on, and what a state is worth.

``PlainGuide`` serves any game.  A game that has a better one is named in ``guides``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final, NamedTuple

from rivalry_client.prompt import Prompt
from rivalry_engine.chance import Stream
from rivalry_engine.game import Action, Choice, Game, State
from rivalry_engine.prompt import Answer

POINT: Final = 1000
"""What a rank is worth in units of a value."""
LONGEST: Final = 400
"""Decisions after which a plain playout is stopped and valued as it stands."""
FILLINGS: Final = 3
"""In how many further ways a plain search fills a choice with parts."""


class Look(NamedTuple):
    """An answer that is worth a look."""

    answer: Answer
    action: Action
    """What it means."""
    price: int = 0
    """What the guide believes it to be worth, beside the others, in units of a value."""


class Guide(ABC):
    """Serves one match of one bot; it may keep what it worked out."""

    grows_tree: bool
    """True if a tree is grown below the root; a guide with a good playout policy does without."""

    doubt: int
    """How far a price may be from the truth, as a standard deviation; 0 if its prices say nothing."""

    noise: int = 0
    """About how far apart two answers' values are in one imagined state, as a standard deviation; with ``doubt``."""

    @abstractmethod
    def answers(self, prompt: Prompt, stream: Stream) -> list[Look]:
        """The answers worth a look, the likely best first; never empty."""

    @abstractmethod
    def begin(self, state: State) -> None:
        """A playout begins in ``state``."""

    @abstractmethod
    def move(self, state: State, seat: int, luck: int) -> Action:
        """What ``seat`` does in a playout; ``luck`` is a random integer below 2**32."""

    @abstractmethod
    def is_cut(self, state: State, decisions: int) -> bool:
        """True if a playout stops here, after so many decisions; it stops at the end of the game anyway."""

    @abstractmethod
    def values(self, state: State) -> list[int]:
        """By seat, what the state where a playout stopped is worth to it; whole numbers."""


class PlainGuide(Guide):
    """Plays out by chance and values by ranks: right for any game, strong in small ones."""

    grows_tree = True
    doubt = 0

    def __init__(self, game: Game) -> None:
        self.game = game
        self._spread = 1
        """The widest that scores have been apart, or from nought."""

    def answers(self, prompt: Prompt, stream: Stream) -> list[Look]:
        """Each choice by its number alone, and some other ways to fill those that have parts."""
        found: dict[Action, Answer] = {}
        for index, choice in enumerate(prompt.choices):
            found.setdefault(choice.action, Answer(index=index))
            for chosen in _fillings(choice, stream):
                found.setdefault(self.game.fill(choice, chosen), Answer(index=index, parts=chosen))
        return [Look(answer, action) for action, answer in found.items()]

    def begin(self, state: State) -> None:
        """Nothing is kept."""

    def move(self, state: State, seat: int, luck: int) -> Action:
        return by_chance(self.game, state.choices(seat), luck)

    def is_cut(self, state: State, decisions: int) -> bool:
        return decisions >= LONGEST

    def values(self, state: State) -> list[int]:
        """A point for each seat that is behind, half for an equal, and a little for the score itself."""
        ranks, scores = state.ranks(), state.scores()
        self._spread = spread = max(self._spread, max(scores) - min(scores), *[abs(score) for score in scores])
        return [
            sum(2 * (rank < other) + (rank == other) for other in ranks) * POINT // 2 + POINT * score // (2 * spread)
            for rank, score in zip(ranks, scores, strict=True)
        ]


def by_chance(game: Game, choices: Sequence[Choice], luck: int) -> Action:
    """An action drawn by ``luck``: uniform over the choices, the usual parts or a random run of them."""
    choice = choices[luck % len(choices)]
    if not choice.most:
        return choice.action
    luck //= len(choices)
    size = choice.least + luck % (choice.most - choice.least + 1)
    if size == choice.usual:
        return choice.action
    count = len(choice.parts)
    start = (luck >> 8) % count
    return game.fill(choice, sorted([(start + step) % count for step in range(size)]))


def _fillings(choice: Choice, stream: Stream) -> list[tuple[int, ...]]:
    if not choice.most:
        return []
    sizes = [choice.least + stream.below(choice.most - choice.least + 1) for _ in range(FILLINGS)]
    return [tuple(stream.sample(len(choice.parts), size)) for size in sizes]
