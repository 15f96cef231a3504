"""What a journal holds when it is opened: matches that go on, sessions, and the ends of the others when asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rivalry_engine.error import RivalryError
from rivalry_server.journal import KeptSession, ending, opening, session_row
from rivalry_server.journal.entries import Entry, decoded
from rivalry_server.journal.opening import KeptOpening
from rivalry_server.journal.sealed import Kind
from rivalry_server.journal.store import BOOT_ROW, FORMAT, FORMAT_ROW, Store


@dataclass(slots=True)
class KeptMatch:
    """A match that had not ended."""

    row: int
    opening: KeptOpening
    entries: list[Entry] = field(default_factory=list)
    blobs: list[int] = field(default_factory=list)
    """The rows of the blobs that have something of it."""
    trouble: str = ""
    """Why it cannot go on; empty if nothing is known against it."""

    def add(self, index: int, what: Entry, blob: int) -> None:
        """Takes the next entry, or notes that one is missing."""
        if not self.blobs or self.blobs[-1] != blob:
            self.blobs.append(blob)
        if self.trouble or index < len(self.entries):
            return
        if index > len(self.entries):
            self.trouble = f"the journal lost entries {len(self.entries)} to {index - 1} of it"
        else:
            self.entries.append(what)


@dataclass(slots=True)
class Recovered:
    """What a journal holds."""

    matches: dict[int, KeptMatch] = field(default_factory=dict)
    """By row, oldest first: those that go on."""
    sessions: dict[int, KeptSession] = field(default_factory=dict)
    lost_power: bool = False
    """True if the machine was started anew since the journal was written: its last second may be missing."""
    rescued: bool = False
    """True if the file was damaged, and this is what could be read."""

    @property
    def doubtful(self) -> bool:
        """True if what bots were told may be missing."""
        return self.lost_power or self.rescued

    @property
    def blobs(self) -> dict[int, int]:
        """For each blob that a match needs, how many need it."""
        needed: dict[int, int] = {}
        for kept in self.matches.values():
            for blob in kept.blobs:
                needed[blob] = needed.get(blob, 0) + 1
        return needed


def kept(store: Store) -> Recovered:
    """What the file holds, for who looks at it; raises DamagedJournalError."""
    found = Recovered()
    for row in store.open_attempts():
        found.matches[row] = KeptMatch(row, kept_opening(store, row))
    for number, data in store.rows(Kind.BLOB):
        for row, index, what in decoded(data):
            match = found.matches.get(row)
            if match is not None:
                match.add(index, what, number)
    for number, data in store.rows(Kind.SESSION):
        found.sessions[number] = session_row.read(data)
    return found


def recovered(store: Store, *, rescued: bool) -> Recovered:
    """What the file holds, for the arena that goes on with it; raises DamagedJournalError."""
    found = kept(store)
    found.rescued = rescued
    found.lost_power = power_was_lost(store)
    store.note(BOOT_ROW, _boot())
    store.note(FORMAT_ROW, str(FORMAT).encode())
    return found


def kept_opening(store: Store, row: int) -> KeptOpening:
    """How a match was opened; raises RivalryError."""
    data = store.row(Kind.ATTEMPT, row)
    if data is None:
        raise RivalryError(f"{store.path}: there is no match in row {row}")
    return opening.read(data.decode("utf-8", "surrogatepass"))


def kept_ending(store: Store, row: int) -> ending.KeptEnding | None:
    """How a match ended, None if it has not; raises RivalryError."""
    data = store.row(Kind.RESULT, row)
    return None if data is None else ending.read(row, kept_opening(store, row), data)


def power_was_lost(store: Store) -> bool:
    """True unless the machine has run on since the journal was written last."""
    before = store.row(Kind.META, BOOT_ROW)
    return before is not None and (before == b"" or before != _boot())


def _boot() -> bytes:
    """What tells this start of the machine from others; empty where nothing does."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_bytes().strip()
    except OSError:
        return b""
