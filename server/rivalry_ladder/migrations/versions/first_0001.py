"""The first schema, with results that cannot be changed or removed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = (
    "seats",
    "quarantines",
    "faults",
    "entries",
    "versions",
    "results",
    "snapshots",
    "matches",
    "bots",
    "seasons",
    "queues",
    "owners",
)
"""Each before those that it refers to."""


def upgrade() -> None:
    _made()
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "CREATE FUNCTION results_stay() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'results are append-only'; END $$"
        )
        op.execute(
            "CREATE TRIGGER results_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON results "
            "FOR EACH STATEMENT EXECUTE FUNCTION results_stay()"
        )
    else:
        for what in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER results_stay_{what.lower()} BEFORE {what} ON results "
                "BEGIN SELECT RAISE(ABORT, 'results are append-only'); END"
            )


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION results_stay()")


def _made() -> None:
    op.create_table(
        "owners",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owners")),
        sa.UniqueConstraint("name", name=op.f("uq_owners_name")),
    )
    op.create_table(
        "queues",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("closed", sa.Boolean(), nullable=False),
        sa.Column("paused", sa.Float(), nullable=True),
        sa.Column("paused_text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_queues")),
        sa.UniqueConstraint("name", name=op.f("uq_queues_name")),
    )
    op.create_table(
        "seasons",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("began", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
        sa.UniqueConstraint("name", name=op.f("uq_seasons_name")),
    )
    op.create_table(
        "bots",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("owner_id", ID, nullable=False),
        sa.Column("means", sa.String(length=16), nullable=False),
        sa.Column("token_id", sa.String(length=16), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("paused", sa.Float(), nullable=True),
        sa.Column("paused_text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], name=op.f("fk_bots_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("name", name=op.f("uq_bots_name")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("queue_id", ID, nullable=False),
        sa.Column("season_id", ID, nullable=False),
        sa.Column("probe", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["queue_id"], ["queues.id"], name=op.f("fk_matches_queue_id")),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_matches_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index(op.f("ix_matches_state"), "matches", ["state"], unique=False)
    op.create_table(
        "snapshots",
        sa.Column("season_id", ID, nullable=False),
        sa.Column("queue_id", ID, nullable=False),
        sa.Column("made", sa.Float(), nullable=False),
        sa.Column("results", sa.Integer(), nullable=False),
        sa.Column("log_digest", sa.String(length=64), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["queue_id"], ["queues.id"], name=op.f("fk_snapshots_queue_id")),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_snapshots_season_id")),
        sa.PrimaryKeyConstraint("season_id", "queue_id", name=op.f("pk_snapshots")),
    )
    op.create_table(
        "results",
        sa.Column("seq", ID, autoincrement=True, nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("queue_id", ID, nullable=False),
        sa.Column("season_id", ID, nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.Column("why_not", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_results_match_id")),
        sa.ForeignKeyConstraint(["queue_id"], ["queues.id"], name=op.f("fk_results_queue_id")),
        sa.ForeignKeyConstraint(["season_id"], ["seasons.id"], name=op.f("fk_results_season_id")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_results")),
        sa.UniqueConstraint("match_id", "attempt", name=op.f("uq_results_match_id_attempt")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_results_season_id_queue_id"), "results", ["season_id", "queue_id"], unique=False)
    op.create_table(
        "versions",
        sa.Column("id", ID, nullable=False),
        sa.Column("bot_id", ID, nullable=False),
        sa.Column("version", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("linked_to", ID, nullable=True),
        sa.Column("current", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_versions_bot_id")),
        sa.ForeignKeyConstraint(["linked_to"], ["versions.id"], name=op.f("fk_versions_linked_to")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_versions")),
        sa.UniqueConstraint("bot_id", "version", name=op.f("uq_versions_bot_id_version")),
    )
    op.create_table(
        "entries",
        sa.Column("id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("queue_id", ID, nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("rated", sa.Integer(), nullable=False),
        sa.Column("probed", sa.Boolean(), nullable=False),
        sa.Column("probes_failed", sa.Integer(), nullable=False),
        sa.Column("probe_after", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["queue_id"], ["queues.id"], name=op.f("fk_entries_queue_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_entries_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_entries")),
        sa.UniqueConstraint("version_id", "queue_id", name=op.f("uq_entries_version_id_queue_id")),
    )
    op.create_table(
        "faults",
        sa.Column("id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_faults_match_id")),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_faults_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_faults")),
        sa.UniqueConstraint("match_id", "seat", name=op.f("uq_faults_match_id_seat")),
    )
    op.create_index(op.f("ix_faults_version_id"), "faults", ["version_id"], unique=False)
    op.create_table(
        "quarantines",
        sa.Column("id", ID, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("began", sa.Float(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=True),
        sa.Column("ended_by", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["version_id"], ["versions.id"], name=op.f("fk_quarantines_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_quarantines")),
    )
    op.create_index(op.f("ix_quarantines_version_id"), "quarantines", ["version_id"], unique=False)
    op.create_table(
        "seats",
        sa.Column("match_id", sa.String(length=32), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("entry_id", ID, nullable=True),
        sa.Column("label", sa.String(length=128), nullable=False),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_seats_entry_id")),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_seats_match_id")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_seats")),
    )
    op.create_index(op.f("ix_seats_entry_id"), "seats", ["entry_id"], unique=False)
