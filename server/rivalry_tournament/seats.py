"""Who an entrant's SPEC names, and what all matches of a tournament have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rivalry_engine import catalog
from rivalry_server.clock import TimeControl
from rivalry_server.commands import spec
from rivalry_server.match_spec import MatchSpec
from rivalry_server.policies import Policies
from rivalry_server.seat import InProcess
from rivalry_server.time_text import time_us
from rivalry_tournament import times
from rivalry_tournament.names import shown

if TYPE_CHECKING:
    from rivalry_engine.game import Game
    from rivalry_server.seating import Occupant
    from rivalry_tournament.results import Order
    from rivalry_tournament.settings import Settings


@dataclass(frozen=True, slots=True)
class Rules:
    """What all matches of a tournament are played by."""

    game: Game
    time_control: TimeControl
    loading: TimeControl | None
    """That of a seat whose bot may have to load something; None where it has no more time for it."""
    policies: Policies
    wait_s: float

    @staticmethod
    def of(settings: Settings) -> Rules:
        """From a tournament's settings; raises RivalryError where this package cannot play by them."""
        control = TimeControl.parsed(settings.time)
        return Rules(
            catalog.game(settings.game, settings.options),
            control,
            times.loading(control, settings.load),
            Policies.parsed(settings.policies),
            time_us(settings.wait) / 1_000_000,
        )

    def spec(self, order: Order) -> MatchSpec:
        """One match."""
        return MatchSpec(
            self.game,
            order.seed,
            order.match_id,
            time_control=self.time_control,
            policies=self.policies,
            wait_s=self.wait_s,
            attempt=order.attempt,
            earlier=order.earlier,
        )


def occupant(settings: Settings, name: str) -> Occupant:
    """Who an entrant's SPEC names, made anew at each call; raises SpecError."""
    text = next(entrant.spec for entrant in settings.entrants if entrant.name == name)
    return spec.occupant(text, settings.game, what=f"entrant {name}: {shown(text)}")


def all_inside(settings: Settings) -> bool:
    """True if every entrant is a function of the process that plays; raises SpecError for one who is nobody."""
    return all(isinstance(occupant(settings, name), InProcess) for name in settings.names())
