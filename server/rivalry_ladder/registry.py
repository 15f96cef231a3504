"""Owners, bots and versions: who may play, as whom.  A version has a rating of its own in each queue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from rivalry_ladder.error import ForbiddenError, LadderError, OthersBotError, TakenError, UnknownError
from rivalry_ladder.names import checked_digest, checked_name, checked_owner, checked_version
from rivalry_ladder.online import Online
from rivalry_ladder.tables import BOTS, ENTRIES, OWNERS, QUARANTINES, QUEUES, VERSIONS


class Means(StrEnum):
    """How a bot is reached."""

    DIALS_IN = "dials-in"
    """It dials in with its token, and stays."""
    DIALLED = "dialled"
    COMMAND = "command"
    BUILT_IN = "built-in"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for when a bot, a version of it, or a queue for it is registered."""

    name: str
    owner: str
    version: str
    digest: str = ""
    queues: tuple[str, ...] = ()
    """Empty: those of the version before, or all that are open."""
    link: bool = False
    """True if a new version's online rating begins where the one before is, and less sure."""


@dataclass(frozen=True, slots=True)
class Registered:
    """What came of it."""

    bot: int
    version: int
    new_bot: bool
    new_version: bool


def register(connection: Connection, wanted: Wanted, means: Means, *, now: float) -> Registered:
    """Registers a bot, or a version of one, or enters one into queues; the same again changes nothing.

    Raises LadderError, TakenError for what is another's, OthersBotError for another owner's bot.
    """
    what = f"bot {wanted.name!r}"
    checked_name(wanted.name, "a bot")
    version = checked_version(wanted.version, what)
    digest = checked_digest(wanted.digest, what)
    owner = _owner(connection, checked_owner(wanted.owner, what), now)
    bot = connection.execute(select(BOTS).where(BOTS.c.name == wanted.name)).one_or_none()
    if bot is None:
        values = {"name": wanted.name, "owner_id": owner, "means": str(means), "token_id": "", "created": now}
        bot_id = _added(connection, BOTS, values | {"paused_text": ""})
    else:
        bot_id = bot.id
        _check_same(connection, bot, owner, means)
    before = _current(connection, bot_id)
    same = connection.execute(
        select(VERSIONS).where(VERSIONS.c.bot_id == bot_id, VERSIONS.c.version == version)
    ).one_or_none()
    if same is not None:
        _check_version(wanted.name, same, digest, before)
        _enter(connection, same.id, _queues(connection, wanted.queues), None, now)
        return Registered(bot_id, same.id, new_bot=False, new_version=False)
    _check_digest(connection, bot_id, digest, wanted.name)
    version_id = _new_version(connection, bot_id, version, digest, before if wanted.link else None, now)
    queues = _queues(connection, wanted.queues) if wanted.queues or before is None else _entered(connection, before.id)
    _enter(connection, version_id, queues, before if wanted.link else None, now)
    return Registered(bot_id, version_id, new_bot=bot is None, new_version=True)


def named(connection: Connection, name: str) -> Row[Any]:
    """The bot of a name, with its owner's; raises UnknownError."""
    query = select(BOTS, OWNERS.c.name.label("owner")).join(OWNERS, OWNERS.c.id == BOTS.c.owner_id)
    found = connection.execute(query.where(BOTS.c.name == name)).one_or_none()
    if found is None:
        raise UnknownError(f"there is no bot {name[:60]!r} on this ladder; `rivalry ladder list` shows those there are")
    return found


def queue_named(connection: Connection, name: str) -> Row[Any]:
    """The queue of a name; raises UnknownError."""
    found = connection.execute(select(QUEUES).where(QUEUES.c.name == name)).one_or_none()
    if found is None:
        known = ", ".join(connection.execute(select(QUEUES.c.name).order_by(QUEUES.c.name)).scalars()) or "none"
        raise UnknownError(f"there is no queue {name[:60]!r}; there are: {known}")
    return found


def token_given(connection: Connection, bot: int, token_id: str) -> None:
    """The bot dials in with that token from now on."""
    connection.execute(update(BOTS).where(BOTS.c.id == bot).values(token_id=token_id))


def paused(connection: Connection, name: str, *, text: str, now: float) -> None:
    """The bot is not matched until it is resumed; its matches that run go on.  Raises UnknownError."""
    bot = named(connection, name)
    connection.execute(update(BOTS).where(BOTS.c.id == bot.id).values(paused=now, paused_text=text))


def resumed(connection: Connection, name: str, *, by: str, now: float) -> None:
    """The bot is matched again; from a quarantine it comes back by a probe match.

    Raises UnknownError, and LadderError if nothing kept it from playing.
    """
    bot = named(connection, name)
    version = _current(connection, bot.id)
    assert version is not None
    kept = QUARANTINES.c.version_id == version.id, QUARANTINES.c.ended.is_(None)
    freed = connection.execute(update(QUARANTINES).where(*kept).values(ended=now, ended_by=by[:64])).rowcount
    if bot.paused is None and not freed:
        raise LadderError(f"bot {name!r} is neither paused nor in quarantine; `rivalry ladder why {name}` says more")
    connection.execute(update(BOTS).where(BOTS.c.id == bot.id).values(paused=None, paused_text=""))
    if freed:
        probe = {"probed": False, "probes_failed": 0, "probe_after": 0.0}
        connection.execute(update(ENTRIES).where(ENTRIES.c.version_id == version.id).values(**probe))


