"""A database that cannot be written: it is said, `why` says it, nothing is lost, and all goes on when it is over."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from sqlalchemy import Connection, select
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from ladder import postgres
from ladder.house import House, house
from ladder.made import entries, settled
from rivalry_ladder import book, course, seasons, trouble
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.error import GoneError, StoreError
from rivalry_ladder.store import FILE, Store
from rivalry_ladder.tables import RESULTS

MADE = ladder_settings.settings(
    {
        "ladder": {"round_s": 0.05, "rest_s": 0.1, "gap": 9},
        "queues": {"kuhn": {"game": "kuhn"}},
        "bots": {
            "one": {"run": "built-in:first", "owner": "ann"},
            "two": {"run": "built-in:random", "owner": "bob"},
        },
    }
)


CROWD = ladder_settings.settings(
    {
        "ladder": {"round_s": 0.05, "gap": 9},
        "queues": {"kuhn": {"game": "kuhn"}},
        "bots": {f"bot{n}": {"run": "built-in:random", "owner": f"owner{n}"} for n in range(8)},
    }
)


class Logged:
    """What is logged, by its word."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def error(self, event: str, **_: object) -> None:
        """An error."""
        self.events.append(event)

    warning = error


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trouble is not over before a test says that it may be."""
    monkeypatch.setattr(trouble, "QUIET_S", 1_000.0)


async def over(of: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trouble may be over: returns when it is."""
    monkeypatch.setattr(trouble, "QUIET_S", 0.0)
    await of.until(lambda: not of.ladder.course.trouble.text)


def test_a_file_that_is_taken_away_takes_no_results_and_all_goes_on_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> tuple[str, set[str], list[str]]:
        async with house(tmp_path, MADE) as here:
            rows = await here.ladder.desk.do(book.read)

            async def counts(most: int) -> bool:
                return await here.counted() >= most

            def told(of: House) -> set[str]:
                return {reason.why for row in rows for reason in of.ladder.reasons(row)}

            await here.until(lambda: counts(2))
            (tmp_path / FILE).rename(tmp_path / "away.db")
            await here.until(lambda: told(here) == {"database"})
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await here.ask("ListBots")
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
            (tmp_path / "away.db").rename(tmp_path / FILE)
            before = await here.counted()
            await here.until(lambda: counts(before + 3))
            await over(here, monkeypatch)
            assert "database" not in told(here)
            await here.ask("PauseQueue", name="kuhn")
            await here.until(lambda: not len(here.ladder.course))
            states = {match.state for match in (await here.ask("ListLadderMatches")).matches}
            assert states == {"ended"}
            return str(refused.value.details()), *await played_and_written(here)

    said, played, written = asyncio.run(asyncio.wait_for(work(), 60))

    assert "was removed or replaced" in said and "put the same file back" in said
    assert played <= set(written)
    assert len(written) == len(set(written))


def test_a_file_that_another_is_put_in_place_of_is_no_more_written(tmp_path: Path) -> None:
    store = Store.in_folder(tmp_path)
    settled(store)
    (tmp_path / "copy.db").write_bytes((tmp_path / FILE).read_bytes())
    (tmp_path / "copy.db").rename(tmp_path / FILE)

    with pytest.raises(GoneError, match="removed or replaced"):
        entries(store)
    store.close()


def test_a_database_that_another_process_holds_at_the_start_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.in_folder(tmp_path).close()
    store = Store.in_folder(tmp_path)
    store.do(lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout = 20").close())
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreError, match=r"ladder\.db: database is locked; see to the disk, or"):
        store.settle(lambda connection: book.settle(connection, MADE, now=0.0))

    other.execute("ROLLBACK")
    store.settle(lambda connection: book.settle(connection, MADE, now=0.0))
    before = store.do(seasons.logs)
    store.do(book.touched)
    assert store.do(seasons.logs) == before
    store.close()


def test_a_disk_that_takes_small_writes_and_no_big_ones_is_told_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

    monkeypatch.setattr(trouble, "log", logged := Logged())

    async def work() -> str:
        async with house(tmp_path, MADE) as here:
            (row, *_) = await here.ladder.desk.do(book.read)

            async def rated() -> bool:
                return await here.counted() > 0

            await here.until(rated)  # so that some rounds have nothing to make, which go well
            with monkeypatch.context() as change:
                change.setattr(book, "make", full)
                await here.until(lambda: here.ladder.course.trouble.text)
                await here.more_rounds(5)
                (reason,) = here.ladder.reasons(row)
            await over(here, monkeypatch)
            return reason.text

    text = asyncio.run(asyncio.wait_for(work(), 60))

    assert logged.events == ["database_failed", "database_well"]
    assert "database or disk is full" in text


