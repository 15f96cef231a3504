"""What is written down before anybody is told of it: the interface, and the journal that keeps nothing.

Matches hand over each action as it is applied.  Every writer calls ``commit`` before it sends, so that all actions of
one turn of the loop go into one transaction and nothing that follows from them leaves before it returned.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rivalry_server.record import Move


class Journal(ABC):
    """Keeps the actions of running matches."""

    __slots__ = ()

    @abstractmethod
    def applied(self, match_id: str, move: Move) -> None:
        """An action was applied."""

    @abstractmethod
    def ended(self, match_id: str) -> None:
        """A match is over."""

    @abstractmethod
    def commit(self) -> None:
        """Makes lasting what was handed over since the last call; costs nothing when that is nothing."""


class NoJournal(Journal):
    """Keeps nothing: matches end with the arena."""

    __slots__ = ()

    def applied(self, match_id: str, move: Move) -> None:
        pass

    def ended(self, match_id: str) -> None:
        pass

    def commit(self) -> None:
        pass
