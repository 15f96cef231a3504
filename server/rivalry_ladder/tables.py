"""The tables of the ladder's database, alike on SQLite and PostgreSQL.  Times are seconds since 1970."""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_ID: Final = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up in an INTEGER alone

OWNERS: Final = Table(
    "owners",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("created", Float, nullable=False),
)
BOTS: Final = Table(
    "bots",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("owner_id", ForeignKey("owners.id"), nullable=False),
    Column("means", String(16), nullable=False),  # how it is reached: Means
    Column("token_id", String(16), nullable=False),  # of the token it dials in with; empty where it does not
    Column("created", Float, nullable=False),
    Column("paused", Float),
    Column("paused_text", Text, nullable=False),
)
VERSIONS: Final = Table(
    "versions",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("bot_id", ForeignKey("bots.id"), nullable=False),
    Column("version", String(64), nullable=False),
    Column("digest", String(64), nullable=False),  # SHA-256 that the owner gave, in hex; empty: none
    Column("created", Float, nullable=False),
    Column("linked_to", ForeignKey("versions.id")),  # whose online rating was its first guess
    Column("current", Boolean, nullable=False),
    UniqueConstraint("bot_id", "version"),
)
QUEUES: Final = Table(
    "queues",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),  # a JSON object, every option with its value
    Column("seats", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("closed", Boolean, nullable=False),  # the settings have it no more
    Column("paused", Float),
    Column("paused_text", Text, nullable=False),
)
ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("version_id", ForeignKey("versions.id"), nullable=False),
    Column("queue_id", ForeignKey("queues.id"), nullable=False),
    Column("mu", Float, nullable=False),  # the online rating
    Column("sigma", Float, nullable=False),
    Column("rated", Integer, nullable=False),  # matches behind it
    Column("probed", Boolean, nullable=False),
    Column("probes_failed", Integer, nullable=False),
    Column("probe_after", Float, nullable=False),  # the next probe match is not made before
    UniqueConstraint("version_id", "queue_id"),
)
SEASONS: Final = Table(
    "seasons",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("began", Float, nullable=False),
    Column("ended", Float),
)
MATCHES: Final = Table(
    "matches",
    METADATA,
    Column("id", String(32), primary_key=True),  # the match id of its first run
    Column("queue_id", ForeignKey("queues.id"), nullable=False),
    Column("season_id", ForeignKey("seasons.id"), nullable=False),
    Column("probe", Boolean, nullable=False),
    Column("seed", String(64), nullable=False),  # hex
    Column("made", Float, nullable=False),
    Column("state", String(8), nullable=False),  # open, ended, dropped
    Column("text", Text, nullable=False),  # why it was dropped
    Index(None, "state"),
)
SEATS: Final = Table(
    "seats",
    METADATA,
    Column("match_id", ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("entry_id", ForeignKey("entries.id")),  # none: a built-in bot of a probe match
    Column("label", String(128), nullable=False),  # BOT@VERSION
    Index(None, "entry_id"),
)
RESULTS: Final = Table(
    "results",
    METADATA,
    Column("seq", _ID, primary_key=True, autoincrement=True),
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("run_id", String(32), nullable=False),  # the match id of this run
    Column("queue_id", ForeignKey("queues.id"), nullable=False),
    Column("season_id", ForeignKey("seasons.id"), nullable=False),
    Column("counted", Boolean, nullable=False),
    Column("why_not", Text, nullable=False),
    Column("body", Text, nullable=False),  # JSON: see results.py
    Column("at", Float, nullable=False),
    UniqueConstraint("match_id", "attempt"),
    Index(None, "season_id", "queue_id"),
    sqlite_autoincrement=True,
)
FAULTS: Final = Table(
    "faults",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("version_id", ForeignKey("versions.id"), nullable=False),
    Column("match_id", ForeignKey("matches.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("match_id", "seat"),
    Index(None, "version_id"),
)
QUARANTINES: Final = Table(
    "quarantines",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("version_id", ForeignKey("versions.id"), nullable=False),
    Column("began", Float, nullable=False),
    Column("reason", Text, nullable=False),
    Column("ended", Float),
    Column("ended_by", String(64), nullable=False),
    Index(None, "version_id"),
)
SNAPSHOTS: Final = Table(
    "snapshots",
    METADATA,
    Column("season_id", ForeignKey("seasons.id"), primary_key=True),
    Column("queue_id", ForeignKey("queues.id"), primary_key=True),
    Column("made", Float, nullable=False),
    Column("results", Integer, nullable=False),  # how many counted
    Column("log_digest", String(64), nullable=False),
    Column("body", Text, nullable=False),  # the official table as JSON
)
