"""Seasons: the official table begins anew, and that of the season before stays as it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert, select, update

from rivalry_ladder import official
from rivalry_ladder.error import LadderError, TakenError
from rivalry_ladder.names import checked_name
from rivalry_ladder.official import Line
from rivalry_ladder.online import SEASON_SIGMA
from rivalry_ladder.tables import ENTRIES, MATCHES, QUEUES, SEASONS, SNAPSHOTS


def check_new(connection: Connection, name: str) -> None:
    """Raises LadderError if no season can be called so, TakenError if one is."""
    checked_name(name, "a season")
    if connection.execute(select(SEASONS.c.id).where(SEASONS.c.name == name)).scalar() is not None:
        raise TakenError(f"there was a season {name!r} before; give the new one another name")


def logs(connection: Connection) -> tuple[int, dict[int, list[Line]]]:
    """The season that runs, and its results that count, by queue."""
    season = int(connection.execute(select(SEASONS.c.id).where(SEASONS.c.ended.is_(None))).scalar_one())
    queues = list(connection.execute(select(QUEUES.c.id)).scalars())
    return season, {queue: official.lines(connection, queue, season) for queue in queues}


def start(
    connection: Connection, name: str, season: int, tables: Mapping[int, Mapping[str, Any]], *, now: float
) -> bool:
    """Ends ``season`` with snapshots of its ``tables``, by queue, and begins another.

    False if a result came meanwhile that the tables do not have: fit them again.  Matches that run count for the season
    that begins.  Raises LadderError.
    """
    check_new(connection, name)
    running, found = logs(connection)
    if running != season:
        raise LadderError("another season was begun at the same time; `rivalry ladder season` lists them")
    if any(official.log_digest(log) != tables[queue]["log_digest"] for queue, log in found.items()):
        return False
    for queue, fitted in tables.items():
        values = {"season_id": season, "queue_id": queue, "made": now, "results": fitted["matches"]}
        body = json.dumps(fitted, sort_keys=True)
        connection.execute(insert(SNAPSHOTS).values(**values, log_digest=fitted["log_digest"], body=body))
    connection.execute(update(SEASONS).where(SEASONS.c.id == season).values(ended=now))
    new = connection.execute(insert(SEASONS).values(name=name, began=now).returning(SEASONS.c.id)).scalar_one()
    connection.execute(update(MATCHES).where(MATCHES.c.state == "open").values(season_id=new))
    connection.execute(update(ENTRIES).where(ENTRIES.c.sigma < SEASON_SIGMA).values(sigma=SEASON_SIGMA))
    return True


def snapshot(connection: Connection, season: int, queue: int) -> dict[str, Any] | None:
    """The table of a season that has ended; None where there is none."""
    query = select(SNAPSHOTS.c.body).where(SNAPSHOTS.c.season_id == season, SNAPSHOTS.c.queue_id == queue)
    body = connection.execute(query).scalar()
    return None if body is None else dict(json.loads(body))
