"""What is to be played: the game, its seed, the time, and what follows when a seat fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from rivalry_engine.error import GameFailedError
from rivalry_engine.formed import MOST_RULES_VERSION, MOST_SCORE, is_number
from rivalry_engine.game import Game, State
from rivalry_engine.prompt import shown
from rivalry_server import identity
from rivalry_server.blame import game_s
from rivalry_server.clock import TimeControl
from rivalry_server.given import BrokenGameError, unlike
from rivalry_server.policies import Policies


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What is to be played.

    ``position`` is where to begin instead of at the game's beginning.
    """

    game: Game
    seed: bytes
    match_id: str = field(default_factory=identity.match_id)
    time_control: TimeControl = field(default_factory=TimeControl)
    policies: Policies = field(default_factory=Policies)
    wait_s: float = 60.0
    """How long seats that are not taken are waited for."""
    position: Mapping[str, Any] | None = None
    attempt: int = 1
    """Which run of the match this is: one that the arena spoiled is made again."""
    earlier: tuple[str, ...] = ()
    """The match ids of the runs before it."""

    def __post_init__(self) -> None:
        """Raises GameFailedError for a game whose outcome could not be told."""
        unit, version = self.game.score_unit, self.game.rules_version
        if not is_number(unit, 1, MOST_SCORE):
            self._fails(f"its score_unit is {shown(unit)}; expected an integer from 1")
        if not is_number(version, 1, MOST_RULES_VERSION):
            self._fails(f"its rules_version is {shown(version)}; expected an integer from 1")

    def _fails(self, why: str) -> NoReturn:
        raise GameFailedError(f"the game {self.game.name} failed: {why}")

    @property
    def begins_aside(self) -> bool:
        """True if nobody here knows how long its first state takes: a family's games follow from what is asked for."""
        return self.game.heavy or ":" in self.game.name

    def first_state(self) -> State:
        """Where to begin; raises PositionError, BrokenGameError, and whatever the game does."""
        game = self.game
        try:
            state = game.new_state(self.seed) if self.position is None else game.state_at(self.position)
        except Exception:
            raise
        except BaseException as error:
            raise game_s(game, error) from error
        if not isinstance(state, State):
            asked = "new_state()" if self.position is None else "state_at()"
            raise BrokenGameError(unlike(asked, state, "a State"))
        return state

    def check_position(self) -> None:
        """Raises PositionError where whoever wants the match gave a position that is none, GameFailedError where the
        game has no word about that.
        """
        if self.position is not None:
            try:
                self.first_state()
            except BrokenGameError as error:
                raise GameFailedError(f"the game {self.game.name} failed: {error}") from error

    def check_codec(self) -> None:
        """Raises RivalryError where the game's codec, which seats beyond this process need, cannot be loaded."""
        from rivalry_wire.codec import codec  # a match in this process needs no messages

        codec(self.game)
