"""Looking at a journal, while an arena writes it or after: what is in it, and whether all of it holds.

Of a damaged one, what can be read of it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rivalry_engine import record
from rivalry_engine.error import RivalryError
from rivalry_server.attempt import Phase
from rivalry_server.journal.ending import KeptEnding
from rivalry_server.journal.entries import Begun
from rivalry_server.journal.reading import KeptMatch, kept, kept_ending, kept_opening
from rivalry_server.journal.rescue import check_files, damage_in, saved
from rivalry_server.journal.rescue import checked as all_read
from rivalry_server.journal.sealed import Kind
from rivalry_server.journal.store import (
    FAULTS,
    FILE,
    JournalError,
    JournalInUseError,
    JournalLock,
    Store,
    meant,
)
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


@dataclass(frozen=True, slots=True)
class Listing:
    """The matches of a journal that can be read, oldest first, and what cannot."""

    matches: tuple[Listed, ...]
    troubles: tuple[str, ...]


def listed(folder: Path) -> Listing:
    """All matches; raises JournalError where there is nothing that can be read."""
    matches: list[Listed] = []
    with _readable(folder) as (store, damage):
        troubles = [damage] if damage else []
        going_on = kept(store).matches
        for row in store.keys(Kind.ATTEMPT):
            try:
                matches.append(_listed(store, row, going_on))
            except (RivalryError, ValueError, KeyError, TypeError) as error:
                troubles.append(f"match of row {row}: {error}")
    return Listing(tuple(matches), tuple(troubles))


def _listed(store: Store, row: int, going_on: dict[int, KeptMatch]) -> Listed:
    """One match; raises RivalryError."""
    ended = kept_ending(store, row)
    if ended is not None:
        return _ended(ended)
    match = going_on.get(row) or KeptMatch(row, kept_opening(store, row))
    facts = match.opening.facts
    begun = any(isinstance(entry, Begun) for entry in match.entries)
    return Listed(
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
    """Reads all of a journal, or what can be read of it: its form, every blob, every match that goes on, every record;
    raises JournalError where there is nothing that can be read.
    """
    with _readable(folder) as (store, damage):
        return _Check(store, damage).done()


@contextmanager
def _readable(folder: Path) -> Iterator[tuple[Store, str]]:
    """A journal as it is at one moment, whatever an arena writes, or one made of what can be read of it, and what its
    damage is; raises JournalError.
    """
    with ExitStack() as held:
        try:
            found, damage = _whole(folder, held), ""
        except JournalError as error:
            harm = damage_in(folder / FILE, error)
            if harm is None:
                raise
            held.close()
            aside = held.enter_context(TemporaryDirectory())
            found, damage = Store(saved(folder / FILE, Path(aside), harm), read_only=True), str(harm)
            held.callback(found.close)
        yield found, damage


def _whole(folder: Path, held: ExitStack) -> Store:
    """A journal that can be read to its end; raises JournalError."""
    path = folder / FILE
    Store(path, read_only=True).close()  # where there is none to be looked at, no lock is left
    lock = _lock(folder)
    if lock is not None:
        held.callback(lock.release)
    store = held.enter_context(closing(Store(path, read_only=True)))
    try:
        if lock is None:
            store.execute("BEGIN")
        all_read(store)
        if lock is not None:
            check_files(store)
    except FAULTS as error:
        raise meant(path, error) from error
    return store


def _lock(folder: Path) -> JournalLock | None:
    """Keeps arenas from writing meanwhile; None where one does."""
    try:
        return JournalLock(folder)
    except JournalInUseError:
        return None


class _Check:
    def __init__(self, store: Store, damage: str) -> None:
        self._store = store
        self._troubles = [damage] if damage else []

    def done(self) -> Checked:
        """Looks at everything."""
        store = self._store
        found = kept(store)
        blobs = len(store.keys(Kind.BLOB))
        ended = store.keys(Kind.RESULT)
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
