"""The official table: a pure fold over the results that count, in whatever order they came.

Results are read from the log as a set, the fit of ``rivalry_evaluation`` does not depend on their order, and its chance
is derived from the results themselves: the same results are the same table to the last digit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from rivalry_evaluation.played import Played


@dataclass(frozen=True, slots=True)
class Line:
    """A result that counts, as the log has it."""

    match_id: str
    attempt: int
    body: str


def lines(connection: Connection, queue: int, season: int) -> list[Line]:
    """The results of a queue in a season that count."""
    from sqlalchemy import select  # whoever fits has no database

    from rivalry_ladder.tables import RESULTS

    query = select(RESULTS.c.match_id, RESULTS.c.attempt, RESULTS.c.body)
    found = connection.execute(
        query.where(RESULTS.c.queue_id == queue, RESULTS.c.season_id == season, RESULTS.c.counted)
    )
    return [Line(row.match_id, row.attempt, row.body) for row in found]


def log_digest(log: Iterable[Line]) -> str:
    """SHA-256 over the results, whatever their order."""
    whole = hashlib.sha256()
    for line in sorted(log, key=lambda each: (each.match_id, each.attempt)):
        whole.update(f"{line.match_id}/{line.attempt} {line.body}\n".encode())
    return whole.hexdigest()


def played(log: Iterable[Line]) -> list[Played]:
    """The results as the evaluation takes them.

    Each match has a seed of its own by chance, so each is a block.
    """
    from rivalry_evaluation.played import Played

    found = []
    for line in sorted(log, key=lambda each: (each.match_id, each.attempt)):
        body = json.loads(line.body)
        found.append(
            Played(
                block=line.match_id,
                match=line.match_id,
                bots=tuple(body["bots"]),
                ranks=tuple(body["ranks"]),
                scores=tuple(body["scores"]),
                ends=tuple(body["ends"]),
                transcript=body["transcript"],
            )
        )
    return found


def table(log: Sequence[Line], *, alpha: float, resamples: int) -> dict[str, Any]:
    """The official table, as JSON: the best first, by rating."""
    digest = log_digest(log)
    empty = {"matches": 0, "log_digest": digest, "alpha": alpha, "method": "no result counts yet", "rows": []}
    if not log:
        return empty
    from rivalry_evaluation.evaluation import evaluate

    found = evaluate(played(log), alpha=alpha, resamples=resamples, seed=f"ladder/{digest}".encode())
    standings = sorted(found.standings, key=lambda each: (-each.rating, each.bot))
    rows = [
        {
            "label": each.bot,
            "matches": each.matches,
            "rank": 1 + sum(other.rating > each.rating for other in standings),
            "rank_low": each.rank_low,
            "rank_high": each.rank_high,
            "rating": each.rating,
            "rating_low": each.rating_low,
            "rating_high": each.rating_high,
            "utility": each.utility,
            "faults": dict(sorted(each.faults.items())),
        }
        for each in standings
    ]
    return empty | {"matches": len(log), "method": found.method, "rows": rows}
