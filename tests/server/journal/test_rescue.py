"""Damaged journals: what can be read goes on, what cannot is told, and nothing fails without a clear word."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from load.damage import DAMAGES
from rivalry_engine.chance import Stream
from rivalry_server import logs
from rivalry_server.journal import inspection
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.journal.rescue import salvaged
from rivalry_server.journal.sealed import Kind
from rivalry_server.journal.store import FILE, FORMAT_ROW, PAGE_BYTES, JournalError, Store
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.seating import Listen
from server import virtual
from server.journal.house import FILES, arena, built_in, gone_on, played
from server.peer import kuhn

BOTS = [built_in("random", "kuhn")] * 2
ENDED, OPEN = 40, 5
WAL = f"{FILE}-wal"


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a killed arena has left: results, partly in the database and partly in its log, and matches under way."""
    folder = tmp_path_factory.mktemp("left")
    data = tmp_path_factory.mktemp("data")

    async def whole() -> None:
        house = arena(data)
        journal = house._journal
        assert isinstance(journal, FileJournal)
        for number in range(ENDED):
            await house.open_match(MatchSpec(kuhn(), b"%d" % number), BOTS).finished
            if number == ENDED // 2:
                journal._store.execute("PRAGMA wal_checkpoint(PASSIVE)")
        for number in range(OPEN):
            house.open_match(MatchSpec(kuhn(), b"open/%d" % number, wait_s=3), [BOTS[0], Listen()])
        await asyncio.sleep(1)
        for name in FILES:
            shutil.copyfile(data / name, folder / name)
        await house.stop()

    virtual.run(whole())
    return folder


def damaged(left: Path, folder: Path, damage: Callable[[bytearray], bytearray], name: str) -> Path:
    """A copy of the journal with one file changed."""
    folder.mkdir()
    for each in FILES:
        if (left / each).exists():
            shutil.copyfile(left / each, folder / each)
    (folder / name).write_bytes(bytes(damage(bytearray((left / name).read_bytes()))))
    return folder


def readable(folder: Path) -> set[int]:
    """The rows of matches whose opening and result can both be read by themselves."""
    rows = salvaged(folder / FILE)
    return {key for kind, key in rows if kind is Kind.RESULT and (Kind.ATTEMPT, key) in rows}


def started(folder: Path) -> tuple[list[Result], list[dict[str, str]]]:
    """What an arena makes of a journal, and what it logs."""
    told = io.StringIO()
    logs.configure("warning", stream=told)
    try:
        results = virtual.run(gone_on(folder))
    finally:
        logs.configure("warning")
    return results, [json.loads(line) for line in told.getvalue().splitlines()]


def test_what_was_left_is_whole(left: Path, tmp_path: Path) -> None:
    folder = damaged(left, tmp_path / "data", lambda data: data, FILE)

    results, told = started(folder)

    assert not told
    assert [result.void for result in results] == [False] * (ENDED + OPEN)
    assert [result.seats[1].end for result in results[ENDED:]] == [End.NO_SHOW] * OPEN


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("place", range(10))
def test_a_file_cut_anywhere_loses_no_result_that_can_be_read(
    left: Path, tmp_path: Path, name: str, place: int
) -> None:
    size = (left / name).stat().st_size
    cut = Stream(b"cut", f"{name}/{place}").below(size)
    folder = damaged(left, tmp_path / "data", lambda data: data[:cut], name)
    expected = readable(folder)

    results, told = started(folder)

    assert len([result for result in results if not result.void]) >= len(expected)
    assert all(result.void is False or result.seats[0].end is End.ARENA_FAULT for result in results)
    check_told(folder, told)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("place", range(10))
def test_flipped_bits_lose_no_result_that_can_be_read(left: Path, tmp_path: Path, name: str, place: int) -> None:
    chance = Stream(b"flip", f"{name}/{place}")

    def flipped(data: bytearray) -> bytearray:
        for _ in range(1 + chance.below(4)):
            data[100 + chance.below(len(data) - 100)] ^= 1 << chance.below(8)
        return data

    folder = damaged(left, tmp_path / "data", flipped, name)
    expected = readable(folder)

    results, told = started(folder)

    assert len([result for result in results if not result.void]) >= len(expected)
    check_told(folder, told)


