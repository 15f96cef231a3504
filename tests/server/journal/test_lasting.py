"""The journal's file: who may have it, what it says of another format, disks that are full, ends that are told late."""

from __future__ import annotations

import asyncio
import io
import json
import os
import resource
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from rivalry_server import logs
from rivalry_server.arena import Arena
from rivalry_server.attempt import Attempt
from rivalry_server.journal import JournalStuckError, ending
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.journal.store import FILE, JournalError, JournalFormatError, JournalInUseError
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.seating import Listen
from server import virtual
from server.journal.house import arena, built_in, gone_on, played
from server.peer import kuhn

Trouble = Callable[[FileJournal], AbstractContextManager[None]]
BOTS = [built_in("random", "kuhn")] * 2


def journal_of(house: Arena) -> FileJournal:
    assert isinstance(house._journal, FileJournal)
    return house._journal


def matches(count: int, first: int = 0) -> list[MatchSpec]:
    """Matches that wait a second for their bots."""
    return [MatchSpec(kuhn(), b"%d" % number, wait_s=1) for number in range(first, first + count)]


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    virtual.run(played(tmp_path / "data", matches(1), BOTS))

    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "data").iterdir()} == {0o600}


def test_a_second_arena_is_told_who_has_the_journal(tmp_path: Path) -> None:
    async def two() -> str:
        house = arena(tmp_path)
        try:
            with pytest.raises(JournalInUseError) as told:
                arena(tmp_path)
            return str(told.value)
        finally:
            await house.stop()

    text = virtual.run(two())

    assert text == (
        f"{tmp_path}: the journal is in use by process {os.getpid()}; stop that arena first, or give another folder"
    )
    virtual.run(gone_on(tmp_path))


def test_a_journal_of_a_newer_format_is_left_alone(tmp_path: Path) -> None:
    virtual.run(played(tmp_path, matches(1), BOTS))
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    before = (tmp_path / FILE).read_bytes()

    with pytest.raises(
        JournalFormatError, match="format 2, this package reads format 1; use the package that wrote it"
    ):
        FileJournal(tmp_path)

    assert (tmp_path / FILE).read_bytes() == before


