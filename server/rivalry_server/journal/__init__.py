"""What is written down before anybody is told of it: the interface, and the journal that keeps nothing.

Each match has a page.  What is handed over waits in memory until ``commit``, which every writer calls before it sends,
so that all actions of one turn of the loop go into one transaction and nothing that follows from them leaves before it
returned.  A match's end is told when its page says that it is lasting.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rivalry_engine.error import RivalryError

if TYPE_CHECKING:
    from rivalry_server.greeting import Greeting
    from rivalry_server.journal.ending import KeptEnding
    from rivalry_server.journal.opening import KeptOpening, Opening
    from rivalry_server.journal.reading import KeptMatch, Recovered
    from rivalry_server.outcome import End, Result
    from rivalry_server.record import Move


@dataclass(frozen=True, slots=True)
class KeptSession:
    """What makes a session again after the arena was restarted.

    ``keys`` holds the SHA-256 of each resume token that is good, the newest last; ``handles`` is the last match handle
    that was given, and ``seats`` has the match id and the seat of each handle whose end is not acknowledged.
    """

    session_id: str
    keys: tuple[bytes, ...]
    greeting: Greeting
    handles: int
    seats: Mapping[int, tuple[str, int]] = field(default_factory=dict)


class JournalStuckError(RivalryError):
    """The journal cannot be written for now, so that no new matches are taken; the message says why."""


class Page(ABC):
    """The journal of one match.

    Nothing is written before ``Journal.commit``; what is handed over in one turn of the loop is in one transaction.
    """

    __slots__ = ()

    @abstractmethod
    def begun(self, sitters: Sequence[tuple[str, str]]) -> None:
        """The match begins with bots of these names and versions, in seat order."""

    @abstractmethod
    def applied(self, move: Move) -> None:
        """An action was applied."""

    @abstractmethod
    def rejected(self, seat: int) -> None:
        """An answer to the seat's open prompt was not taken."""

    @abstractmethod
    def lost(self, seat: int, end: End, text: str) -> None:
        """The seat's bot plays no more."""

    @abstractmethod
    def retried(self, seat: int, end: End, text: str) -> None:
        """The seat's bot failed with ``end`` and is started or awaited again."""

    @abstractmethod
    def seated(self, seat: int, name: str, version: str) -> None:
        """A bot took the place of the one before on a seat of a match that had begun."""

    @abstractmethod
    def ended(self, result: Result, then: Callable[[], None]) -> None:
        """The match is over; calls ``then`` once that is lasting: at once where nothing is kept, else in a later turn
        of the loop.  Nobody may be told the result before.
        """


class Journal(ABC):
    """Keeps matches and sessions."""

    __slots__ = ()

    @abstractmethod
    def opened(self, opening: Opening) -> Page:
        """The page of a match that is opened.

        Raises JournalStuckError while what was handed over before cannot be written.
        """

    @abstractmethod
    def session(
        self,
        session_id: str,
        *,
        keys: Sequence[bytes],
        greeting: Greeting,
        handles: int,
        seats: Mapping[int, tuple[str, int]],
    ) -> None:
        """Keeps a session, in place of what was kept of it before: see KeptSession.

        To be called before a Welcome, a MatchStarted or the like that a Resume builds on is put into an outbox, and
        when the end of a match was acknowledged: until then its handle is to be among ``seats``.
        """

    @abstractmethod
    def session_over(self, session_id: str) -> None:
        """A session cannot be resumed any more."""

    @abstractmethod
    def commit(self) -> None:
        """Writes what was handed over since the last call; costs nothing when that is nothing.

        What cannot be written (a full disk) is kept and tried again; the arena goes on meanwhile.
        """

    @property
    def recovered(self) -> Recovered | None:
        """What goes on from before the arena was started; None where nothing is kept."""
        return None

    def page(self, kept: KeptMatch) -> Page:
        """The page of a match that goes on."""
        return NO_PAGE

    def spoiled(self, kept: KeptMatch, text: str) -> None:  # noqa: B027 - where nothing is kept nothing goes on
        """A match that cannot go on has ended as a fault of the arena."""

    def ended(self, match_id: str) -> KeptEnding | None:
        """How a match ended, by its id; None where that is not known.  Raises RivalryError."""
        return None

    def knows(self, match_id: str) -> bool:
        """True if a match of this id was opened, whether it has ended or not.  Raises RivalryError."""
        return False

    def newest(self, count: int) -> list[KeptEnding]:
        """The matches opened last that have ended, oldest first."""
        return []

    def requested(self, key: bytes) -> KeptOpening | None:
        """The match that was made by a request with an id of this SHA-256."""
        return None

    async def close(self) -> None:  # noqa: B027 - where nothing is kept there is nothing to close
        """Writes what is pending; nothing is taken after that."""


class NoPage(Page):
    """Keeps nothing."""

    __slots__ = ()

    def begun(self, sitters: Sequence[tuple[str, str]]) -> None:
        pass

    def applied(self, move: Move) -> None:
        pass

    def rejected(self, seat: int) -> None:
        pass

    def lost(self, seat: int, end: End, text: str) -> None:
        pass

    def retried(self, seat: int, end: End, text: str) -> None:
        pass

    def seated(self, seat: int, name: str, version: str) -> None:
        pass

    def ended(self, result: Result, then: Callable[[], None]) -> None:
        then()


NO_PAGE = NoPage()


class NoJournal(Journal):
    """Keeps nothing: matches end with the arena."""

    __slots__ = ()

    def opened(self, opening: Opening) -> Page:
        return NO_PAGE

    def session(
        self,
        session_id: str,
        *,
        keys: Sequence[bytes],
        greeting: Greeting,
        handles: int,
        seats: Mapping[int, tuple[str, int]],
    ) -> None:
        pass

    def session_over(self, session_id: str) -> None:
        pass

    def commit(self) -> None:
        pass
