"""What the ladder knows, as messages: bots, queues, tables, matches, seasons."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, desc, func, or_, select

from rivalry.ladder.v1 import bot_pb2, table_pb2
from rivalry_ladder import book
from rivalry_ladder.error import LadderError, UnknownError
from rivalry_ladder.tables import (
    BOTS,
    ENTRIES,
    FAULTS,
    MATCHES,
    OWNERS,
    QUARANTINES,
    QUEUES,
    RESULTS,
    SEASONS,
    SEATS,
    VERSIONS,
)

FAULTS_MOST: Final = 20


def us(at: float) -> int:
    """Seconds since 1970 as microseconds."""
    return round(at * 1_000_000)


def bot(rows: Sequence[book.Row], created: float, *, sessions: int, live: Callable[[int], Mapping[str, Any]]) -> Any:
    """A bot as everybody may know it; ``rows`` are its entries, and ``live`` says what is known of each now."""
    first = rows[0]
    return bot_pb2.Bot(
        name=first.name,
        owner=first.owner,
        means=f"MEANS_{first.means.upper().replace('-', '_')}",
        version=first.version,
        created_us=us(created),
        paused=first.paused is not None,
        paused_why=first.paused or "",
        quarantined=first.quarantined or "",
        sessions=sessions,
        entries=[
            bot_pb2.Entry(
                queue=row.queue,
                mu=row.rating.mu,
                sigma=row.rating.sigma,
                rated=row.rated,
                probed=row.probed,
                **live(row.entry),
            )
            for row in rows
        ],
    )


def created(connection: Connection) -> dict[str, float]:
    """When each bot was registered, by name."""
    return {row.name: row.created for row in connection.execute(select(BOTS.c.name, BOTS.c.created))}


def versions(connection: Connection, name: str) -> list[bot_pb2.Version]:
    """A bot's versions, the newest first."""
    before = VERSIONS.alias()
    query = (
        select(VERSIONS, before.c.version.label("linked"))
        .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
        .outerjoin(before, before.c.id == VERSIONS.c.linked_to)
        .where(BOTS.c.name == name)
        .order_by(desc(VERSIONS.c.id))
    )
    return [
        bot_pb2.Version(
            version=row.version,
            digest=row.digest,
            created_us=us(row.created),
            linked_to=row.linked or "",
            current=row.current,
        )
        for row in connection.execute(query)
    ]


def faults(connection: Connection, version: int) -> list[bot_pb2.Fault]:
    """The newest faults of a version."""
    query = select(FAULTS).where(FAULTS.c.version_id == version).order_by(desc(FAULTS.c.id)).limit(FAULTS_MOST)
    return [
        bot_pb2.Fault(match_id=row.match_id, seat=row.seat, kind=row.kind, text=row.text, at_us=us(row.at))
        for row in connection.execute(query)
    ]


def quarantines(connection: Connection, name: str) -> list[bot_pb2.Quarantine]:
    """All of a bot's, the newest first."""
    query = (
        select(QUARANTINES, VERSIONS.c.version)
        .join(VERSIONS, VERSIONS.c.id == QUARANTINES.c.version_id)
        .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
        .where(BOTS.c.name == name)
        .order_by(desc(QUARANTINES.c.id))
    )
    return [
        bot_pb2.Quarantine(
            version=row.version,
            began_us=us(row.began),
            reason=row.reason,
            ended_us=None if row.ended is None else us(row.ended),
            ended_by=row.ended_by,
        )
        for row in connection.execute(query)
    ]


def queues(connection: Connection, playing: Callable[[int], int]) -> list[table_pb2.Queue]:
    """All queues, by name."""
    counted = (
        select(ENTRIES.c.queue_id, func.count().label("bots"))
        .join(VERSIONS, VERSIONS.c.id == ENTRIES.c.version_id)
        .where(VERSIONS.c.current)
        .group_by(ENTRIES.c.queue_id)
        .subquery()
    )
    query = select(QUEUES, counted.c.bots).outerjoin(counted, counted.c.queue_id == QUEUES.c.id).order_by(QUEUES.c.name)
    return [
        table_pb2.Queue(
            name=row.name,
            game=row.game,
            options_json=row.options,
            seats=row.seats,
            paused=row.paused is not None,
            paused_why=row.paused_text,
            closed=row.closed,
            bots=row.bots or 0,
            playing=playing(row.id),
        )
        for row in connection.execute(query)
    ]


def seasons(connection: Connection) -> list[table_pb2.Season]:
    """All seasons, the newest first."""
    counted = select(func.count()).where(RESULTS.c.season_id == SEASONS.c.id, RESULTS.c.counted).scalar_subquery()
    query = select(SEASONS, counted.label("matches")).order_by(desc(SEASONS.c.id))
    return [
        table_pb2.Season(
            name=row.name,
            began_us=us(row.began),
            ended_us=None if row.ended is None else us(row.ended),
            matches=row.matches,
        )
        for row in connection.execute(query)
    ]


