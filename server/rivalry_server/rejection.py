"""The last rejected answer to the open prompt of a seat, and what a bot that comes back is told of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rivalry_server.outbox import Due

if TYPE_CHECKING:
    from rivalry.arena.v1 import session_pb2
    from rivalry_engine.game import Objection


class Rejection(Due):
    """What was rejected last, until the prompt is closed.

    A bot that lost its stream may not have heard of it, and sends an answer again that may have been lost.  As ``Due``
    it is the ruling told again, which is written only while it is the last word on the open prompt.
    """

    __slots__ = ("_awaits_same", "_key", "_objection", "_ruled", "_told_again", "forgotten")

    def __init__(self, ruled: Callable[[Objection | None], bytes]) -> None:
        """``ruled`` gives the ruling on the last rejected answer, None where nobody knows why it was rejected."""
        self._ruled = ruled
        self._objection: Objection | None = None
        self._key = 0
        self._told_again = False
        """True while the ruling waits to be told again."""
        self._awaits_same = False
        """True from then on until the bot answers."""
        self.forgotten = False
        """True of the first answer of a bot that is back where nobody knows any more what was rejected, since the arena
        was started anew: it may be the same again."""

    def of(self, message: session_pb2.Answer, objection: Objection) -> None:
        """An answer was rejected, and the bot is told so."""
        self._objection = objection
        self._key = _key(message)
        self.hush()

    def close(self) -> None:
        """The prompt is closed: nothing more is said of it."""
        self._objection = None
        self._key = 0
        self.hush()

    def hush(self) -> None:
        """It is not told again."""
        self._told_again = self._awaits_same = False

    def again(self) -> Due:
        """The ruling for a bot that is back and has the prompt; the next answer may be the rejected one once more."""
        self._told_again = self._awaits_same = True
        return self

    def repeated_by(self, message: session_pb2.Answer) -> Objection | None:
        """Why an answer was rejected before, where a bot that is back has sent it again as its first; else None."""
        awaited, self._awaits_same = self._awaits_same, False
        self.forgotten = awaited and self._objection is None
        return self._objection if awaited and self._key == _key(message) else None

    def written(self, now: float) -> bytes:
        if not self._told_again:
            return b""
        self._told_again = False
        return self._ruled(self._objection)


def _key(message: session_pb2.Answer) -> int:
    """The same for the same answer; an answer may be long, and of many matches at once."""
    parts = tuple(message.parts.indices) if message.HasField("parts") else None
    action = message.action.type_url, message.action.value
    return hash((message.WhichOneof("said"), message.index, message.text, action, parts, message.note))
