"""What is to be played: the game, its seed, the time, and what follows when a seat fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rivalry_engine.game import Game, State
from rivalry_server import identity
from rivalry_server.clock import TimeControl
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

    @property
    def begins_aside(self) -> bool:
        """True if nobody here knows how long its first state takes: a family's games follow from what is asked for."""
        return self.game.heavy or ":" in self.game.name

    def first_state(self) -> State:
        """Where to begin; raises PositionError."""
        return self.game.new_state(self.seed) if self.position is None else self.game.state_at(self.position)

    def check_position(self) -> None:
        """Raises PositionError where whoever wants the match gave a position that is none."""
        if self.position is not None:
            self.first_state()

    def check_codec(self) -> None:
        """Raises RivalryError where the game's codec, which seats beyond this process need, cannot be loaded."""
        from rivalry_wire.codec import codec  # a match in this process needs no messages

        codec(self.game)
