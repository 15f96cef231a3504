"""The ladder's database: its schema, its file, what it refuses."""

from __future__ import annotations

import os
import signal
import stat
import time
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, insert, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from rivalry_ladder.error import StoreError
from rivalry_ladder.store import Store, configured
from rivalry_ladder.tables import MATCHES, METADATA, QUEUES, RESULTS, SEASONS


def test_the_migrations_make_the_tables_that_the_code_means(store: Store) -> None:
    with store.engine.connect() as connection:
        differing = compare_metadata(MigrationContext.configure(connection), METADATA)

        assert differing == []


def test_the_schema_goes_back_and_forth(store: Store) -> None:
    with configured(store.engine) as config:
        command.downgrade(config, "base")
    with store.engine.connect() as connection:
        assert set(inspect(connection).get_table_names()) == {"alembic_version"}

    with configured(store.engine) as config:
        command.upgrade(config, "head")

    with store.engine.connect() as connection:
        assert set(METADATA.tables) < set(inspect(connection).get_table_names())


@pytest.mark.parametrize("change", ["UPDATE results SET counted = NOT counted", "DELETE FROM results"])
def test_a_result_is_neither_changed_nor_removed(store: Store, change: str) -> None:
    store.do(with_a_result)

    with pytest.raises(SQLAlchemyError, match="append-only"):
        store.do(lambda connection: connection.execute(text(change)))

    assert store.do(lambda connection: connection.execute(text("SELECT counted FROM results")).scalar())


def with_a_result(connection: Connection) -> None:
    queue = {"name": "q", "game": "kuhn", "options": "{}", "seats": 2, "created": 0, "closed": False, "paused_text": ""}
    connection.execute(insert(QUEUES), [queue])
    connection.execute(insert(SEASONS), [{"name": "s", "began": 0}])
    of = {"queue_id": 1, "season_id": 1}
    match = {"id": "0" * 32, "probe": False, "seed": "00", "made": 0, "state": "ended", "text": ""}
    connection.execute(insert(MATCHES), [match | of])
    result = {"match_id": "0" * 32, "attempt": 1, "run_id": "0" * 32, "counted": True, "why_not": "", "body": "{}"}
    connection.execute(insert(RESULTS), [result | of | {"at": 0}])


def test_what_is_done_in_part_is_not_done(store: Store) -> None:
    def work(connection: Connection) -> None:
        connection.execute(insert(SEASONS), [{"name": "s", "began": 0}])
        raise ValueError

    with pytest.raises(ValueError):
        store.do(work)

    assert store.do(lambda connection: connection.execute(text("SELECT count(*) FROM seasons")).scalar()) == 0


def test_the_file_is_for_its_user_alone_and_writes_ahead(tmp_path: Path) -> None:
    store = Store.in_folder(tmp_path / "data")

    assert stat.S_IMODE((tmp_path / "data" / "ladder.db").stat().st_mode) == 0o600
    assert store.do(lambda connection: connection.execute(text("PRAGMA journal_mode")).scalar()) == "wal"
    store.close()
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_database_has_one_ladder_at_a_time(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rivalry_ladder.store.LEFT_S", 0.2)
    first = Store.at(database)

    with pytest.raises(StoreError, match="another ladder has this database; stop it"):
        Store.at(database)

    first.close()
    Store.at(database).close()


def test_a_ladder_that_was_just_stopped_is_waited_for(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL may notice only later that it is gone."""
    first = Store.at(database)
    its_backend = first.do(lambda connection: int(connection.execute(text("SELECT pg_backend_pid()")).scalar_one()))
    os.kill(its_backend, signal.SIGSTOP)
    sleep, waits = time.sleep, []

    def goes_on(seconds: float) -> None:
        if not waits:
            os.kill(its_backend, signal.SIGCONT)
        waits.append(seconds)
        sleep(seconds)

    monkeypatch.setattr("rivalry_ladder.store.LEFT_S", 60.0)
    monkeypatch.setattr("time.sleep", goes_on)
    try:
        first.close()
        Store.at(database).close()
    finally:
        if not waits:
            os.kill(its_backend, signal.SIGCONT)

    assert waits


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "expected a URL such as postgresql"),
        ("mysql://host/name", "expected sqlite or postgresql"),
        ("postgresql+psycopg://u:secret@/x?host=/nowhere", "u:\\*\\*\\*@/x.*: connection"),
    ],
)
def test_a_database_that_cannot_be_used_is_named_without_its_password(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=said) as told:
        Store.at(url)

    assert "secret" not in str(told.value)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "ladder.db").write_text("not a database, and long enough to be taken for a broken one" * 20)

    with pytest.raises(StoreError, match="not a database"):
        Store.in_folder(tmp_path)


def test_a_schema_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    store = Store.in_folder(tmp_path)
    store.do(lambda connection: connection.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    store.close()

    with pytest.raises(StoreError, match="use the rivalry that wrote it, or newer"):
        Store.in_folder(tmp_path)
