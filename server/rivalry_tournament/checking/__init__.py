"""Whether a schedule holds what it promises: counted anew from its blocks, believing nothing of what made it."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_tournament.checking import drawn, meetings, seats
from rivalry_tournament.checking.finding import Finding
from rivalry_tournament.schedule import Round, Schedule


def check(schedule: Schedule, rounds: Sequence[Round] | None = None) -> list[Finding]:
    """A finding for each promise; ``rounds`` are those of the log as well, where there is one."""
    settings = schedule.settings
    every = tuple(schedule.rounds if rounds is None else rounds)
    return [
        drawn.ids(settings, every),
        drawn.seeds(settings, every),
        seats.filled(settings, every),
        seats.counts(settings, every),
        seats.balanced(settings, every),
        seats.neighbours(settings, every),
        meetings.tables(settings, every),
        meetings.pairs(settings, every),
        meetings.shares(settings, every),
    ]
