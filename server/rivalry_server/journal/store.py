"""The journal's file: one SQLite database in WAL mode, written by one thread.

Every row is sealed (see ``sealed``), so what a damaged file still holds can be told from what it does not.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rivalry_engine.error import RivalryError
from rivalry_server.journal.sealed import Kind, UnsealedError, opened, sealed

FORMAT: Final = 1
"""The journal format, ``user_version`` of the file."""
FILE: Final = "journal.db"
LOCK: Final = "journal.lock"
PAGE_BYTES: Final = 4_096
BOOT_ROW: Final = 1
FORMAT_ROW: Final = 2
"""The rows of ``meta``: the start of the machine in which the journal was written last, and its format once more, by
which a damaged head is told from a journal of another format."""
_APPLICATION: Final = 0x52564C4A
_TABLES: Final = {
    Kind.META: "meta",
    Kind.ATTEMPT: "attempts",
    Kind.RESULT: "results",
    Kind.SESSION: "sessions",
    Kind.BLOB: "blobs",
}
_SCHEMA: Final = (
    "CREATE TABLE meta (key INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE attempts (key INTEGER PRIMARY KEY, match_id TEXT NOT NULL UNIQUE, request BLOB, data BLOB NOT NULL)",
    "CREATE UNIQUE INDEX requests ON attempts (request) WHERE request IS NOT NULL",
    "CREATE TABLE results (key INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE sessions (key INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    "CREATE TABLE blobs (key INTEGER PRIMARY KEY, data BLOB NOT NULL)",
)


_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG)
"""What SQLite says of a file that is not what was written."""
FAULTS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What is raised where SQLite fails; the second where it tells bytes of a damaged file in what it says."""


class JournalError(RivalryError):
    """A journal that cannot be used; the message says why and what to do."""


class JournalFormatError(JournalError):
    """A journal of another format, or no journal; ``version`` is the format that its head says, 0 for no journal."""

    def __init__(self, text: str, *, version: int = 0) -> None:
        super().__init__(text)
        self.version = version


class BareJournalError(JournalError):
    """A file in which nothing was written yet that can be read."""


class JournalInUseError(JournalError):
    """Another arena has the journal."""


class DamagedJournalError(JournalError):
    """The file is not what was written."""


class JournalLock:
    """Held by the one arena that writes a folder's journal."""

    def __init__(self, folder: Path) -> None:
        """Raises JournalInUseError."""
        import fcntl

        path = folder / LOCK
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._descriptor, 32).decode(errors="replace").strip()
            os.close(self._descriptor)
            who = f"process {holder}" if holder.isdecimal() else "another process"
            raise JournalInUseError(
                f"{folder}: the journal is in use by {who}; stop that arena first, or give another folder"
            ) from error
        os.truncate(self._descriptor, 0)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Lets another arena have the journal."""
        os.close(self._descriptor)


def folder_made(folder: Path) -> None:
    """Makes the folder if it is not there, for its owner alone; raises JournalError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{folder}: cannot keep a journal there: {error.strerror or error}") from error