def test_another_database_is_no_journal(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("CREATE TABLE mine (x)")
    connection.close()

    with pytest.raises(JournalFormatError, match="this is no journal of rivalry"):
        FileJournal(tmp_path)


def test_a_folder_that_cannot_be_made_is_told_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(JournalError, match="cannot keep a journal there: Not a directory") as told:
        FileJournal(tmp_path / "file" / "data")

    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal"])
def test_it_is_said_that_the_files_were_removed_while_the_arena_has_them(tmp_path: Path, name: str) -> None:
    told = io.StringIO()

    async def work() -> None:
        house = arena(tmp_path)
        await house.open_match(matches(2)[0], BOTS).finished
        (tmp_path / name).unlink()
        assert not told.getvalue()
        await house.open_match(matches(2)[1], BOTS).finished
        await house.stop()

    logs.configure("error", stream=told)
    try:
        virtual.run(work())
    finally:
        logs.configure("warning")

    line = json.loads(told.getvalue().splitlines()[0])
    assert line["event"] == "journal_unsynced"
    assert line["error"] == f"[Errno 2] it was removed while the arena has it: '{tmp_path / FILE}'"


def test_a_match_whose_end_cannot_be_put_into_words_ends_all_the_same_and_is_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tries = ending.payload, []

    def payload(*facts: Any) -> bytes:
        tries.append(facts)
        if len(tries) == 1:
            raise MemoryError
        return real(*facts)

    async def work() -> tuple[Result, Result]:
        house = arena(tmp_path)
        first = house.open_match(matches(1)[0], BOTS)
        spoiled = await asyncio.wait_for(asyncio.shield(first.finished), 5)
        await asyncio.sleep(1)
        again = house.attempts[first.again_as]
        await house.stop()
        return spoiled, again.finished.result()

    monkeypatch.setattr(ending, "payload", payload)
    logs.configure("none")
    try:
        spoiled, again = virtual.run(work())
    finally:
        logs.configure("warning")

    assert [seat.end for seat in spoiled.seats] == [End.ARENA_FAULT] * 2 and spoiled.owed
    assert [seat.end for seat in again.seats] == [End.NORMAL] * 2


@contextmanager
def no_pages(journal: FileJournal) -> Iterator[None]:
    """SQLite says that the disk is full."""
    store = journal._store
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = store.execute("PRAGMA page_count").fetchone()[0]
    store.execute(f"PRAGMA max_page_count = {pages}")
    yield
    store.execute("PRAGMA max_page_count = 1000000")


@contextmanager
def no_growth(journal: FileJournal) -> Iterator[None]:
    """The system lets no file grow."""
    size = (journal.folder / f"{FILE}-wal").stat().st_size
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("trouble", "error", "remedy"),
    [
        (no_pages, "database or disk is full", "make room on the disk"),
        (no_growth, "disk I/O error", "look after the disk"),
    ],
)
def test_a_disk_that_takes_nothing_stops_no_match_and_loses_nothing_once_it_does(
    trouble: Trouble, error: str, remedy: str, tmp_path: Path
) -> None:
    told = io.StringIO()
    logs.configure("warning", stream=told)

    async def whole() -> tuple[list[Attempt], str]:
        house = arena(tmp_path)
        running = [house.open_match(spec, [*BOTS[:1], Listen()]) for spec in matches(40)]
        with trouble(journal_of(house)):
            await asyncio.sleep(60)
            assert all(attempt.match is not None and attempt.match.result is not None for attempt in running)
            assert not any(attempt.finished.done() for attempt in running), "an end was told that is not lasting"
            with pytest.raises(JournalStuckError, match=error) as refused:
                house.open_match(matches(1, 100)[0], BOTS)
        await asyncio.sleep(6)
        assert all(attempt.finished.done() for attempt in running)
        late = house.open_match(matches(1, 200)[0], BOTS)
        await late.finished
        await house.stop()
        return [*running, late], str(refused.value)

    attempts, text = virtual.run(whole())
    after = virtual.run(gone_on(tmp_path))

    lines = [json.loads(line) for line in told.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["journal_stuck", "journal_goes_on"]
    assert lines[0]["error"] == error and remedy in lines[0]["remedy"]
    assert text.startswith("the journal cannot be written, so no new matches are taken")
    assert [result.record() for result in after] == [attempt.finished.result().record() for attempt in attempts]


def test_what_another_program_has_locked_is_written_when_it_lets_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rivalry_server.journal.lasting.PATIENCE_MS", 10)
    logs.configure("none")

    async def whole() -> tuple[bool, bool]:
        house = arena(tmp_path)
        journal_of(house)._store.wait_for_others(10)
        waiting = house.open_match(matches(1)[0], [*BOTS[:1], Listen()])
        other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(2)
        stuck = bool(journal_of(house).stuck) and not waiting.finished.done()
        other.execute("ROLLBACK")
        other.close()
        await waiting.finished
        free = not journal_of(house).stuck
        await house.stop()
        return stuck, free

    assert virtual.run(whole()) == (True, True)


def test_no_end_is_told_before_it_outlasts_a_power_cut(tmp_path: Path) -> None:
    lasting: list[int] = []
    told: list[int] = []

    async def whole() -> None:
        house = arena(tmp_path)
        store = journal_of(house)._store
        sync = store.synced

        def synced() -> None:
            sync()
            lasting.append(store.execute("SELECT count(*) FROM results").fetchone()[0])

        store.synced = synced  # type: ignore[method-assign]
        attempts = [house.open_match(spec, BOTS) for spec in matches(5)]
        for attempt in attempts:
            attempt.finished.add_done_callback(lambda _: told.append(lasting[-1] - len(told)))
        await asyncio.gather(*(attempt.finished for attempt in attempts))
        await house.stop()

    virtual.run(whole())

    assert len(told) == 5 and all(more > 0 for more in told)
    assert len(lasting) < 5, "the ends of one moment are made lasting together"


def test_what_no_running_match_needs_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rivalry_server.journal.lasting.FORGET_AT", 16)

    async def whole() -> tuple[int, int]:
        house = arena(tmp_path)
        for number in range(0, 192, 16):
            attempts = [house.open_match(spec, BOTS) for spec in matches(16, number)]
            for attempt in attempts:
                await attempt.finished
                await asyncio.sleep(0)
        journal = journal_of(house)
        kept = journal._store.execute("SELECT count(*) FROM blobs").fetchone()[0]
        written = journal._blob
        await house.stop()
        return written, kept

    written, kept = virtual.run(whole())

    assert kept <= 20 < written
    assert len(virtual.run(gone_on(tmp_path))) == 192


def test_a_boot_since_makes_what_bots_have_seen_doubtful(tmp_path: Path) -> None:
    def doubtful() -> bool:
        journal = FileJournal(tmp_path, threads=False)
        found = journal.recovered.doubtful
        virtual.run(journal.close())
        return found

    assert not doubtful()
    assert not doubtful()
    from rivalry_server.journal.sealed import Kind, sealed

    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("UPDATE meta SET data = ?", (sealed(Kind.META, 1, b"another boot"),))
    connection.commit()
    connection.close()
    assert doubtful()
    assert not doubtful()


@pytest.fixture(autouse=True)
def _log_again() -> Any:
    yield
    logs.configure("warning")
