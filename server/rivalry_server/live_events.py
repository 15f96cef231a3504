"""Events of one seat on their way out as they happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_server.outbox import Due

if TYPE_CHECKING:
    from rivalry_server.session_seat import SessionSeat


class LiveEvents(Due):
    """What happened since the bot was told last, as one piece of the next frame."""

    __slots__ = ("_seat", "_waits")

    def __init__(self, seat: SessionSeat) -> None:
        self._seat = seat
        self._waits = False

    def happened(self) -> None:
        """There is something to tell."""
        if not self._waits:
            self._waits = True
            self._seat.session.put(self)

    def lost(self) -> None:
        """The stream is another: what waited on the one before is not written."""
        self._waits = False

    def written(self, now: float) -> bytes:
        self._waits = False
        try:
            return self._seat.live_events()
        except Exception as error:  # a fault in it is not the bot's
            self._seat.fault(error)
            return b""