def check_told(folder: Path, told: list[dict[str, str]]) -> None:
    """Where a file was set aside, it was told in one line; a second start finds nothing amiss."""
    aside = list(folder.glob("journal.damaged-*.db"))
    assert [line["event"] for line in told].count("journal_rescued") == bool(aside)
    for line in told:
        assert "\n" not in str(line["error"])
    _, again = started(folder)
    assert [line for line in again if line["event"] == "journal_rescued"] == []


@pytest.mark.parametrize("place", range(8))
def test_a_damaged_head_is_told_and_left_alone_or_rescued(left: Path, tmp_path: Path, place: int) -> None:
    chance = Stream(b"head", str(place))

    def flipped(data: bytearray) -> bytearray:
        data[chance.below(100)] ^= 1 << chance.below(8)
        return data

    folder = damaged(left, tmp_path / "data", flipped, FILE)

    try:
        results, _ = started(folder)
    except JournalError as error:
        assert "\n" not in str(error)
        assert (folder / FILE).exists() and not list(folder.glob("journal.damaged-*"))
    else:
        assert len([result for result in results if not result.void]) >= ENDED


def test_a_match_with_a_hole_ends_as_the_arenas_fault_and_the_others_go_on(left: Path, tmp_path: Path) -> None:
    from rivalry_server.journal.entries import entry
    from rivalry_server.journal.sealed import sealed
    from rivalry_server.record import Move

    folder = damaged(left, tmp_path / "data", lambda data: data, FILE)
    store = Store(folder / FILE)
    row = store.open_attempts()[2]
    number = store.most(Kind.BLOB) + 1
    blob = sealed(Kind.BLOB, number, entry(row, 5, Move(0, 0, 10, None, "")))
    store.execute("INSERT INTO blobs VALUES (?, ?)", (number, blob))
    store.close()

    results, told = started(folder)

    faults = [result for result in results if result.void]
    assert [result.seed for result in faults] == [b"open/2"]
    assert "the journal lost entries 0 to 4 of it" in faults[0].text
    assert [seat.end for seat in faults[0].seats] == [End.ARENA_FAULT] * 2
    assert [line["event"] for line in told if line["event"] != "match_run_again"] == ["match_not_restored"]
    assert len(results) == ENDED + OPEN


