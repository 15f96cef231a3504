"""One seat's part in a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_engine.game import Choice
from rivalry_server.clock import TimeControl
from rivalry_server.outcome import End
from rivalry_server.seat_clock import SeatClock
from rivalry_server.settings import TRIES

if TYPE_CHECKING:
    from rivalry_server.seat import Seat


class Player:
    """One seat's part in a match: who sits there, what is asked, how it stands."""

    __slots__ = (
        "choices",
        "clock",
        "decisions",
        "end",
        "fell",
        "illegal",
        "luck",
        "number",
        "open",
        "rejections",
        "resumed",
        "retries",
        "seat",
        "sitter",
        "spent_arena_us",
        "spent_us",
        "text",
        "tries",
    )

    def __init__(self, seat: int, sitter: Seat, luck: bytes, control: TimeControl) -> None:
        self.seat = seat
        self.sitter = sitter
        self.luck = luck
        self.clock = SeatClock(control)
        self.number = 0
        self.choices: Sequence[Choice] = ()
        self.open = False
        self.rejections = 0
        """Answers to the open prompt that were not taken."""
        self.tries = TRIES
        """How many more may not be."""
        self.spent_us = 0
        """What the open prompt had taken when its clock was stopped last."""
        self.spent_arena_us = 0
        """What of the open prompt's time is known to be the arena's."""
        self.decisions = 0
        self.illegal = 0
        self.retries = 0
        """How often the seat's bot failed and was started or awaited again."""
        self.resumed = False
        """True where the seat's bot came back, or took the place of another, or the arena was restarted."""
        self.end: End | None = None
        self.fell: int | None = None
        self.text = ""

    def rejected(self) -> None:
        """Counts an answer to the open prompt that was not taken."""
        self.rejections += 1
        self.tries -= 1
        self.illegal += 1