def queue_paused(connection: Connection, name: str, *, text: str, now: float | None) -> None:
    """A queue makes no matches until it is resumed, which ``now`` None does; raises UnknownError and LadderError."""
    queue = queue_named(connection, name)
    if now is None and queue.paused is None:
        raise LadderError(f"the queue {name!r} is not paused")
    connection.execute(update(QUEUES).where(QUEUES.c.id == queue.id).values(paused=now, paused_text=text))


def check_owner(connection: Connection, name: str, owner: str | None) -> None:
    """Raises ForbiddenError unless the bot is ``owner``'s; None is an operator, who may all.  Raises UnknownError."""
    bot = named(connection, name)
    if owner is not None and bot.owner != owner:
        raise ForbiddenError(f"bot {name!r} is {bot.owner}'s, and the token shown is {owner}'s")


def _owner(connection: Connection, name: str, now: float) -> int:
    found = connection.execute(select(OWNERS.c.id).where(OWNERS.c.name == name)).scalar()
    return int(found) if found is not None else _added(connection, OWNERS, {"name": name, "created": now})


def _check_same(connection: Connection, bot: Row[Any], owner: int, means: Means) -> None:
    if bot.owner_id != owner:
        query = select(OWNERS.c.name).where(OWNERS.c.id == bot.owner_id)
        raise OthersBotError(bot.name, connection.execute(query).scalar_one())
    if (bot.means == Means.DIALS_IN) != (means is Means.DIALS_IN):
        how = "is run by the server's settings" if bot.means != Means.DIALS_IN else "dials in with a token"
        raise TakenError(f"the bot {bot.name!r} {how} already; take another name")
    connection.execute(update(BOTS).where(BOTS.c.id == bot.id).values(means=str(means)))


def _check_version(bot: str, same: Row[Any], digest: str, before: Row[Any] | None) -> None:
    if before is not None and same.id != before.id:
        raise TakenError(
            f"bot {bot!r} had version {same.version!r} before {before.version!r}; a version does not come back: "
            "register a new one"
        )
    if digest and same.digest and digest != same.digest:
        raise TakenError(
            f"bot {bot!r} has version {same.version!r} with the digest {same.digest[:12]}…, and not {digest[:12]}…; "
            "another program is another version"
        )


def _check_digest(connection: Connection, bot: int, digest: str, name: str) -> None:
    if not digest:
        return
    query = select(VERSIONS.c.version).where(VERSIONS.c.bot_id == bot, VERSIONS.c.digest == digest)
    twin = connection.execute(query).scalar()
    if twin is not None:
        raise TakenError(f"bot {name!r}: the digest {digest[:12]}… is that of its version {twin!r}; nothing is new")


def _new_version(
    connection: Connection, bot: int, version: str, digest: str, linked_to: Row[Any] | None, now: float
) -> int:
    connection.execute(update(VERSIONS).where(VERSIONS.c.bot_id == bot).values(current=False))
    values: dict[str, Any] = {"bot_id": bot, "version": version, "digest": digest, "created": now, "current": True}
    return _added(connection, VERSIONS, values | {"linked_to": None if linked_to is None else linked_to.id})


def _current(connection: Connection, bot: int) -> Row[Any] | None:
    query = select(VERSIONS).where(VERSIONS.c.bot_id == bot, VERSIONS.c.current)
    return connection.execute(query).one_or_none()


def _queues(connection: Connection, names: Sequence[str]) -> list[int]:
    if names:
        return [queue_named(connection, name).id for name in names]
    found = list(connection.execute(select(QUEUES.c.id).where(~QUEUES.c.closed).order_by(QUEUES.c.id)).scalars())
    if not found:
        raise LadderError("no queue is open; the operator adds one to the server's settings")
    return found


def _entered(connection: Connection, version: int) -> list[int]:
    return list(connection.execute(select(ENTRIES.c.queue_id).where(ENTRIES.c.version_id == version)).scalars())


def _enter(connection: Connection, version: int, queues: Sequence[int], linked_to: Row[Any] | None, now: float) -> None:
    have = set(_entered(connection, version))
    for queue in queues:
        if queue in have:
            continue
        begins = Online()
        if linked_to is not None:
            query = select(ENTRIES.c.mu, ENTRIES.c.sigma).where(ENTRIES.c.version_id == linked_to.id)
            before = connection.execute(query.where(ENTRIES.c.queue_id == queue)).one_or_none()
            begins = Online() if before is None else Online(before.mu, before.sigma).linked()
        values = {"version_id": version, "queue_id": queue, "mu": begins.mu, "sigma": begins.sigma, "rated": 0}
        _added(connection, ENTRIES, values | {"probed": False, "probes_failed": 0, "probe_after": 0.0})


def _added(connection: Connection, table: Any, values: dict[str, Any]) -> int:
    return int(connection.execute(insert(table).values(**values).returning(table.c.id)).scalar_one())
