"""From settings to a schedule, and from results to the round that follows: both are pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rivalry_tournament.schedule import Round, Schedule
from rivalry_tournament.settings import Settings

Ranks = Sequence[Sequence[int]]
"""The ranks of all matches of a block, by place; of a match by seat, from 1, equals sharing."""
Results = Mapping[str, Ranks | None]
"""The ranks of blocks by block id; None for a block that is left out of the analysis."""


def schedule(settings: Settings) -> Schedule:
    """The schedule, with all rounds that depend on no results."""
    raise NotImplementedError


def following(schedule: Schedule, rounds: Sequence[Round], results: Results) -> Round | None:
    """The round after ``rounds``, which are all until now with the schedule's own; None where there is none.

    ``results`` holds every block of ``rounds``.
    """
    raise NotImplementedError
