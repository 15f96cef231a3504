"""Results: what a match came to, written once, and what follows from it for ratings and health.

One transaction holds the line of the log and all that follows, and a line that is there already changes nothing: so a
result that is told again, after a restart or by two who waited for it, counts once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from rivalry_ladder import health
from rivalry_ladder.online import Online, after
from rivalry_ladder.settings import Figures
from rivalry_ladder.tables import BOTS, ENTRIES, MATCHES, RESULTS, SEATS, VERSIONS


@dataclass(frozen=True, slots=True)
class Ended:
    """One run of a ladder's match that has ended.  Everything is by seat."""

    match_id: str
    """The ladder's match: the match id of its first run."""
    attempt: int
    run_id: str
    scores: tuple[int | None, ...]
    ranks: tuple[int | None, ...]
    ends: tuple[str, ...]
    texts: tuple[str, ...]
    versions: tuple[str, ...]
    """What the bots said of themselves; empty where they said none."""
    digest: str = ""
    """The digest of the game, its seed included; empty if it is void."""
    transcript: str = ""
    """The same over what was dealt, done and scored, without the seed: what copies share."""
    void: str | None = None
    """Why there is no result; None where there is one."""
    owed: bool = False
    """The arena spoiled this run, and makes another in its place."""
    excused: bool = False
    """Seats that were not taken are nobody's fault: the server was started again meanwhile."""
    decisions: tuple[int, ...] = ()
    illegal: tuple[int, ...] = ()
    duration_us: int = 0

    def body(self, labels: Sequence[str]) -> str:
        """The line of the log: JSON with sorted keys."""
        facts = {
            "bots": list(labels),
            "scores": list(self.scores),
            "ranks": list(self.ranks),
            "ends": list(self.ends),
            "texts": list(self.texts),
            "versions": list(self.versions),
            "digest": self.digest,
            "transcript": self.transcript,
            "void": self.void,
            "owed": self.owed,
            "decisions": list(self.decisions),
            "illegal": list(self.illegal),
            "duration_us": self.duration_us,
        }
        return json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a result led to."""

    new: bool = False
    """False if it was in the log before."""
    counted: bool = False
    why_not: str = ""
    quarantined: dict[str, str] = field(default_factory=dict)
    """Labels of versions that are in quarantine now, and why."""


def record(connection: Connection, ended: Ended, figures: Figures, *, now: float) -> Recorded:
    """Writes a result, if it is not written yet, and what follows from it."""
    known = select(RESULTS.c.seq).where(RESULTS.c.match_id == ended.match_id, RESULTS.c.attempt == ended.attempt)
    if connection.execute(known).scalar() is not None:
        return Recorded()
    match = connection.execute(select(MATCHES).where(MATCHES.c.id == ended.match_id)).one()
    seats = _seats(connection, ended.match_id)
    why_not = _why_not(match, seats, ended)
    values = {"match_id": match.id, "attempt": ended.attempt, "run_id": ended.run_id, "counted": not why_not}
    of = {"queue_id": match.queue_id, "season_id": match.season_id}
    line = values | of | {"why_not": why_not, "body": ended.body([seat.label for seat in seats]), "at": now}
    connection.execute(insert(RESULTS).values(**line))
    if ended.owed:
        return Recorded(new=True, why_not=why_not)
    connection.execute(update(MATCHES).where(MATCHES.c.id == match.id).values(state="ended"))
    if not why_not:
        _rate(connection, seats, ended)
    if match.probe:
        quarantined = _probed(connection, seats, ended, figures, now)
    else:
        quarantined = _judged(connection, seats, ended, figures, now)
    return Recorded(new=True, counted=not why_not, why_not=why_not, quarantined=quarantined)


def dropped(connection: Connection, match_id: str, why: str) -> None:
    """A match that never began, and never will."""
    open_one = MATCHES.c.id == match_id, MATCHES.c.state == "open"
    connection.execute(update(MATCHES).where(*open_one).values(state="dropped", text=why))


def _seats(connection: Connection, match_id: str) -> Sequence[Any]:
    """By seat: label, and where it is no built-in bot of a probe match its entry, version and means."""
    columns = SEATS.c.label, SEATS.c.entry_id, ENTRIES.c.mu, ENTRIES.c.sigma, ENTRIES.c.rated, ENTRIES.c.probes_failed
    joined = (
        SEATS.outerjoin(ENTRIES, ENTRIES.c.id == SEATS.c.entry_id)
        .outerjoin(VERSIONS, VERSIONS.c.id == ENTRIES.c.version_id)
        .outerjoin(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
    )
    query = select(*columns, VERSIONS.c.id.label("version_id"), VERSIONS.c.version, BOTS.c.means).select_from(joined)
    return connection.execute(query.where(SEATS.c.match_id == match_id).order_by(SEATS.c.seat)).all()


def _why_not(match: Row[Any], seats: Sequence[Any], ended: Ended) -> str:
    """Why the result does not count for the tables; empty if it does."""
    if ended.owed:
        return "the arena spoiled this run; another is made in its place"
    if ended.void is not None:
        return f"void: {ended.void}"
    if match.probe:
        return "a probe match is not rated"
    for number, (seat, said) in enumerate(zip(seats, ended.versions, strict=True)):
        if seat.means != "built-in" and said not in ("", seat.version):
            return f"seat {number} was played by version {said!r}, and {seat.label} was to play"
    return ""


def _rate(connection: Connection, seats: Sequence[Any], ended: Ended) -> None:
    ranks = [rank for rank in ended.ranks if rank is not None]
    rated = after([Online(seat.mu, seat.sigma) for seat in seats], ranks)
    for seat, rating in zip(seats, rated, strict=True):
        values = {"mu": rating.mu, "sigma": rating.sigma, "rated": seat.rated + 1}
        connection.execute(update(ENTRIES).where(ENTRIES.c.id == seat.entry_id).values(**values))


def _probed(connection: Connection, seats: Sequence[Any], ended: Ended, figures: Figures, now: float) -> dict[str, str]:
    """What a probe match leads to: its bot may be rated, or is probed again later, or goes into quarantine."""
    number = next(number for number, seat in enumerate(seats) if seat.entry_id is not None)
    seat = seats[number]
    entry = update(ENTRIES).where(ENTRIES.c.id == seat.entry_id)
    if ended.void is None and ended.ends[number] == "normal":
        connection.execute(entry.values(probed=True, probes_failed=0))
        return {}
    if not health.is_fault(ended.ends[number], ended.excused):  # cancelled, or the arena's fault: no blame
        connection.execute(entry.values(probe_after=now + figures.probe_again_s))
        return {}
    failed = seat.probes_failed + 1
    wait_s = figures.probe_again_s * 2 ** (failed - 1)
    connection.execute(entry.values(probes_failed=failed, probe_after=now + wait_s))
    health.blame(connection, seat.version_id, ended.match_id, number, ended.ends[number], ended.texts[number], now)
    if failed < figures.probes:
        return {}
    last = f"{ended.ends[number]}: {ended.texts[number]}"
    reason = f"{failed} probe matches failed one after the other, the last ({ended.match_id}) by {last}"
    health.quarantine(connection, seat.version_id, reason, now)
    return {seat.label: reason}


def _judged(connection: Connection, seats: Sequence[Any], ended: Ended, figures: Figures, now: float) -> dict[str, str]:
    """Notes the faults of a match; the versions that go into quarantine for them."""
    quarantined = {}
    for number, seat in enumerate(seats):
        if not health.is_fault(ended.ends[number], ended.excused):
            continue
        health.blame(connection, seat.version_id, ended.match_id, number, ended.ends[number], ended.texts[number], now)
        reason = health.judged(connection, seat.version_id, figures)
        if reason is not None:
            health.quarantine(connection, seat.version_id, reason, now)
            quarantined[seat.label] = reason
    return quarantined