def test_a_disk_without_room_for_the_rescue_leaves_the_damaged_file_where_it_is(
    left: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    def no_room(store: Store, statements: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    folder = damaged(left, tmp_path / "data", lambda data: data[: len(data) // 2], FILE)
    before = (folder / FILE).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(Store, "write", no_room)
        with pytest.raises(JournalError, match="could not be saved: database or disk is full; make room first"):
            FileJournal(folder)

    assert (folder / FILE).read_bytes() == before
    results, _ = started(folder)
    assert len(results) > ENDED // 2


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an arena has left that was stopped: all of it stands in the database."""
    folder = tmp_path_factory.mktemp("closed")
    virtual.run(played(folder, [MatchSpec(kuhn(), b"%d" % number) for number in range(6)], list(BOTS)))
    return folder


def held_up(folder: Path) -> tuple[list[Result], list[dict[str, str]]]:
    """Looks at a damaged journal and starts an arena on it; the two say of it what the arena makes of it."""
    listing, check = inspection.listed(folder), inspection.checked(folder)
    assert bool(listing.troubles) == bool(check.troubles)
    results, told = started(folder)
    assert bool(check.troubles) == bool(list(folder.glob("journal.damaged-*.db")))
    check_told(folder, told)
    assert len(listing.matches) == check.ended + check.going_on <= len(results)
    assert inspection.checked(folder).troubles == ()
    return results, told


@pytest.mark.parametrize("part", range(4))
def test_whatever_bit_of_the_schemas_page_is_flipped_no_result_is_lost(closed: Path, tmp_path: Path, part: int) -> None:
    page = (closed / FILE).read_bytes()[:PAGE_BYTES]
    used = [at for at in range(PAGE_BYTES) if at < 100 or page[at]]
    chance = Stream(b"schema", str(part))
    for time in range(20):
        at, bit = used[chance.below(len(used))], chance.below(8)
        folder = flipped(closed, tmp_path / str(time), at, bit)

        results, _ = held_up(folder)

        assert [result.void for result in results] == [False] * 6, (at, bit)


@pytest.mark.parametrize("name", ["cut", "flipped", "blanked", "shuffled"])
def test_a_database_damaged_anyhow_can_be_looked_at_and_started(closed: Path, tmp_path: Path, name: str) -> None:
    chance = Stream(b"anyhow", name)
    for time in range(12):
        folder = damaged(closed, tmp_path / str(time), lambda data: DAMAGES[name](data, chance), FILE)
        expected = readable(folder)
        if expected:
            results, _ = held_up(folder)

            assert len(results) >= len(expected)


@pytest.mark.parametrize(
    ("text", "bit"),
    [(b"CREATE TABLE results", 0), (b"ON attempts (request)", 0), (b"data BLOB", 0), (b"meta", 7), (b"RVLJ", 4)],
    ids=["a word of SQL", "a table's name", "a column's name", "no letter", "the kind of file"],
)
def test_a_schema_that_is_not_as_it_was_made_is_rescued_from(
    closed: Path, tmp_path: Path, text: bytes, bit: int
) -> None:
    place = (closed / FILE).read_bytes().index(text) + 3

    results, told = held_up(flipped(closed, tmp_path / "data", place, bit))

    assert [result.void for result in results] == [False] * 6
    assert [line["event"] for line in told] == ["journal_rescued"]


def test_a_head_that_was_changed_is_told_from_another_format_by_the_rows(closed: Path, tmp_path: Path) -> None:
    folder = damaged(closed, tmp_path / "data", lambda data: data, FILE)
    store = Store(folder / FILE)
    store.execute("DELETE FROM meta WHERE key = ?", (FORMAT_ROW,))  # as in a journal from before it was written there
    store.close()

    results, told = held_up(flipped(folder, tmp_path / "flipped", 63, 2))

    assert [result.void for result in results] == [False] * 6
    assert [line["error"] for line in told] == [f"{tmp_path}/flipped/{FILE}: its head is not what its rows say"]


def flipped(whole: Path, folder: Path, at: int, bit: int) -> Path:
    """A copy of a journal with one bit of its database flipped."""

    def changed(data: bytearray) -> bytearray:
        data[at] ^= 1 << bit
        return data

    return damaged(whole, folder, changed, FILE)


def young(tmp_path: Path, ended: int) -> Path:
    """What an arena has left that was killed when all it had written still stood in the log."""
    data, folder = tmp_path / "data", tmp_path / "young"
    folder.mkdir()

    async def whole() -> None:
        house = arena(data)
        for number in range(ended):
            await house.open_match(MatchSpec(kuhn(), b"%d" % number), BOTS).finished
        for name in FILES:
            shutil.copyfile(data / name, folder / name)
        await house.stop()

    virtual.run(whole())
    return folder


@pytest.mark.parametrize("log", [None, b"", b"\0" * 40_000], ids=["gone", "empty", "zeros"])
def test_an_arena_begins_where_one_was_stopped_before_anything_it_wrote_was_lasting(
    tmp_path: Path, log: bytes | None
) -> None:
    folder = young(tmp_path, 0)
    (folder / WAL).unlink()
    if log is not None:
        (folder / WAL).write_bytes(log)

    assert started(folder) == ([], [])


def test_a_log_without_its_beginning_is_looked_through_though_nothing_else_is_there(tmp_path: Path) -> None:
    folder = young(tmp_path, 3)
    log = bytearray((folder / WAL).read_bytes())
    log[:32] = bytes(32)
    (folder / WAL).write_bytes(log)

    results, told = started(folder)

    assert len(results) == 3 and not any(result.void for result in results)
    assert [line["event"] for line in told] == ["journal_rescued"]
