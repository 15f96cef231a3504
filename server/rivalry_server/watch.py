"""The events of one match, counted from 1 for each audience without gaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rivalry_engine.event import Event, Seen, seen
from rivalry_engine.game import PUBLIC

KEPT: Final = 64
"""So many events are kept without asking who has them."""


class Reader:
    """How far somebody has read: ``have`` is the number of the last event that is not needed for him any more."""

    __slots__ = ("have",)

    def __init__(self, have: int) -> None:
        self.have = have


class EventLog:
    """The events of a match, in order; those that every reader has are forgotten.

    An audience that sees less of an event still sees that it happened, so every audience's count is the log's length.
    ``seen`` of the engine is the only way out; what it gives is encoded once for all who see the same.
    """

    __slots__ = ("_encode", "_forgotten", "_own", "_public", "_readers", "events")

    def __init__(self) -> None:
        self.events: list[Event] = []
        """Those that are not forgotten; the state adds to it."""
        self._forgotten = 0
        self._encode: Callable[[Seen], bytes] | None = None
        self._public: list[bytes | None] = []
        """Each of ``events`` as all see it, serialised; None where a seat sees more than others."""
        self._own: dict[tuple[int, int], bytes] = {}
        self._readers: list[Reader] = []

    def __len__(self) -> int:
        """The number of the last event."""
        return self._forgotten + len(self.events)

    @property
    def forgotten(self) -> int:
        """How many of the first are not kept any more."""
        return self._forgotten

    def reader(self) -> Reader:
        """Somebody who has read all that there is and will read on, until ``close``."""
        reader = Reader(len(self))
        self._readers.append(reader)
        return reader

    def close(self, reader: Reader) -> None:
        """The reader reads no more."""
        if reader in self._readers:
            self._readers.remove(reader)

    def forget(self) -> None:
        """Lets go of what every reader has, when there is much of it."""
        if len(self.events) < KEPT:
            return
        have = min([reader.have for reader in self._readers], default=len(self))
        count = have - self._forgotten
        if count < KEPT // 2:
            return
        del self.events[:count]
        del self._public[:count]
        self._forgotten = have
        self._own = {key: data for key, data in self._own.items() if key[0] >= have}

    def seen(self, audience: int, after: int) -> list[Seen]:
        """The events numbered above ``after``, as ``audience`` sees them: copies, to do with as one likes."""
        return [
            seen(event, audience) if audience in event.secrets else Seen(event.kind, dict(event.facts))
            for event in self.events[after - self._forgotten :]
        ]

    def encode_with(self, encode: Callable[[Seen], bytes]) -> None:
        """Says how an event becomes bytes, of which the concatenation means several."""
        self._encode = encode

    def encoded(self, audience: int, after: int, until: int | None = None) -> bytes:
        """The events numbered above ``after`` and up to ``until`` (None: the last) as bytes."""
        public = self._public
        forgotten = self._forgotten
        if len(public) < len(self.events):
            self._encode_new()
        assert after >= forgotten, f"event {after + 1} was forgotten"
        told = public[after - forgotten : None if until is None else until - forgotten]
        if None in told:
            told = [self._as_seen(audience, after + place) if data is None else data for place, data in enumerate(told)]
        return b"".join(told)  # type: ignore[arg-type]

    def _encode_new(self) -> None:
        assert self._encode is not None
        for event in self.events[len(self._public) :]:
            self._public.append(None if event.secrets else self._encode(seen(event, PUBLIC)))

    def _as_seen(self, audience: int, before: int) -> bytes:
        """Event ``before`` + 1, of which a seat sees more; whoever has no secret in it sees what the public sees."""
        event = self.events[before - self._forgotten]
        key = (before, audience if audience in event.secrets else PUBLIC)
        data = self._own.get(key)
        if data is None:
            assert self._encode is not None
            data = self._own[key] = self._encode(seen(event, audience))
        return data
