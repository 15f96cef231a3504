"""How many prompts of one bot are open at once: as many as its hello asked for, and the others wait."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rivalry_server.session import Session
    from rivalry_server.session_seat import SessionSeat


class Slots:
    """Room for the open prompts of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open = 0
        self._waiting: deque[SessionSeat] = deque()

    def take(self, seat: SessionSeat) -> bool:
        """True if the seat's prompt may be open now; else it waits, and ``seat.open`` is called when there is room."""
        if self._open < self._session.greeting.prompts:
            self._open += 1
            return True
        self._waiting.append(seat)
        return False

    def freed(self) -> None:
        """A prompt is closed: the one that waits longest is opened."""
        self._open -= 1
        while self._waiting and self._open < self._session.greeting.prompts:
            seat = self._waiting.popleft()
            if seat.wanted:
                self._open += 1
                seat.open()
