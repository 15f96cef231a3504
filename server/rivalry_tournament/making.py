"""From settings to a schedule, and from results to the round that follows: both are pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_tournament import blocks, rotations
from rivalry_tournament.kinds import evaluation, gauntlet, round_robin, swiss
from rivalry_tournament.kinds.knockout import Knockout
from rivalry_tournament.points import Ranks as Ranks
from rivalry_tournament.points import Results as Results
from rivalry_tournament.promises import promises
from rivalry_tournament.schedule import Round, Schedule
from rivalry_tournament.settings import DEPENDENT, Kind, Settings

MATCHES_MOST: Final = 1_000_000
"""So many matches a round may have."""


def schedule(settings: Settings) -> Schedule:
    """The schedule, with all rounds that depend on no results; raises RivalryError where there is none like it."""
    _check_size(settings)
    rounds = _first(settings)
    return Schedule(settings, rounds, promises(settings, rounds))


def dependent(settings: Settings) -> bool:
    """True if rounds after the first depend on results."""
    return settings.kind in DEPENDENT


def following(schedule: Schedule, rounds: Sequence[Round], results: Results) -> Round | None:
    """The round after ``rounds``, which are all until now with the schedule's own; None where there is none.

    ``results`` holds every block of ``rounds``, by block id; KeyError where one is missing.
    """
    return _after(schedule.settings, rounds, results)


def standing(schedule: Schedule, rounds: Sequence[Round], results: Results) -> list[tuple[int, str]] | None:
    """Rank from 1 and name, best first, by the rules of a Swiss or a knockout; None where the kind has none.

    Equals share a rank.  In a Swiss they are those level on points, on Buchholz and on shares.
    """
    settings = schedule.settings
    if settings.kind in (Kind.KNOCKOUT, Kind.DOUBLE_KNOCKOUT):
        return Knockout(settings, rounds, results).order()
    if settings.kind is not Kind.SWISS:
        return None
    found: list[tuple[int, str]] = []
    lines = swiss.standing(settings, rounds, results)
    for at, line in enumerate(lines):
        level = at and line.level == lines[at - 1].level
        found.append((found[-1][0] if level else at + 1, line.name))
    return found


def _check_size(settings: Settings) -> None:
    """Raises RivalryError before anything big is made."""
    tables = {
        Kind.ROUND_ROBIN: lambda: len(round_robin.tables(settings)),
        Kind.GAUNTLET: lambda: len(settings.subjects) * len(settings.opponents()),
        Kind.EVALUATION: lambda: len(settings.subjects),
    }.get(settings.kind, lambda: len(settings.entrants) // settings.bots)()
    each = (
        len(blocks.seatings(settings, settings.names()[: settings.bots], 1))
        if settings.bots < settings.seats
        else (rotations.count(settings.rotations, settings.seats))
    )
    matches = tables * settings.blocks * each
    if matches > MATCHES_MOST:
        raise RivalryError(
            f"{counted(tables, 'table')} with {counted(settings.blocks, 'block')} of"
            f" {counted(each, 'match', 'matches')} are {matches} matches; "
            f"expected at most {MATCHES_MOST}: fewer blocks, or at bigger tables fewer tables or rotations"
        )


def _first(settings: Settings) -> tuple[Round, ...]:
    if settings.kind is Kind.ROUND_ROBIN:
        return round_robin.rounds(settings)
    if settings.kind is Kind.GAUNTLET:
        return gauntlet.rounds(settings)
    if settings.kind is Kind.EVALUATION:
        return evaluation.rounds(settings)
    first = _after(settings, (), {})
    assert first is not None, "a tournament without a round"
    return (first,)


def _after(settings: Settings, rounds: Sequence[Round], results: Results) -> Round | None:
    if settings.kind is Kind.SWISS:
        return swiss.next_round(settings, rounds, results)
    if settings.kind in (Kind.KNOCKOUT, Kind.DOUBLE_KNOCKOUT):
        return Knockout(settings, rounds, results).next_round(len(rounds) + 1)
    return None
