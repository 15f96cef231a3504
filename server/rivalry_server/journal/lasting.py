"""The journal in a file, as the arena's loop writes it.

The loop writes one row for all that happened in one of its turns and never waits for the disk: what outlasts a power
cut, and moving the write-ahead log into the database, are the work of two threads.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rivalry_server.journal import Journal, JournalStuckError, KeptSession, Page, ending, session_row
from rivalry_server.journal.entries import Begun, Entry, Lost, Rejected, Retried, Seated, entry
from rivalry_server.journal.reading import KeptMatch, Recovered, kept_ending, kept_opening, recovered
from rivalry_server.journal.rescue import opened_or_rescued
from rivalry_server.journal.sealed import Kind, sealed
from rivalry_server.journal.store import FAULTS, FILE, JournalError, JournalLock, checkpointed, folder_made, meant
from rivalry_server.logs import log

if TYPE_CHECKING:
    from rivalry_server.greeting import Greeting
    from rivalry_server.journal.opening import KeptOpening, Opening
    from rivalry_server.outcome import End, Result
    from rivalry_server.record import Move

Statement = tuple[str, tuple[Any, ...]]

_BLOB: Final = "INSERT INTO blobs (key, data) VALUES (?, ?)"
_ATTEMPT: Final = "INSERT INTO attempts (key, match_id, request, data) VALUES (?, ?, ?, ?)"
_RESULT: Final = "INSERT OR REPLACE INTO results (key, data) VALUES (?, ?)"
_SESSION: Final = "INSERT OR REPLACE INTO sessions (key, data) VALUES (?, ?)"
_SESSION_OVER: Final = "DELETE FROM sessions WHERE key = ?"
_FORGET: Final = "DELETE FROM blobs WHERE key = ?"
FORGET_AT: Final = 512
FORGET_AT_ONCE: Final = 128
"""How many blobs that no running match needs are let gather, and deleted in one transaction."""
CHECKPOINT_COMMITS: Final = 4_096
"""Commits after which the write-ahead log, of at least a page each, is brought into the database."""
CHECKPOINT_BYTES: Final = 32 << 20
"""The same where rows are long: so many bytes of them."""
RESTART_PAGES: Final = 16_384
"""A log this long (64 MiB) is begun anew, for which the loop waits a moment: while it writes, SQLite never finds one
in which all of the log is in the database."""
PATIENCE_MS: Final = 2_000
"""How long a write waits for another program that has locked the file."""
RETRY_LEAST_S: Final = 0.05
RETRY_MOST_S: Final = 5.0


class FileJournal(Journal):
    """Keeps matches and sessions in ``journal.db`` of a folder."""

    def __init__(self, folder: Path, *, threads: bool = True) -> None:
        """Opens the journal, which is made where there is none; what it holds is in ``recovered``.

        Without ``threads`` the caller waits for the disk.  Raises JournalError in one line: the folder cannot be used,
        another arena has it, the journal is of another format.
        """
        folder_made(folder)
        self._lock = JournalLock(folder)
        try:
            self._store, self.rescued = opened_or_rescued(folder)
            self._recovered = recovered(self._store, rescued=self.rescued is not None)
            try:
                self._store.hold_log()
            except OSError as error:
                raise JournalError(f"{self._store.path}: {error}; look after the disk") from error
        except FAULTS as error:
            self._lock.release()
            raise meant(folder / FILE, error) from error
        except BaseException:
            self._lock.release()
            raise
        self.folder = folder
        self._row = self._store.most(Kind.ATTEMPT)
        self._blob = self._store.most(Kind.BLOB)
        self._session = self._store.most(Kind.SESSION)
        self._sessions = {kept.session_id: number for number, kept in self._recovered.sessions.items()}
        self._entries: list[bytes] = []
        self._touched: set[FilePage] = set()
        self._statements: list[Statement] = []
        self._changed: dict[int, KeptSession | None] = {}
        """By number: sessions that changed in this turn; None for those that are over."""
        self._live: dict[int, int] = {}
        """For each blob, how many running matches need it."""
        self._dead: list[int] = []
        self._ends: list[tuple[FilePage, Callable[[], None]]] = []
        self._written_ends: list[tuple[FilePage, Callable[[], None]]] = []
        self._turn_ends = False
        self._syncing = False
        self._commits = 0
        self._row_bytes = 0
        self._checkpointing = False
        self._closed = False
        self._stuck = ""
        """Why nothing can be written now; empty while it can."""
        self._retry_s = RETRY_LEAST_S
        self._retry: asyncio.TimerHandle | None = None
        self._sync_thread = ThreadPoolExecutor(1, "journal-sync") if threads else None
        self._checkpoint_thread = ThreadPoolExecutor(1, "journal-checkpoint") if threads else None
        self._live.update(self._recovered.blobs)
        self._dead += [number for number in self._store.keys(Kind.BLOB) if number not in self._live]

    @property
    def recovered(self) -> Recovered:
        """What the journal held when it was opened."""
        return self._recovered

    @property
    def stuck(self) -> str:
        """Why nothing can be written now; empty while it can."""
        return self._stuck

    def opened(self, opening: Opening) -> Page:
        if self._stuck:
            raise JournalStuckError(f"the journal cannot be written, so no new matches are taken: {self._stuck}")
        self._row += 1
        page = FilePage(self, self._row)
        request = opening.request.key or None
        data = sealed(Kind.ATTEMPT, self._row, opening.text().encode("utf-8", "surrogatepass"))
        statement = (_ATTEMPT, (self._row, opening.spec.match_id, request, data))
        self._statements.append(statement)
        self.commit()
        if self._stuck:
            self._statements.remove(statement)
            raise JournalStuckError(f"the journal cannot be written, so no new matches are taken: {self._stuck}")
        return page

    def session(
        self,
        session_id: str,
        *,
        keys: Sequence[bytes],
        greeting: Greeting,
        handles: int,
        seats: Mapping[int, tuple[str, int]],
    ) -> None:
        number = self._sessions.get(session_id)
        if number is None:
            number = self._session = self._session + 1
            self._sessions[session_id] = number
        self._changed[number] = KeptSession(session_id, tuple(keys), greeting, handles, dict(seats))

    def session_over(self, session_id: str) -> None:
        number = self._sessions.pop(session_id, None)
        if number is not None:
            self._changed[number] = None

    def commit(self) -> None:
        if (self._entries or self._statements or self._changed) and not self._stuck and not self._closed:
            self._write()

    def page(self, kept: KeptMatch) -> Page:
        page = FilePage(self, kept.row)
        page.entries = [entry(kept.row, index, what) for index, what in enumerate(kept.entries)]
        page.blobs = kept.blobs
        return page

    def spoiled(self, kept: KeptMatch, text: str) -> None:
        page = FilePage(self, kept.row)
        page.blobs = kept.blobs
        data = ending.spoiled(kept.opening, kept.entries, text)
        self._statements.append((_RESULT, (kept.row, sealed(Kind.RESULT, kept.row, data))))
        self._let_go(page)
        self.commit()

    def ended(self, match_id: str) -> ending.KeptEnding | None:
        row = self._store.attempt_of(match_id)
        return None if row is None else kept_ending(self._store, row)

    def knows(self, match_id: str) -> bool:
        return self._store.attempt_of(match_id) is not None

    def newest(self, count: int) -> list[ending.KeptEnding]:
        found = (kept_ending(self._store, row) for row in self._store.newest_results(count))
        return [kept for kept in found if kept is not None]

    def requested(self, key: bytes) -> KeptOpening | None:
        row = self._store.attempt_for(key)
        return None if row is None else kept_opening(self._store, row)

    async def close(self) -> None:
        """Writes what is pending and closes the file; ends that are not lasting yet are in it and told by nobody."""
        if self._closed:
            return
        self.commit()
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()
            if not self._attempted():
                log.error("journal_incomplete", folder=str(self.folder), error=self._stuck, entries=len(self._entries))
        loop = asyncio.get_running_loop()
        for thread in (self._sync_thread, self._checkpoint_thread):
            if thread is not None:
                await loop.run_in_executor(None, thread.shutdown)
        self._store.close()
        self._lock.release()

    def _write(self) -> None:
        try:
            self._transaction()
        except FAULTS as error:
            self._failed(error)

    def _transaction(self) -> None:
        """Writes all that is pending; raises sqlite3.Error, and then it is still pending."""
        entries, dead = self._entries, self._dead
        number = self._blob + 1
        row = (number, sealed(Kind.BLOB, number, b"".join(entries)))
        forgotten = dead[:FORGET_AT_ONCE] if len(dead) >= FORGET_AT else []
        if self._statements or self._changed or forgotten:
            statements = list(self._statements)
            if entries:
                statements.append((_BLOB, row))
            for session, kept in self._changed.items():
                if kept is None:
                    statements.append((_SESSION_OVER, (session,)))
                else:
                    statements.append((_SESSION, (session, sealed(Kind.SESSION, session, session_row.payload(kept)))))
            statements += [(_FORGET, (blob,)) for blob in forgotten]
            self._store.write(statements)
            self._row_bytes += sum(
                len(value) for _, values in statements for value in values if isinstance(value, bytes)
            )
        else:
            self._store.execute(_BLOB, row)
        self._commits += 1
        if entries:
            self._blob = number
            self._live[number] = len(self._touched)
            for page in self._touched:
                page.blobs.append(number)
            self._touched.clear()
            entries.clear()
        self._statements.clear()
        self._changed.clear()
        del dead[: len(forgotten)]
        if self._ends:
            self._written_ends += self._ends
            self._ends.clear()
            self._sync()
        if not self._checkpointing and (self._commits >= CHECKPOINT_COMMITS or self._row_bytes >= CHECKPOINT_BYTES):
            self._checkpoint(restart=False)

    def end_turn_soon(self) -> None:
        """Commits when this turn of the loop is done, whoever writes or not."""
        if not self._turn_ends:
            self._turn_ends = True
            asyncio.get_running_loop().call_soon(self._end_turn)

    def _end_turn(self) -> None:
        self._turn_ends = False
        self.commit()

    def _sync(self) -> None:
        """Has the ends that were committed outlast a power cut, and then told; those of one moment together."""
        if self._syncing or not self._written_ends:
            return
        ends, self._written_ends = self._written_ends, []
        self._syncing = True
        loop = asyncio.get_running_loop()
        if self._sync_thread is None or self._closed:
            loop.call_soon(self._synced, ends, _tried(self._store.synced))
            return
        done = loop.run_in_executor(self._sync_thread, _tried, self._store.synced)
        done.add_done_callback(lambda done: self._synced(ends, done.result()))

    def _synced(self, ends: list[tuple[FilePage, Callable[[], None]]], error: Exception | None) -> None:
        if error is not None:
            log.error(
                "journal_unsynced",
                folder=str(self.folder),
                error=str(error),
                remedy="look after the disk: results that were just told may not outlast a power cut",
            )
        self._syncing = False
        for page, then in ends:
            self._let_go(page)
            if not self._closed:
                then()
        self._sync()

    def _let_go(self, page: FilePage) -> None:
        """A match needs its blobs no more."""
        for number in page.blobs:
            self._live[number] -= 1
            if not self._live[number]:
                del self._live[number]
                self._dead.append(number)
        page.blobs.clear()

    def _checkpoint(self, *, restart: bool) -> None:
        self._commits = self._row_bytes = 0
        if self._checkpoint_thread is None:
            return
        self._checkpointing = True

        def done(working: asyncio.Future[int | Exception]) -> None:
            self._checkpointing = False
            pages = working.result()
            if isinstance(pages, Exception):
                log.warning("journal_not_checkpointed", folder=str(self.folder), error=str(pages))
            elif pages > RESTART_PAGES and not restart and not self._closed:
                self._checkpoint(restart=True)

        loop = asyncio.get_running_loop()
        loop.run_in_executor(self._checkpoint_thread, _checkpoint, self._store.path, restart).add_done_callback(done)

    def _failed(self, error: sqlite3.Error | UnicodeDecodeError) -> None:
        """Nothing can be written: all is kept and tried again."""
        self._stuck = f"{self._store.path}: {error}"
        self._retry_s = RETRY_LEAST_S
        self._store.wait_for_others(0)
        log.error(
            "journal_stuck",
            folder=str(self.folder),
            error=str(error),
            remedy=_remedy(error),
            meanwhile="matches go on in memory, ends are told when they are written, no new matches are taken",
        )
        self._try_again_later()

    def _try_again_later(self) -> None:
        self._retry = asyncio.get_running_loop().call_later(self._retry_s, self._try_again)
        self._retry_s = min(2 * self._retry_s, RETRY_MOST_S)

    def _try_again(self) -> None:
        if not self._attempted():
            self._try_again_later()
            return
        self._retry = None
        self._store.wait_for_others(PATIENCE_MS)
        log.warning("journal_goes_on", folder=str(self.folder), text="all that was kept in memory is written")

    def _attempted(self) -> bool:
        try:
            self._transaction()
        except FAULTS as error:
            self._stuck = f"{self._store.path}: {error}"
            return False
        self._stuck = ""
        return True


class FilePage(Page):
    """The page of one match in a file."""

    __slots__ = ("_journal", "blobs", "entries", "row")

    def __init__(self, journal: FileJournal, row: int) -> None:
        self._journal = journal
        self.row = row
        self.entries: list[bytes] = []
        """All that was handed over, as it is written."""
        self.blobs: list[int] = []
        """Where that stands."""

    def begun(self, sitters: Sequence[tuple[str, str]]) -> None:
        self._add(Begun(tuple(sitters)))

    def applied(self, move: Move) -> None:
        self._add(move)

    def rejected(self, seat: int) -> None:
        self._add(Rejected(seat))

    def lost(self, seat: int, end: End, text: str) -> None:
        self._add(Lost(seat, end, text))

    def retried(self, seat: int, end: End, text: str) -> None:
        self._add(Retried(seat, end, text))

    def seated(self, seat: int, name: str, version: str) -> None:
        self._add(Seated(seat, name, version))

    def ended(self, result: Result, then: Callable[[], None]) -> None:
        journal = self._journal
        data = sealed(Kind.RESULT, self.row, ending.payload(result, self.entries))
        journal._statements.append((_RESULT, (self.row, data)))
        journal._ends.append((self, then))
        journal.end_turn_soon()

    def _add(self, what: Entry) -> None:
        data = entry(self.row, len(self.entries), what)
        self.entries.append(data)
        journal = self._journal
        journal._entries.append(data)
        journal._touched.add(self)
        if not journal._turn_ends:
            journal.end_turn_soon()


def _tried(work: Callable[[], None]) -> Exception | None:
    """Does ``work``; returns what it raised."""
    try:
        work()
    except (OSError, *FAULTS) as error:
        return error
    return None


def _checkpoint(path: Path, restart: bool) -> int | Exception:
    try:
        return checkpointed(path, restart=restart)
    except FAULTS as error:
        return error


def _remedy(error: sqlite3.Error | UnicodeDecodeError) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return "make room on the disk; it goes on by itself"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "close the program that has locked the file; it goes on by itself"
    return "look after the disk and the rights of the folder; it goes on by itself"
