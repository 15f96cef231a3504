"""What a damaged journal still holds, saved into a new one.

The file is not asked through SQLite, which gives up at the first page that does not hold: every page of the database
and every frame of its write-ahead log, older versions too, is looked through for sealed rows.  The form of the two
files is that of https://sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rivalry_engine.error import RivalryError
from rivalry_server.journal import opening
from rivalry_server.journal.reading import kept, power_was_lost
from rivalry_server.journal.sealed import Kind, UnsealedError, opened, sealed
from rivalry_server.journal.store import (
    FAULTS,
    FILE,
    FORMAT,
    FORMAT_ROW,
    PAGE_BYTES,
    BareJournalError,
    DamagedJournalError,
    JournalError,
    JournalFormatError,
    Store,
)
from rivalry_server.logs import log

_LEAF: Final = 13
_WAL_HEAD: Final = 32
_FRAME_HEAD: Final = 24
_SUFFIXES: Final = ("", "-wal", "-shm")
_FORM_AT: Final = 16
_FORM: Final = PAGE_BYTES.to_bytes(2, "big") + bytes((2, 2, 0, 64, 32, 32))
"""What stands in the head of a database of such pages that has a write-ahead log."""


@dataclass(frozen=True, slots=True)
class Rescued:
    """What was saved from a damaged journal, which now stands at ``aside``."""

    aside: Path
    why: str
    matches: int
    ended: int


def opened_or_rescued(folder: Path) -> tuple[Store, Rescued | None]:
    """The journal of a folder; one that is damaged is set aside, and what it still holds saved into a new one.

    Raises JournalError where the journal is of another format or cannot be used.
    """
    path = folder / FILE
    made = Path(f"{path}.new")
    if not path.exists() and made.exists():  # an earlier rescue was broken off when all was saved
        made.rename(path)
    try:
        if not _empty(path):
            _check_whole(path)
        return Store(path), None
    except BareJournalError as error:  # an arena that was killed, or lost its power, while all was in the log still
        damage = damage_in(path, error)
        if damage is None:
            return Store(path), None
    except JournalError as error:
        damage = damage_in(path, error)
        if damage is None:
            raise
    rescued = _rescued(path, str(damage))
    log.error(
        "journal_rescued",
        folder=str(folder),
        error=rescued.why,
        aside=str(rescued.aside),
        matches=rescued.matches,
        ended=rescued.ended,
        remedy="what could be read goes on; look after the disk, and keep the file set aside if something is missing",
    )
    return Store(path), rescued


def _empty(path: Path) -> bool:
    return not path.exists() or path.stat().st_size == 0


def damage_in(path: Path, error: JournalError) -> DamagedJournalError | None:
    """The damage that kept a journal from being opened with ``error``; None where it is another matter.

    A head that was changed says that there is no journal, or one of another format; the rows tell.
    """
    if isinstance(error, DamagedJournalError):
        return error
    if isinstance(error, BareJournalError) and salvaged(path):
        return DamagedJournalError(f"{path}: its write-ahead log cannot be read from its beginning")
    if isinstance(error, JournalFormatError) and not _newer(error.version) and _says_format(path):
        return DamagedJournalError(f"{path}: its head is not what its rows say")
    return None


def _says_format(path: Path) -> bool:
    """True if the rows of a journal say that it has our format: those of the first format did not always say it."""
    rows = salvaged(path)
    return rows.get((Kind.META, FORMAT_ROW), b"1" if rows else b"") == str(FORMAT).encode()


def _newer(version: int) -> bool:
    """True for what is likelier another format than a head that was damaged."""
    return FORMAT < version < 1_000 and (version ^ FORMAT).bit_count() > 1


def _check_whole(path: Path) -> None:
    """Reads all of a journal that no arena has, without changing it; raises DamagedJournalError."""
    store = Store(path, read_only=True)
    try:
        checked(store)
        check_files(store)
    finally:
        store.close()


def check_files(store: Store) -> None:
    """Looks at what SQLite does not of a journal that no arena has; raises DamagedJournalError."""
    path = store.path
    if not power_was_lost(store) and _log_breaks_off(store):
        raise DamagedJournalError(f"{path}: its write-ahead log does not hold to its end")
    with path.open("rb") as file:
        file.seek(_FORM_AT)
        if file.read(len(_FORM)) != _FORM:
            raise DamagedJournalError(f"{path}: its head is not that of a journal")


def _log_breaks_off(store: Store) -> bool:
    """True if transactions that were written to the log cannot be read; not to be asked after a power cut.

    One may have been under way when the arena was killed.
    """
    hold = store.frames()
    return sum(number > hold for number in _commits(Path(f"{store.path}-wal"))) > 1


def checked(store: Store) -> None:
    """Reads all of a journal; raises DamagedJournalError."""
    store.check()
    try:
        kept(store)
        for kind in (Kind.META, Kind.ATTEMPT, Kind.RESULT):
            for _ in store.rows(kind):
                pass
    except DamagedJournalError:
        raise
    except (RivalryError, ValueError, KeyError, TypeError) as error:
        raise DamagedJournalError(f"{store.path}: {error}") from error


def _rescued(path: Path, why: str) -> Rescued:
    """Raises JournalError where nothing can be written; the damaged file is where it was then."""
    rows = salvaged(path)
    attempts = _attempts(rows)
    fresh = Path(f"{path}.new")
    for suffix in _SUFFIXES:
        Path(f"{fresh}{suffix}").unlink(missing_ok=True)
    _save(rows, attempts, fresh, why)
    aside = _set_aside(path)
    fresh.rename(path)
    return Rescued(aside, why, len(attempts), sum(kind is Kind.RESULT and key in attempts for kind, key in rows))


def saved(path: Path, folder: Path, damage: DamagedJournalError) -> Path:
    """A journal in ``folder`` with what a damaged one still holds; raises ``damage`` where that is nothing."""
    rows = salvaged(path)
    if not rows:
        raise damage
    fresh = folder / FILE
    _save(rows, _attempts(rows), fresh, str(damage))
    return fresh


def _save(
    rows: dict[tuple[Kind, int], bytes], attempts: dict[int, tuple[str, bytes | None]], fresh: Path, why: str
) -> None:
    """Makes a journal of rows; raises JournalError."""
    store = Store(fresh)
    try:
        store.write(_insertions(rows, attempts))
        store.synced()
    except (*FAULTS, OSError) as error:
        raise JournalError(f"{why}; what it still holds could not be saved: {error}; make room first") from error
    finally:
        store.close()


def _insertions(
    rows: dict[tuple[Kind, int], bytes], attempts: dict[int, tuple[str, bytes | None]]
) -> Iterator[tuple[str, tuple[object, ...]]]:
    for (kind, key), payload in sorted(rows.items()):
        data = sealed(kind, key, payload)
        if kind is Kind.ATTEMPT and key in attempts:
            yield "INSERT INTO attempts VALUES (?, ?, ?, ?)", (key, *attempts[key], data)
        elif kind is Kind.RESULT and key in attempts:
            yield "INSERT INTO results VALUES (?, ?)", (key, data)
        elif kind is Kind.BLOB:
            yield "INSERT INTO blobs VALUES (?, ?)", (key, data)
        elif kind is Kind.SESSION:
            yield "INSERT INTO sessions VALUES (?, ?)", (key, data)


def _attempts(rows: dict[tuple[Kind, int], bytes]) -> dict[int, tuple[str, bytes | None]]:
    """Match id and request key of each match whose opening can be read, by row."""
    found: dict[int, tuple[str, bytes | None]] = {}
    ids: set[str] = set()
    for (kind, key), payload in sorted(rows.items()):
        if kind is not Kind.ATTEMPT:
            continue
        try:
            facts = opening.read(payload.decode("utf-8", "surrogatepass"))
        except (RivalryError, ValueError):
            continue
        if facts.match_id not in ids:
            ids.add(facts.match_id)
            found[key] = (facts.match_id, facts.request.key or None)
    return found


def _set_aside(path: Path) -> Path:
    """Renames the files of a journal; returns the new name of the database."""
    number = 1
    while (aside := path.with_name(f"journal.damaged-{number}.db")).exists():
        number += 1
    for suffix in _SUFFIXES:
        file = Path(f"{path}{suffix}")
        if file.exists():
            file.rename(f"{aside}{suffix}")
    return aside


def salvaged(path: Path) -> dict[tuple[Kind, int], bytes]:
    """The payloads of all sealed rows that stand anywhere in a database or its write-ahead log, by kind and key.

    Of sessions, the only rows that change, the version that stands last in the log.
    """
    pages = _Pages(path)
    rows: dict[tuple[Kind, int], bytes] = {}
    for page, first in pages.all():
        for data in _cells(page, pages, at=100 if first else 0):
            try:
                kind, key, payload = opened(data)
            except UnsealedError:
                continue
            rows[kind, key] = payload
    return rows


class _Pages:
    """The pages of a database file and the frames of its log, whatever state they are in."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes() if path.exists() else b""
        self._base = [data[at : at + PAGE_BYTES] for at in range(0, len(data), PAGE_BYTES)]
        self._frames: list[tuple[int, bytes]] = []
        wal = Path(f"{path}-wal")
        log_data = wal.read_bytes() if wal.exists() else b""
        for at in range(_WAL_HEAD, len(log_data), _FRAME_HEAD + PAGE_BYTES):
            page = log_data[at + _FRAME_HEAD : at + _FRAME_HEAD + PAGE_BYTES]
            if page:
                self._frames.append((int.from_bytes(log_data[at : at + 4], "big"), page))
        self._versions: dict[int, list[bytes]] = {}
        for number, page in enumerate(self._base, start=1):
            self._versions.setdefault(number, []).append(page)
        for number, page in self._frames:
            self._versions.setdefault(number, []).append(page)

    def all(self) -> Iterator[tuple[bytes, bool]]:
        """Every page, oldest first, and whether it is the first of the file."""
        for number, page in enumerate(self._base, start=1):
            yield page.ljust(PAGE_BYTES, b"\0"), number == 1
        for number, page in self._frames:
            yield page.ljust(PAGE_BYTES, b"\0"), number == 1

    def newest(self, number: int) -> list[bytes]:
        """The versions of a page, newest first."""
        return self._versions.get(number, [])[::-1]