def matches(
    connection: Connection, *, bot: str, queue: str, size: int, token: str
) -> tuple[list[table_pb2.LadderMatch], str]:
    """A page of matches, the newest first, and the token of the next; raises LadderError for a token that is none."""
    query = (
        select(MATCHES, QUEUES.c.name.label("queue"), SEASONS.c.name.label("season"))
        .join(QUEUES, QUEUES.c.id == MATCHES.c.queue_id)
        .join(SEASONS, SEASONS.c.id == MATCHES.c.season_id)
        .order_by(desc(MATCHES.c.made), desc(MATCHES.c.id))
        .limit(size + 1)
    )
    if queue:
        query = query.where(QUEUES.c.name == queue)
    if bot:
        query = query.where(MATCHES.c.id.in_(_of_bot(bot)))
    if token:
        made, match_id = _placed(token)
        query = query.where(or_(MATCHES.c.made < made, (MATCHES.c.made == made) & (MATCHES.c.id < match_id)))
    rows = connection.execute(query).all()
    page = rows[:size]
    following = f"{page[-1].made!r}/{page[-1].id}" if len(rows) > size else ""
    seats, results = _parts(connection, [row.id for row in page])
    return [_match(row, seats.get(row.id, []), results.get(row.id)) for row in page], following


def table(connection: Connection, fitted: Mapping[str, Any], queue: int) -> list[table_pb2.TableRow]:
    """The rows of an official table, with whose each is and its online rating; those without a match come last."""
    query = (
        select(ENTRIES, VERSIONS.c.version, VERSIONS.c.current, BOTS.c.name, OWNERS.c.name.label("owner"))
        .join(VERSIONS, VERSIONS.c.id == ENTRIES.c.version_id)
        .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
        .join(OWNERS, OWNERS.c.id == BOTS.c.owner_id)
        .where(ENTRIES.c.queue_id == queue)
        .order_by(desc(ENTRIES.c.mu - 3 * ENTRIES.c.sigma), ENTRIES.c.id)
    )
    known = {f"{row.name}@{row.version}": row for row in connection.execute(query)}
    rows = [_row(known.pop(str(each["label"])), each) for each in fitted["rows"]]
    return rows + [_row(row, {}) for row in known.values() if row.current]


def _row(entry: Any, fitted: Mapping[str, Any]) -> table_pb2.TableRow:
    return table_pb2.TableRow(
        bot=entry.name,
        version=entry.version,
        owner=entry.owner,
        mu=entry.mu,
        sigma=entry.sigma,
        current=entry.current,
        **{key: value for key, value in fitted.items() if key != "label"},
    )


def _of_bot(name: str) -> Select[Any]:
    return (
        select(SEATS.c.match_id)
        .join(ENTRIES, ENTRIES.c.id == SEATS.c.entry_id)
        .join(VERSIONS, VERSIONS.c.id == ENTRIES.c.version_id)
        .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
        .where(BOTS.c.name == name)
    )


def _placed(token: str) -> tuple[float, str]:
    made, _, match_id = token.partition("/")
    try:
        return float(made), match_id
    except ValueError:
        raise LadderError("the page token is not from a response of ListLadderMatches") from None


def _parts(connection: Connection, ids: Sequence[str]) -> tuple[dict[str, list[str]], dict[str, Any]]:
    """By match: the labels of its seats, and its last result."""
    seats: dict[str, list[str]] = {}
    for row in connection.execute(
        select(SEATS).where(SEATS.c.match_id.in_(ids)).order_by(SEATS.c.match_id, SEATS.c.seat)
    ):
        seats.setdefault(row.match_id, []).append(row.label)
    found = connection.execute(select(RESULTS).where(RESULTS.c.match_id.in_(ids)).order_by(RESULTS.c.attempt))
    return seats, {row.match_id: row for row in found}


def _match(row: Any, labels: Sequence[str], result: Any) -> table_pb2.LadderMatch:
    told = table_pb2.LadderMatch(
        match_id=row.id,
        queue=row.queue,
        season=row.season,
        probe=row.probe,
        state=row.state,
        made_us=us(row.made),
        why_not=row.text,
        seats=[table_pb2.LadderSeat(label=text) for text in labels],
    )
    if result is not None:
        told.counted, told.run_id = result.counted, result.run_id
        told.why_not = result.why_not or row.text
        body = json.loads(result.body)
        for number, seat in enumerate(told.seats):
            seat.end, seat.text = body["ends"][number], body["texts"][number]
            if body["ranks"][number] is not None:
                seat.rank, seat.score = body["ranks"][number], body["scores"][number]
    return told


def season_named(connection: Connection, name: str) -> Any:
    """The season of a name, the one that runs for an empty one; raises UnknownError."""
    wanted = SEASONS.c.name == name if name else SEASONS.c.ended.is_(None)
    found = connection.execute(select(SEASONS).where(wanted)).one_or_none()
    if found is None:
        raise UnknownError(f"there is no season {name[:60]!r}; `rivalry ladder season` lists those there are")
    return found
