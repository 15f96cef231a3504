"""Looking at a journal, while an arena writes it or after: what is in it, and whether all of it holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rivalry_engine import record
from rivalry_engine.error import RivalryError
from rivalry_server.attempt import Phase
from rivalry_server.journal.ending import KeptEnding
from rivalry_server.journal.entries import Begun
from rivalry_server.journal.reading import KeptMatch, kept, kept_ending, kept_opening, power_was_lost
from rivalry_server.journal.rescue import log_breaks_off
from rivalry_server.journal.sealed import Kind
from rivalry_server.journal.store import FILE, JournalError, JournalInUseError, JournalLock, Store
from rivalry_server.outcome import End
from rivalry_server.past import replayed
from rivalry_server.record import Move


@dataclass(frozen=True, slots=True)
class Listed:
    """One match of a journal; ``end`` says how it ended, empty before."""

    match_id: str
    game: str
    phase: Phase
    decisions: int
    attempt: int
    end: str

    def json(self) -> dict[str, Any]:
        """The match as programs read it."""
        return {
            "match_id": self.match_id,
            "game": self.game,
            "phase": str(self.phase),
            "decisions": self.decisions,
            "attempt": self.attempt,
            "end": self.end,
        }


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found: how much there is, and what does not hold."""

    going_on: int
    ended: int
    sessions: int
    blobs: int
    troubles: tuple[str, ...]


def opened(folder: Path) -> Store:
    """The journal of a folder, to be looked at; raises JournalError."""
    return Store(folder / FILE, read_only=True)


def listed(store: Store) -> Iterator[Listed]:
    """All matches, oldest first; raises JournalError."""
    going_on = kept(store).matches
    for row in store.keys(Kind.ATTEMPT):
        ended = kept_ending(store, row)
        if ended is not None:
            yield _ended(ended)
            continue
        match = going_on.get(row) or KeptMatch(row, kept_opening(store, row))
        facts = match.opening.facts
        begun = any(isinstance(entry, Begun) for entry in match.entries)
        yield Listed(
            match.opening.match_id,
            facts["game"],
            Phase.RUNNING if begun else Phase.WAITING,
            sum(isinstance(entry, Move) for entry in match.entries),
            facts.get("attempt", 1),
            "",
        )


def _ended(ended: KeptEnding) -> Listed:
    facts = ended.opening.facts
    ends = [str(seat["end"]) for seat in ended.facts["seats"]]
    end = str(End.NORMAL) if set(ends) == {End.NORMAL} else ", ".join(ends)
    if ended.facts["void"]:
        end = f"void: {ended.facts['text']}"
    return Listed(
        ended.opening.match_id, facts["game"], Phase.ENDED, ended.facts["decisions"], facts.get("attempt", 1), end
    )


def checked(folder: Path) -> Checked:
    """Reads all of a journal: its form, every blob, every match that goes on, every record; raises JournalError."""
    opened(folder).close()  # where there is none to be looked at, no lock is left
    lock = _lock(folder)
    try:
        store = opened(folder)
        try:
            return _Check(store, alone=lock is not None).done()
        finally:
            store.close()
    finally:
        if lock is not None:
            lock.release()


def _lock(folder: Path) -> JournalLock | None:
    """Keeps arenas from writing meanwhile; None where one does."""
    try:
        return JournalLock(folder)
    except JournalInUseError:
        return None


class _Check:
    def __init__(self, store: Store, *, alone: bool) -> None:
        self._store = store
        self._alone = alone
        self._troubles: list[str] = []

    def done(self) -> Checked:
        """Looks at everything."""
        store = self._store
        try:
            store.check()
            if self._alone and not power_was_lost(store) and log_breaks_off(store):
                self._troubles.append(f"{store.path}: its write-ahead log does not hold to its end")
            store.execute("BEGIN")  # as it is at one moment, whatever an arena writes
            found = kept(store)
            blobs = len(store.keys(Kind.BLOB))
            ended = store.keys(Kind.RESULT)
            store.execute("COMMIT")
        except (RivalryError, sqlite3.DatabaseError) as error:
            self._troubles.append(str(error))
            return Checked(0, 0, 0, 0, tuple(self._troubles))
        for match in found.matches.values():
            self._check_match(match)
        for row in ended:
            self._check_ending(row)
        return Checked(len(found.matches), len(ended), len(found.sessions), blobs, tuple(self._troubles))

    def _check_match(self, match: KeptMatch) -> None:
        try:
            if match.trouble:
                raise JournalError(match.trouble)
            if match.entries:
                replayed(match.opening, match.entries)
        except Exception as error:  # a game of others may fail in any way
            self._troubles.append(f"match {match.opening.match_id} cannot go on: {error}")

    def _check_ending(self, row: int) -> None:
        name = f"row {row}"
        try:
            name = kept_opening(self._store, row).match_id
            ending = kept_ending(self._store, row)
            assert ending is not None
            result = ending.result()
            lines = record.read("".join(f"{line}\n" for line in result.record()))
            record.verified(lines)
            assert lines.tail is not None
            if lines.tail["game_digest"] != result.game_digest:
                raise JournalError(f"its digest is {result.game_digest}, that of its record another")
        except Exception as error:  # a game of others may fail in any way
            self._troubles.append(f"match {name}: {error}")
