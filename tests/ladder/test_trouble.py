"""A database that cannot be written: it is said, `why` says it, nothing is lost, and all goes on when it is over."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from sqlalchemy.exc import OperationalError

from ladder.house import House, house
from ladder.made import entries, settled
from rivalry_ladder import book, seasons, trouble
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.error import GoneError, StoreError
from rivalry_ladder.store import FILE, Store

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


class Logged:
    """What is logged, by its word."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def error(self, event: str, **_: object) -> None:
        """An error."""
        self.events.append(event)

    warning = error


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trouble, "QUIET_S", 0.5)


def test_a_file_that_is_taken_away_takes_no_results_and_all_goes_on_when_it_is_back(tmp_path: Path) -> None:
    async def work() -> tuple[str, int, int]:
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
            await here.until(lambda: "database" not in told(here))
            await here.ask("PauseQueue", name="kuhn")
            await here.until(lambda: not len(here.ladder.course))
            states = {match.state for match in (await here.ask("ListLadderMatches")).matches}
            assert states == {"ended"}
            table = (await here.ask("GetTable")).table
            return str(refused.value.details()), table.matches, await here.counted()

    said, matches, counted = asyncio.run(asyncio.wait_for(work(), 60))

    assert "was removed or replaced" in said and "put the same file back" in said
    assert matches <= counted


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
                before = here.ladder.rounds
                await here.until(lambda: here.ladder.rounds >= before + 5)
                (reason,) = here.ladder.reasons(row)
            await here.until(lambda: not here.ladder.course.trouble.text)
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

    snapshot, before = asyncio.run(asyncio.wait_for(work(), 25))

    assert 2 <= snapshot <= before


def test_what_is_said_of_a_pause_is_one_line_without_controls(tmp_path: Path) -> None:
    async def work() -> str:
        async with house(tmp_path, MADE) as here:
            await here.ask("PauseBot", name="one", why="tea\nkuhn: turn: \x1b[31mnothing keeps it")
            return str((await here.ask("GetBot", name="one")).bot.paused_why)

    said = asyncio.run(work())

    assert said.startswith("tea") and said.isprintable()