class Store:
    """The open file.  All methods but ``checkpointed`` and ``synced`` belong to the thread that made it."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Opens the file, which is made when it is not there.

        Raises JournalFormatError for another format or no journal, DamagedJournalError, JournalError; BareJournalError
        where it is ``read_only`` and nothing can be read in it.
        """
        self.path = path
        self._wal: int | None = None
        if path.exists() and not path.is_file():
            raise JournalError(f"{path}: it is no file, so there is no journal; move it away, or give another folder")
        fresh = _nothing(path)
        if fresh and any(not _nothing(Path(f"{path}{suffix}")) for suffix in ("-wal", "-journal")):
            raise DamagedJournalError(f"{path}: it is empty, and its write-ahead log is not")
        if fresh and read_only:
            raise JournalError(
                f"{path}: there is no journal; expected the folder that was given to rivalry serve --data"
            )
        if fresh:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        mode = "ro" if read_only else "rw"
        target = f"{path.absolute().as_uri()}?mode={mode}"
        try:
            self._connection = sqlite3.connect(
                target, uri=True, isolation_level=None, timeout=2.0, cached_statements=64
            )
        except FAULTS as error:
            raise meant(path, error) from error
        self.execute = self._connection.execute
        """Runs one statement; a transaction of its own unless one was begun."""
        try:
            self._prepare(read_only=read_only)
        except FAULTS as error:
            self._connection.close()
            raise meant(path, error) from error
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, *, read_only: bool) -> None:
        execute = self.execute
        bare = self._number("user_version") == self._number("application_id") == 0 and self._bare()
        if bare and read_only:
            raise BareJournalError(
                f"{self.path}: there is no journal in it yet; an arena that is started on the folder makes one"
            )
        if bare:
            execute(f"PRAGMA page_size = {PAGE_BYTES}")
            execute("PRAGMA journal_mode = WAL")
            execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                execute(statement)
            self.note(FORMAT_ROW, str(FORMAT).encode())
            execute(f"PRAGMA application_id = {_APPLICATION}")
            execute(f"PRAGMA user_version = {FORMAT}")
            execute("COMMIT")
        application, version = self._number("application_id"), self._number("user_version")
        if application != _APPLICATION:
            raise JournalFormatError(f"{self.path}: this is no journal of rivalry; give another folder")
        if version > FORMAT:
            raise JournalFormatError(
                f"{self.path}: the journal has format {version}, this package reads format {FORMAT}; "
                "use the package that wrote it or a newer one, or give another folder",
                version=version,
            )
        if version != FORMAT:
            raise JournalFormatError(f"{self.path}: the journal has format {version}, which this package cannot read")
        if not read_only:
            # With NORMAL the first write after the log was begun anew waits for the disk, lest frames of an older round
            # be taken for those of the new one after a power cut.  Here a log is begun anew by cutting it to nothing.
            execute("PRAGMA synchronous = OFF")
            execute("PRAGMA wal_autocheckpoint = 0")
            execute("PRAGMA cache_size = -8192")
            _sync_folder(self.path.parent)

    def check(self) -> None:
        """Raises DamagedJournalError if SQLite finds fault with the file, or its tables are not those of a journal."""
        found = self._all("PRAGMA integrity_check(1)")[0][0]
        if found != "ok":
            raise DamagedJournalError(f"{self.path}: {' '.join(str(found).split())}")
        tables = self._all("SELECT CAST(sql AS BLOB) FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        if [sql for (sql,) in tables] != [statement.encode() for statement in _SCHEMA]:
            raise DamagedJournalError(f"{self.path}: its tables are not those that were made")

    def rows(self, kind: Kind) -> Iterator[tuple[int, bytes]]:
        """Key and payload of each row of a kind, by key; raises DamagedJournalError."""
        try:
            for key, data in self.execute(f"SELECT key, data FROM {_TABLES[kind]} ORDER BY key"):
                yield key, self._payload(kind, key, data)
        except FAULTS as error:
            raise meant(self.path, error) from error

    def row(self, kind: Kind, key: int) -> bytes | None:
        """The payload of one row, None if there is none; raises DamagedJournalError."""
        found = self._all(f"SELECT data FROM {_TABLES[kind]} WHERE key = ?", key)
        return self._payload(kind, key, found[0][0]) if found else None

    def note(self, row: int, what: bytes) -> None:
        """Writes a row of ``meta``; raises sqlite3.Error."""
        self.execute("INSERT OR REPLACE INTO meta (key, data) VALUES (?, ?)", (row, sealed(Kind.META, row, what)))

    def attempt_of(self, match_id: str) -> int | None:
        """The row of a match; raises JournalError, as all that is asked of a file does."""
        return self._one("SELECT key FROM attempts WHERE match_id = ?", match_id)

    def attempt_for(self, request: bytes) -> int | None:
        """The row of the match that a request made."""
        return self._one("SELECT key FROM attempts WHERE request = ?", request)

    def newest_results(self, count: int) -> list[int]:
        """The rows of the matches opened last that have ended, oldest first."""
        return [key for (key,) in reversed(self._all("SELECT key FROM results ORDER BY key DESC LIMIT ?", count))]

    def open_attempts(self) -> list[int]:
        """The rows of the matches that have not ended, oldest first."""
        found = self._all("SELECT key FROM attempts WHERE key NOT IN (SELECT key FROM results) ORDER BY key")
        return [key for (key,) in found]

    def keys(self, kind: Kind) -> list[int]:
        """The keys of all rows of a kind, in order."""
        return [key for (key,) in self._all(f"SELECT key FROM {_TABLES[kind]} ORDER BY key")]

    def most(self, kind: Kind) -> int:
        """The greatest key of a kind; 0 if there is none."""
        return int(self._all(f"SELECT coalesce(max(key), 0) FROM {_TABLES[kind]}")[0][0])

    def write(self, statements: Iterable[tuple[str, tuple[Any, ...]]]) -> None:
        """Runs statements in one transaction; raises sqlite3.Error, and then nothing was written."""
        execute = self.execute
        execute("BEGIN IMMEDIATE")
        try:
            for statement, values in statements:
                execute(statement, values)
            execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise

    def wait_for_others(self, milliseconds: int) -> None:
        """Says how long a write waits for whoever else has the file."""
        self.execute(f"PRAGMA busy_timeout = {milliseconds}")

    def frames(self) -> int:
        """How many frames of the write-ahead log hold.

        It stands in the log's index (https://sqlite.org/walformat.html).  Only for who holds no transaction and has the
        file open nowhere else: closing the index lets go of the process's locks.
        """
        self.execute("SELECT count(*) FROM sqlite_master").fetchone()
        try:
            index = Path(f"{self.path}-shm").read_bytes()
        except FileNotFoundError:
            return 0
        return int.from_bytes(index[16:20], sys.byteorder)

    def hold_log(self) -> None:
        """Opens the write-ahead log, once; later there may be no descriptor left for it.  Raises OSError."""
        if self._wal is None:
            self._wal = os.open(f"{self.path}-wal", os.O_RDWR | os.O_CLOEXEC)

    def synced(self) -> None:
        """Returns when what was committed outlasts a power cut; for a thread of its own.

        Raises OSError, also where somebody has removed the files: what is written is in none that can be found then.
        """
        self.hold_log()
        assert self._wal is not None
        if not os.fstat(self._wal).st_nlink or not self.path.exists():
            raise FileNotFoundError(errno.ENOENT, "it was removed while the arena has it", str(self.path))
        if hasattr(os, "fdatasync"):
            os.fdatasync(self._wal)
        else:  # macOS
            os.fsync(self._wal)

    def close(self) -> None:
        """Closes the file, in whatever state it is; what was committed is in the database itself then."""
        if self._wal is not None:
            os.close(self._wal)
            self._wal = None
        with suppress(*FAULTS):  # a damaged file
            if self._connection.in_transaction:
                self.execute("ROLLBACK")
            self.execute("PRAGMA synchronous = FULL")  # whoever closes last brings the log into the database
        self._connection.close()

    def _payload(self, kind: Kind, key: int, data: object) -> bytes:
        try:
            found, number, payload = opened(data if isinstance(data, bytes) else b"")
        except UnsealedError as error:
            raise DamagedJournalError(f"{self.path}: {_TABLES[kind]} row {key}: {error}") from error
        if found is not kind or number != key:
            raise DamagedJournalError(f"{self.path}: {_TABLES[kind]} row {key} holds {_TABLES[found]} row {number}")
        return payload

    def _one(self, statement: str, value: str | bytes) -> int | None:
        found = self._all(statement, value)
        return int(found[0][0]) if found else None

    def _all(self, statement: str, *values: str | bytes | int) -> list[tuple[Any, ...]]:
        """The rows that a statement finds; raises JournalError."""
        try:
            return self.execute(statement, values).fetchall()
        except FAULTS as error:
            raise meant(self.path, error) from error

    def _bare(self) -> bool:
        return not self.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]

    def _number(self, pragma: str) -> int:
        return int(self.execute(f"PRAGMA {pragma}").fetchone()[0])


def checkpointed(path: Path, *, restart: bool) -> int:
    """Brings what is in the write-ahead log into the database; for a thread of its own.

    With ``restart`` writers wait meanwhile and the log begins anew, unless somebody reads for long.  Returns how many
    pages the log had.  Raises sqlite3.Error.
    """
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=0.05)
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        mode = "TRUNCATE" if restart else "PASSIVE"
        return int(connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()[1])
    finally:
        connection.close()


def meant(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> JournalError:
    """What one of FAULTS means for a journal."""
    if isinstance(error, UnicodeDecodeError):
        return DamagedJournalError(f"{path}: {error.object.decode(errors='replace')}")
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None and code & 0xFF in _DAMAGE:
        return DamagedJournalError(f"{path}: {error}")
    if code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalInUseError(f"{path}: another program has locked the journal; close it, or give another folder")
    return JournalError(
        f"{path}: {error}; see that the arena may read and write the file and its folder, and that the disk has room"
    )


def _nothing(path: Path) -> bool:
    """True if there is no such file, or an empty one."""
    return not path.exists() or path.stat().st_size == 0


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
