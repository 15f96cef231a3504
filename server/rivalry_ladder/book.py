"""The book: everybody who is on the ladder, as the matchmaking reads it, and the matches that it makes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, select, update

from rivalry_ladder import registry
from rivalry_ladder.error import LadderError, OthersBotError
from rivalry_ladder.names import label
from rivalry_ladder.online import Online
from rivalry_ladder.registry import Means
from rivalry_ladder.settings import Settings
from rivalry_ladder.tables import (
    BOTS,
    ENTRIES,
    FAULTS,
    MATCHES,
    OWNERS,
    QUARANTINES,
    QUEUES,
    SEASONS,
    SEATS,
    VERSIONS,
)


@dataclass(frozen=True, slots=True)
class Row:
    """The version of a bot that plays now, in one queue."""

    entry: int
    bot: int
    name: str
    owner_id: int
    owner: str
    version_id: int
    version: str
    queue_id: int
    queue: str
    means: Means
    token_id: str
    rating: Online
    rated: int
    probed: bool
    probe_after: float
    probe_failed: str
    """How its version's last fault was told."""
    paused: str | None
    queue_closed: bool
    queue_paused: str | None
    quarantined: str | None

    @property
    def label(self) -> str:
        """What it is called in tables."""
        return label(self.name, self.version)


@dataclass(frozen=True, slots=True)
class Made:
    """A match that is to be played.  ``entries`` by seat; None is the built-in bot of a probe match."""

    match_id: str
    queue_id: int
    seed: bytes
    entries: tuple[int | None, ...]
    labels: tuple[str, ...]
    probe: bool = False


def read(connection: Connection, name: str | None = None) -> list[Row]:
    """All that play now, or the bot of a name, by entry."""
    held = select(QUARANTINES.c.version_id, QUARANTINES.c.reason).where(QUARANTINES.c.ended.is_(None)).subquery()
    fault = (
        select(FAULTS.c.text)
        .where(FAULTS.c.version_id == VERSIONS.c.id)
        .order_by(FAULTS.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(
            ENTRIES,
            VERSIONS.c.version,
            VERSIONS.c.bot_id,
            BOTS.c.name,
            BOTS.c.owner_id,
            BOTS.c.means,
            BOTS.c.token_id,
            BOTS.c.paused,
            BOTS.c.paused_text,
            OWNERS.c.name.label("owner"),
            QUEUES.c.name.label("queue"),
            QUEUES.c.closed,
            QUEUES.c.paused.label("queue_paused"),
            QUEUES.c.paused_text.label("queue_text"),
            held.c.reason,
            fault.label("fault"),
        )
        .join(VERSIONS, VERSIONS.c.id == ENTRIES.c.version_id)
        .join(BOTS, BOTS.c.id == VERSIONS.c.bot_id)
        .join(OWNERS, OWNERS.c.id == BOTS.c.owner_id)
        .join(QUEUES, QUEUES.c.id == ENTRIES.c.queue_id)
        .outerjoin(held, held.c.version_id == VERSIONS.c.id)
        .where(VERSIONS.c.current)
        .order_by(ENTRIES.c.id)
    )
    if name is not None:
        query = query.where(BOTS.c.name == name)
    return [
        Row(
            entry=row.id,
            bot=row.bot_id,
            name=row.name,
            owner_id=row.owner_id,
            owner=row.owner,
            version_id=row.version_id,
            version=row.version,
            queue_id=row.queue_id,
            queue=row.queue,
            means=Means(row.means),
            token_id=row.token_id,
            rating=Online(row.mu, row.sigma),
            rated=row.rated,
            probed=row.probed,
            probe_after=row.probe_after,
            probe_failed=row.fault or "",
            paused=None if row.paused is None else row.paused_text,
            queue_closed=row.closed,
            queue_paused=None if row.queue_paused is None else row.queue_text,
            quarantined=row.reason,
        )
        for row in connection.execute(query)
    ]


def make(connection: Connection, matches: Iterable[Made], *, now: float) -> None:
    """Notes matches that are about to be opened, in the season that runs."""
    season = running_season(connection)
    for each in matches:
        of = {"id": each.match_id, "queue_id": each.queue_id, "season_id": season, "seed": each.seed.hex()}
        connection.execute(insert(MATCHES).values(**of, probe=each.probe, made=now, state="open", text=""))
        for seat, (entry, text) in enumerate(zip(each.entries, each.labels, strict=True)):
            connection.execute(insert(SEATS).values(match_id=each.match_id, seat=seat, entry_id=entry, label=text))


def unfinished(connection: Connection) -> list[Made]:
    """The matches that were made and have no result yet, oldest first."""
    rows = connection.execute(select(MATCHES).where(MATCHES.c.state == "open").order_by(MATCHES.c.made)).all()
    return [
        Made(row.id, row.queue_id, bytes.fromhex(row.seed), *_seated(connection, row.id), probe=row.probe)
        for row in rows
    ]


def settle(connection: Connection, settings: Settings, *, now: float) -> Mapping[int, str]:
    """Brings queues and the bots that the server runs up to the settings; names of queues by id.

    Raises LadderError where a queue of that name is of another game, or a bot another owner's.
    """
    if connection.execute(select(SEASONS.c.id).where(SEASONS.c.ended.is_(None))).scalar() is None:
        connection.execute(insert(SEASONS).values(name="1", began=now))
    known = {row.name: row for row in connection.execute(select(QUEUES))}
    for name, queue in settings.queues.items():
        options = json.dumps(dict(queue.game.options), sort_keys=True, ensure_ascii=False)
        facts = {"game": queue.game.name, "options": options, "seats": queue.game.seats}
        before = known.pop(name, None)
        if before is None:
            connection.execute(insert(QUEUES).values(name=name, created=now, closed=False, paused_text="", **facts))
        elif facts != {"game": before.game, "options": before.options, "seats": before.seats}:
            raise LadderError(
                f"[queues.{name}] was {before.game} with {before.options}, and its results stay; "
                "give the new game another name"
            )
        else:
            connection.execute(update(QUEUES).where(QUEUES.c.id == before.id).values(closed=False))
    for gone in known.values():
        connection.execute(update(QUEUES).where(QUEUES.c.id == gone.id).values(closed=True))
    for bot in settings.bots.values():
        wanted = registry.Wanted(bot.name, bot.owner, bot.version, bot.digest, bot.queues)
        try:
            registry.register(connection, wanted, Means(bot.means), now=now)
        except OthersBotError as error:
            owner = json.dumps(error.owner, ensure_ascii=False)
            raise LadderError(f"[bots.{bot.name}]: {error}, or set owner = {owner} there") from error
    return {row.id: row.name for row in connection.execute(select(QUEUES))}


def touched(connection: Connection) -> None:
    """Changes nothing, and writes: it fails where nothing can be written."""
    connection.execute(update(SEASONS).where(SEASONS.c.ended.is_(None)).values(began=SEASONS.c.began))


def running_season(connection: Connection) -> int:
    """The season that runs; there always is one."""
    return int(connection.execute(select(SEASONS.c.id).where(SEASONS.c.ended.is_(None))).scalar_one())


def _seated(connection: Connection, match_id: str) -> tuple[tuple[int | None, ...], tuple[str, ...]]:
    rows: Sequence[tuple[int | None, str]] = [
        (row.entry_id, row.label)
        for row in connection.execute(select(SEATS).where(SEATS.c.match_id == match_id).order_by(SEATS.c.seat))
    ]
    return tuple(entry for entry, _ in rows), tuple(text for _, text in rows)