def test_a_season_begins_while_results_come_faster_than_tables_are_fitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> list[int]:
        async with house(tmp_path, MADE) as here:
            exact = here.ladder.fitting.exact

            async def slowly(*of: Any) -> Any:
                await asyncio.sleep(0.5)
                return await exact(*of)

            monkeypatch.setattr(here.ladder.fitting, "exact", slowly)

            async def counts(most: int) -> bool:
                return await here.counted() >= most

            await here.until(lambda: counts(2))
            await here.ask("StartSeason", name="two")
            before = await here.counted()
            await here.until(lambda: counts(before + 2))
            return [(await here.ask("GetTable", season="1")).table.matches, before]

    snapshot, before = asyncio.run(asyncio.wait_for(work(), 60))

    assert 2 <= snapshot <= before


def test_what_is_said_of_a_pause_is_one_line_without_controls(tmp_path: Path) -> None:
    async def work() -> str:
        async with house(tmp_path, MADE) as here:
            await here.ask("PauseBot", name="one", why="tea\nkuhn: turn: \x1b[31mnothing keeps it")
            return str((await here.ask("GetBot", name="one")).bot.paused_why)

    said = asyncio.run(work())

    assert said.startswith("tea") and said.isprintable()


def test_a_database_that_is_stopped_and_started_again_loses_no_result_and_counts_none_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cluster: postgres.Cluster, database: str
) -> None:
    monkeypatch.setattr(trouble, "log", logged := Logged())
    monkeypatch.setattr(course, "DATABASE_S", 0.1)

    async def work() -> tuple[set[str], list[str], list[str], set[str]]:
        async with house(tmp_path, CROWD, url=database) as here:
            row = (await here.ladder.desk.do(book.read))[0]

            async def counts(most: int) -> bool:
                return await here.counted() >= most

            await here.until(lambda: counts(5))
            await here.until(lambda: len(here.ladder.course))  # between two rounds nothing may run
            await asyncio.to_thread(cluster.stop)
            await here.until(lambda: here.ladder.reasons(row)[0].why == "database")
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await here.ask("ListBots")
            assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
            await asyncio.to_thread(cluster.start)
            before = await told_when_it_can(here)
            await here.until(lambda: counts(before + 5))
            monkeypatch.setattr("rivalry_ladder.store.LEFT_S", 0.2)
            with pytest.raises(StoreError, match="another ladder has this database"):
                await asyncio.to_thread(Store.at, database)
            await over(here, monkeypatch)
            await here.ask("PauseQueue", name="kuhn")
            await here.until(lambda: not len(here.ladder.course))
            played, found = await played_and_written(here)
            matches = (await here.ask("ListLadderMatches", page_size=1000)).matches
            return played, found, logged.events, {match.state for match in matches}

    played, found, events, states = asyncio.run(asyncio.wait_for(work(), 60))

    assert len(played) > 10
    assert played <= set(found)
    assert len(found) == len(set(found))
    assert events == ["database_failed", "database_well"]
    assert states <= {"ended", "dropped"}


async def played_and_written(of: House) -> tuple[set[str], list[str]]:
    """The matches that the arena has results of, and those in the log."""
    played = {key for key, each in of.ladder.arena.attempts.items() if each.result and not each.result.void}
    return played, await of.ladder.desk.do(lambda c: list(c.execute(select(RESULTS.c.match_id)).scalars()))


async def told_when_it_can(of: House) -> int:
    """How many results count, when the database is there again."""
    while True:
        try:
            return await of.counted()
        except SQLAlchemyError:
            await asyncio.sleep(0.05)


def test_a_match_that_was_written_down_and_not_acknowledged_is_not_left_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection may break after the database has done what it was asked."""
    make, failed = book.make, []

    def unheard(connection: Connection, *of: Any, **more: Any) -> None:
        make(connection, *of, **more)
        if not failed:
            failed.append(True)
            connection.commit()
            raise OperationalError("COMMIT", {}, sqlite3.OperationalError("the connection is gone"))

    monkeypatch.setattr(book, "make", unheard)

    async def work() -> list[str]:
        async with house(tmp_path, MADE) as here:

            async def rated() -> bool:
                return await here.counted() > 0

            await here.until(rated)
            matches = (await here.ask("ListLadderMatches")).matches
            return [match.why_not for match in matches if match.state == "dropped"]

    assert set(asyncio.run(asyncio.wait_for(work(), 60))) == {"the database failed when it was made"}