def _cells(page: bytes, pages: _Pages, *, at: int) -> Iterator[bytes]:
    """The last column of each row on a page that may be a leaf of a table."""
    if page[at] != _LEAF:
        return
    count = int.from_bytes(page[at + 3 : at + 5], "big")
    for index in range(min(count, PAGE_BYTES // 4)):
        place = at + 8 + 2 * index
        start = int.from_bytes(page[place : place + 2], "big")
        try:
            yield from _cell(page, start, pages)
        except (IndexError, struct.error, ValueError):
            continue


def _cell(page: bytes, at: int, pages: _Pages) -> Iterator[bytes]:
    size, at = _varint(page, at)
    _, at = _varint(page, at)
    if size > 1 << 30:
        return
    most = PAGE_BYTES - 35
    if size <= most:
        yield _last_column(page[at : at + size])
        return
    least = (PAGE_BYTES - 12) * 32 // 255 - 23
    local = least + (size - least) % (PAGE_BYTES - 4)
    local = local if local <= most else least
    head = page[at : at + local]
    following = int.from_bytes(page[at + local : at + local + 4], "big")
    for newest in (0, 1):  # the newest version of each page of the chain, else the one before it
        rest = _chain(following, size - local, pages, newest)
        if rest is not None:
            yield _last_column(head + rest)


def _chain(number: int, size: int, pages: _Pages, version: int) -> bytes | None:
    parts: list[bytes] = []
    while size > 0:
        versions = pages.newest(number)
        if not versions:
            return None
        page = versions[min(version, len(versions) - 1)]
        parts.append(page[4 : 4 + min(size, PAGE_BYTES - 4)])
        size -= PAGE_BYTES - 4
        number = int.from_bytes(page[:4], "big")
    return b"".join(parts)


def _last_column(record: bytes) -> bytes:
    """The last column of a record, which is a blob that goes to its end."""
    head, at = _varint(record, 0)
    size = 0
    while at < head:
        kind, at = _varint(record, at)
        size = (kind - 12) // 2 if kind >= 12 else 0
    return record[len(record) - size :] if size else b""


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite writes it, and where it ends; raises IndexError."""
    value = 0
    for place in range(9):
        byte = data[at + place]
        if place == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 127
        if byte < 128:
            return value, at + place + 1
    raise IndexError("a number without an end")


def _commits(wal: Path) -> list[int]:
    """The frames of a log that end a transaction of its present round, whether they hold or not, by number from 1.

    SQLite stops at the first frame that does not hold and takes what follows for the remains of an older round.
    """
    found: list[int] = []
    if not wal.exists():
        return found
    size = wal.stat().st_size
    with wal.open("rb") as file:
        salts = file.read(_WAL_HEAD)[16:24]
        for number in range(1, (size - _WAL_HEAD) // (_FRAME_HEAD + PAGE_BYTES) + 1):
            file.seek(_WAL_HEAD + (number - 1) * (_FRAME_HEAD + PAGE_BYTES))
            frame = file.read(_FRAME_HEAD)
            if frame[8:16] == salts and frame[4:8] != bytes(4):
                found.append(number)
    return found
