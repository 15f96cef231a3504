"""One playing of a game: what a game's state machine implements.  ``rivalry_engine.game`` has it, too."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rivalry_engine.compiled import mypyc_attr
from rivalry_engine.error import PositionError

if TYPE_CHECKING:
    from rivalry_engine.event import Event
    from rivalry_engine.game import Action, Choice, Game, Objection, Observation, View


@mypyc_attr(allow_interpreted_subclasses=True)
class State(metaclass=ABCMeta):
    """One playing of a game, changed in place."""

    __slots__ = ("log",)

    game: Game
    log: list[Event] | None
    """Where ``apply`` puts events; None (as in clones and imagined states) for nowhere."""

    @abstractmethod
    def movers(self) -> Sequence[int]:
        """The seats asked now, ascending: usually one, several in simultaneous play, none when the game is over."""

    @abstractmethod
    def question(self, seat: int) -> str:
        """The kind of the question open to ``seat``, a word of the game's own."""

    @abstractmethod
    def choices(self, seat: int) -> Sequence[Choice]:
        """What the prompt offers: some dozens at most, in a fixed order, never empty for a mover."""

    @abstractmethod
    def legal_actions(self, seat: int) -> Sequence[Action]:
        """Every legal action spelled out, each once; may be thousands."""

    @abstractmethod
    def objection(self, seat: int, action: Action) -> Objection | None:
        """Why ``seat`` may not do ``action`` now, or None; legal is "no objection".  Lists nothing."""

    @abstractmethod
    def apply(self, seat: int, action: Action) -> None:
        """Does a legal action.  Trusts its caller."""

    @abstractmethod
    def setup(self) -> View:
        """What is public and stays the same for the whole match."""

    @abstractmethod
    def observe(self, audience: int) -> Observation:
        """All that ``audience``, a seat or PUBLIC, may know."""

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """The score of each seat at this moment, in units of ``Game.score_unit``."""

    @abstractmethod
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat at this moment, from 1; equals share, and the ranks after them are skipped."""

    @abstractmethod
    def clone(self) -> State:
        """An independent copy without a log."""

    def position(self) -> dict[str, Any]:
        """The state as JSON; ``Game.state_at`` is its inverse."""
        raise PositionError(f"{self.game.name} has no positions")
