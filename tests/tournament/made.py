"""Settings for tests, and whole tournaments whose results follow from the names: the better of two always wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from rivalry_tournament import making
from rivalry_tournament.schedule import Round, Schedule
from rivalry_tournament.settings import Entrant, Kind, Settings

KINDS = list(Kind)


def settings(kind: Kind | str, entrants: int, seats: int = 2, **more: Any) -> Settings:
    """Settings of ``entrants`` bots b00, b01, …, in seeding order."""
    kind = Kind(kind)
    names = [f"b{number:02}" for number in range(entrants)]
    more.setdefault("bots", 2 if kind in (Kind.GAUNTLET, Kind.KNOCKOUT, Kind.DOUBLE_KNOCKOUT) else seats)
    more.setdefault("rotations", "full" if seats <= 3 or more["bots"] < seats else "cyclic")
    if kind in (Kind.GAUNTLET, Kind.EVALUATION):
        more.setdefault("subjects", (names[0],))
    if kind is Kind.SWISS:
        more.setdefault("rounds", 3)
    return Settings(
        kind=kind,
        game="kuhn",
        options={"seats": seats},
        seats=seats,
        entrants=tuple(Entrant(name, "random") for name in names),
        seed=more.pop("seed", b"test"),
        **more,
    )


@st.composite
def any_settings(draw: st.DrawFn) -> Settings:
    """Settings of any kind that are small enough to be made at once."""
    kind = draw(st.sampled_from(KINDS))
    seats = draw(st.integers(2, 6))
    two = kind in (Kind.GAUNTLET, Kind.KNOCKOUT, Kind.DOUBLE_KNOCKOUT)
    entrants = draw(st.integers(2, 9))
    bots = seats if kind is Kind.EVALUATION else 2 if two else draw(st.integers(2, min(seats, entrants)))
    more: dict[str, Any] = {"bots": bots, "blocks": draw(st.integers(1, 4)), "seed": draw(st.binary(max_size=8))}
    more["rotations"] = _rotations(draw, kind, seats, bots, entrants)
    if bots == 2 < seats and kind is not Kind.EVALUATION:
        more["splits"] = draw(st.sampled_from(("even", "all")))
    if kind is not Kind.EVALUATION:
        more["seeds"] = draw(st.sampled_from(("shared", "own")))
    return settings(kind, entrants, seats, **more)


def _rotations(draw: st.DrawFn, kind: Kind, seats: int, bots: int, entrants: int) -> str:
    if bots < seats and kind is not Kind.EVALUATION:
        return "full" if bots == 2 else "cyclic"
    few = kind is Kind.EVALUATION and entrants - 1 < seats - 1
    whole = ["full"] if seats <= 4 else []
    return draw(st.sampled_from([*whole, "cyclic", *([] if few else [f"balanced {2 * seats}"] * (seats > 2))]))


def by_name(seats: Sequence[str]) -> tuple[int, ...]:
    """The ranks of a match that whoever is first in seeding order wins."""
    return tuple(1 + sum(other < bot for other in seats) for bot in seats)


def level(seats: Sequence[str]) -> tuple[int, ...]:
    """The ranks of a match that is drawn."""
    return (1,) * len(seats)


def played(schedule: Schedule, ranks: Callable[[Sequence[str]], tuple[int, ...]] = by_name) -> list[Round]:
    """All rounds of a tournament whose matches end as ``ranks`` says."""
    rounds = list(schedule.rounds)
    results = outcomes(rounds, ranks)
    while (following := making.following(schedule, rounds, results)) is not None:
        rounds.append(following)
        results.update(outcomes([following], ranks))
    return rounds


def outcomes(
    rounds: Sequence[Round], ranks: Callable[[Sequence[str]], tuple[int, ...]] = by_name
) -> dict[str, list[tuple[int, ...]] | None]:
    """The ranks of all blocks of ``rounds``."""
    return {block.id: [ranks(match.seats) for match in block.matches] for round_ in rounds for block in round_.blocks}
