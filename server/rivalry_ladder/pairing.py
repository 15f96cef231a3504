"""Matchmaking: who meets whom, as a pure function of who is there.

Bots take turns in the order of how long they have waited.  Whoever's turn it is gets, seat after seat, the opponent of
the least cost:

    gap  = |mu_a - mu_b| / sqrt(2 beta² + sigma_a² + sigma_b²)
    cost = gap - UNSURE sigma_b / SIGMA - WAITED min(1, waited_b / patience) + MET share of b among a's last opponents

so close ratings meet, a rating that is not known well counts as close to many and is wanted, and whoever has waited is
taken before whoever has just come.  An opponent whose gap is above ``gap (1 + waited_a / patience)`` is not taken yet.
A gap is in standard deviations of what one match tells.  At a bigger table it is to whoever's turn it is.  No bot is
at a table twice, and no owner where the queue says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import Final

from rivalry_engine.chance import Stream
from rivalry_ladder.online import BETA, SIGMA, Online
from rivalry_ladder.why import OTHER_OWNER, Reason, Why

UNSURE: Final = 0.5
WAITED: Final = 0.5
MET: Final = 0.5


@dataclass(frozen=True, slots=True)
class Candidate:
    """One who could play now.  ``waited_s`` is since its last match was made, or since it could play."""

    entry: int
    bot: int
    owner: int
    rating: Online
    waited_s: float
    room: int = 1
    """How many more of its matches may begin."""
    met: tuple[int, ...] = ()
    """The bots it met last."""
    explores: bool = False
    """True if its next opponents are to be anybody, however far away: see ``explores``."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a queue asks of a table."""

    seats: int
    same_owner: bool = False
    gap: float = 1.0
    patience_s: float = 20.0


@dataclass(frozen=True, slots=True)
class Round:
    """What came of it: the tables, entries by seat, and for each entry without one the reason."""

    tables: tuple[tuple[int, ...], ...] = ()
    left: Mapping[int, Reason] = field(default_factory=dict)


def explores(entry: int, matches: int, share: float) -> bool:
    """True if the opponents of an entry's next match are to be anybody, after so many ``matches``.

    Of all matches ``share`` are so, whatever their results: else whoever lost first would meet only others who did, the
    groups that so come about would hardly meet, and how far apart they stand would be settled by the luck of a few.
    """
    return Stream(b"ladder", f"explore/{entry}/{matches}").below(1_000) < 1_000 * share


def gap(one: Online, other: Online) -> float:
    """How far two ratings are from each other, in standard deviations of what one match between them tells."""
    return abs(one.mu - other.mu) / sqrt(2 * BETA**2 + one.sigma**2 + other.sigma**2)


def paired(candidates: Iterable[Candidate], terms: Terms, *, most: int, seed: bytes) -> Round:
    """At most ``most`` tables; the same for the same candidates in whatever order they come.

    ``seed`` decides who sits where, and whom those meet who explore.
    """
    waiting = sorted(candidates, key=lambda each: (-each.waited_s, each.entry))
    room = {each.entry: each.room for each in waiting}
    tables: list[tuple[int, ...]] = []
    left: dict[int, Reason] = {}
    mixed = [each.entry for each in waiting]
    Stream(seed, "ladder/order").shuffle(mixed)
    by_chance = {entry: place for place, entry in enumerate(mixed)}
    for anchor in waiting:
        if room[anchor.entry] < 1:
            continue
        if len(tables) >= most:
            left[anchor.entry] = Reason(Why.FULL, "the server runs as many matches as it may; its turn comes")
            continue
        others = [each for each in waiting if room[each.entry] > 0]
        table = _table(anchor, others, terms, by_chance)
        if isinstance(table, Reason):
            left[anchor.entry] = table
            continue
        for each in table:
            room[each.entry] -= 1
            left.pop(each.entry, None)
        entries = sorted(each.entry for each in table)
        Stream(seed, f"ladder/table/{len(tables)}/{'-'.join(map(str, entries))}").shuffle(entries)
        tables.append(tuple(entries))
    seated = {entry for table in tables for entry in table}
    return Round(tuple(tables), {entry: reason for entry, reason in left.items() if entry not in seated})


def _table(
    anchor: Candidate, others: Sequence[Candidate], terms: Terms, by_chance: Mapping[int, int]
) -> list[Candidate] | Reason:
    table = [anchor]
    limit = inf if anchor.explores else terms.gap * (1 + anchor.waited_s / terms.patience_s)
    while len(table) < terms.seats:
        allowed = [each for each in others if _may_join(each, table, terms)]
        near = [each for each in allowed if gap(anchor.rating, each.rating) <= limit]
        if not near:
            return _nobody(anchor, others, terms, allowed, limit, len(table))
        if anchor.explores:
            table.append(min(near, key=lambda each: by_chance[each.entry]))
        else:
            table.append(min(near, key=lambda each: (_cost(anchor, each, terms), each.entry)))
    return table


def _may_join(candidate: Candidate, table: Sequence[Candidate], terms: Terms) -> bool:
    if any(candidate.bot == each.bot for each in table):
        return False
    return terms.same_owner or all(candidate.owner != each.owner for each in table)


def _cost(anchor: Candidate, other: Candidate, terms: Terms) -> float:
    met = anchor.met.count(other.bot) / len(anchor.met) if anchor.met else 0.0
    return (
        gap(anchor.rating, other.rating)
        - UNSURE * other.rating.sigma / SIGMA
        - WAITED * min(1.0, other.waited_s / terms.patience_s)
        + MET * met
    )


def _nobody(
    anchor: Candidate,
    others: Sequence[Candidate],
    terms: Terms,
    allowed: Sequence[Candidate],
    limit: float,
    seated: int,
) -> Reason:
    missing = terms.seats - seated
    if allowed:
        nearest = min(gap(anchor.rating, each.rating) for each in allowed)
        return Reason(
            Why.NOT_CLOSE,
            f"nobody who is free is close enough in rating: the nearest is {nearest:.2f} away, and {limit:.2f} is "
            f"allowed so far, which grows by {terms.gap:g} every {terms.patience_s:g} s of waiting",
        )
    free = {each.bot for each in others if each.bot != anchor.bot}
    if len(free) >= terms.seats - 1:
        return Reason(
            Why.SAME_OWNER,
            f"{missing} more at the table would have to be of other owners, and nobody who is free is; "
            "the queue seats no two bots of one owner",
            OTHER_OWNER,
        )
    needed = "an opponent is" if terms.seats == 2 else f"{terms.seats - 1} opponents are"
    there = "none is" if not free else "one is" if len(free) == 1 else f"{len(free)} are"
    text = f"{needed} needed and {there} free; it waits until others come or have played"
    return Reason(Why.NOBODY, text, "look who is away or paused, rivalry ladder list, and start or resume them")
