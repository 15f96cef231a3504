"""What a bot says besides answers: each kind of message, and whether anything had asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_server import frames

if TYPE_CHECKING:
    from rivalry_server.session import Session

PING_LEAST_S: Final = 1.0
"""A bot may ping once in so long."""


class Hearing:
    """Takes what the bot of one session says, whichever stream it came over."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._pinged_at = 0.0

    def heard(self, kind: str | None, message: session_pb2.FromBot, at: float) -> None:
        """Takes a ``message`` of a kind that was read at ``at``; one that nothing asked for is counted."""
        session = self._session
        if kind == "leave":
            session.leave(message.leave)
        elif kind is None or kind in ASKED:
            if kind is None or not ASKED[kind](self, message, at):
                session.unasked(at)
        else:
            session.end(errors_pb2.SESSION_END_REASON_PROTOCOL, f"a {kind} came out of place")

    def _ack(self, message: session_pb2.FromBot, at: float) -> bool:
        ack = message.ack
        if ack.ended:
            return self._session.end_acknowledged(ack.match)
        seat = self._session.seat(ack.match)
        return seat is not None and seat.acknowledge(ack.events)

    def _seat_reply(self, message: session_pb2.FromBot, at: float) -> bool:
        self._session.has_newest_token()
        return self._session.replied(message.seat_reply)

    def _ping(self, message: session_pb2.FromBot, at: float) -> bool:
        pong = session_pb2.Pong(nonce=message.ping.nonce)
        self._session.put(frames.piece(frames.PONG, pong.SerializeToString()))
        before, self._pinged_at = self._pinged_at, at
        return at >= before + PING_LEAST_S

    def _pong(self, message: session_pb2.FromBot, at: float) -> bool:
        answered = self._session.pings.answered(message.pong.nonce, at)
        if answered:
            self._session.has_newest_token()
        return answered

    def _resign(self, message: session_pb2.FromBot, at: float) -> bool:
        seat = self._session.seat(message.resign.match)
        return seat is not None and seat.resign(message.resign.why)


ASKED: Final = {
    "ack": Hearing._ack,
    "seat_reply": Hearing._seat_reply,
    "ping": Hearing._ping,
    "pong": Hearing._pong,
    "resign": Hearing._resign,
}
"""By kind of message: takes it, and returns False where nothing had asked for it."""
