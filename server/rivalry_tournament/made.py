"""What a place where matches are played brings back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rivalry_tournament.lines import Owed, Result
    from rivalry_tournament.results import Order


class Made(NamedTuple):
    """A run of a match: its line in the log, and its record as text, empty if it left none."""

    line: Result | Owed
    record: str


Making = Callable[[], Made]
"""Makes line and record, which takes a few milliseconds and is done beside the loop."""


class Hall(ABC):
    """A place where matches are played, several at once."""

    @abstractmethod
    async def open(self) -> None:
        """Returns when matches can be played; raises RivalryError where an entrant cannot play."""

    @abstractmethod
    async def play(self, order: Order) -> Making:
        """Plays one run of a match.  Never raises for what bots do, nor for what goes wrong in the arena."""

    @abstractmethod
    def capacity(self, entrant: str) -> int:
        """How many seats an entrant can hold at once; 0 where nobody of it is here."""

    @abstractmethod
    async def close(self) -> None:
        """Returns when all that was started is gone."""
