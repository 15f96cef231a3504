"""The online rating: what matches are made by and what is shown at once.  It depends on the order of results.

OpenSkill's Plackett-Luce model: Weng and Lin, "A Bayesian Approximation Method for Online Ranking", JMLR 12 (2011).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MU: Final = 25.0
SIGMA: Final = 25.0 / 3
BETA: Final = 25.0 / 6
LINKED_SIGMA: Final = SIGMA / 2
"""A version that is linked to one before begins no surer than this."""
SEASON_SIGMA: Final = SIGMA / 2
"""And so does everybody in a new season."""


@dataclass(frozen=True, slots=True)
class Online:
    """A guess of strength: mean and standard deviation, in OpenSkill's unit."""

    mu: float = MU
    sigma: float = SIGMA

    def linked(self) -> Online:
        """Where a new version begins that its owner links to this one."""
        return Online(self.mu, max(self.sigma, LINKED_SIGMA))

    @property
    def shown(self) -> float:
        """What is very likely exceeded: mu - 3 sigma."""
        return self.mu - 3 * self.sigma


def after(before: Sequence[Online], ranks: Sequence[int]) -> list[Online]:
    """The ratings after one match; ``ranks`` by seat, from 1, equals share."""
    model = _model()
    teams = [[model.create_rating([each.mu, each.sigma])] for each in before]
    rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Online(float(team[0].mu), float(team[0].sigma)) for team in rated]


@cache
def _model() -> PlackettLuce:
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA)
