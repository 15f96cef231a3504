"""Health: faults that are counted, and quarantine after too many."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from sqlalchemy import Connection, Row, desc, func, insert, select

from rivalry_ladder.settings import Figures
from rivalry_ladder.tables import ENTRIES, FAULTS, MATCHES, QUARANTINES, SEATS

KINDS: Final = ("illegal", "timeout", "disconnect", "crash", "no_show")
"""The ends that are a bot's fault.  To resign is none, and what the arena or an operator ended is not the bot's."""


def is_fault(end: str, excused: bool) -> bool:
    """True if a seat that ended so is to be blamed; where seats are ``excused``, one that was not taken is not."""
    return end in KINDS and not (excused and end == "no_show")


def blame(connection: Connection, version: int, match_id: str, seat: int, kind: str, text: str, now: float) -> None:
    """Notes a fault."""
    values = {"version_id": version, "match_id": match_id, "seat": seat, "kind": kind, "text": text, "at": now}
    connection.execute(insert(FAULTS).values(**values))


def quarantine(connection: Connection, version: int, reason: str, now: float) -> None:
    """The version is not matched until its owner has it resumed, or registers another."""
    if quarantined(connection, version) is None:
        values = {"version_id": version, "began": now, "reason": reason, "ended": None, "ended_by": ""}
        connection.execute(insert(QUARANTINES).values(**values))


def quarantined(connection: Connection, version: int) -> Row[Any] | None:
    """The quarantine that a version is in, if it is in one."""
    query = select(QUARANTINES).where(QUARANTINES.c.version_id == version, QUARANTINES.c.ended.is_(None))
    return connection.execute(query).one_or_none()


def judged(connection: Connection, version: int, figures: Figures) -> str | None:
    """Why a version belongs into quarantine by its last matches since it was in one; None where it does not."""
    if quarantined(connection, version) is not None:
        return None
    released = select(func.max(QUARANTINES.c.ended)).where(QUARANTINES.c.version_id == version)
    since = connection.execute(released).scalar() or 0.0
    query = (
        select(MATCHES.c.id)
        .join(SEATS, SEATS.c.match_id == MATCHES.c.id)
        .join(ENTRIES, ENTRIES.c.id == SEATS.c.entry_id)
        .where(ENTRIES.c.version_id == version, MATCHES.c.state == "ended", ~MATCHES.c.probe, MATCHES.c.made > since)
        .order_by(desc(MATCHES.c.made), MATCHES.c.id)
        .limit(figures.window)
    )
    last = list(connection.execute(query).scalars())
    guilty = select(FAULTS).where(FAULTS.c.version_id == version, FAULTS.c.match_id.in_(last)).order_by(FAULTS.c.id)
    faults = connection.execute(guilty).all()
    if len(faults) < figures.faults:
        return None
    kinds = ", ".join(f"{kind} ×{count}" for kind, count in sorted(Counter(fault.kind for fault in faults).items()))
    newest = faults[-1]
    return (
        f"{len(faults)} of its last {len(last)} matches ended by its fault ({kinds}); "
        f"the last was {newest.match_id}: {newest.text}"
    )
