"""The events of one match, counted from 1 for each audience without gaps."""

from __future__ import annotations

from collections.abc import Callable

from rivalry_engine.event import Event, Seen, seen
from rivalry_engine.game import PUBLIC


class EventLog:
    """All events of a match, in order.

    An audience that sees less of an event still sees that it happened, so every audience's count is the log's length.
    ``seen`` of the engine is the only way out; what it gives is encoded once for all who see the same.
    """

    __slots__ = ("_encode", "_own", "_public", "events")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._encode: Callable[[Seen], bytes] | None = None
        self._public: list[bytes | None] = []
        """Each event as all see it, serialised; None where a seat sees more than others."""
        self._own: dict[tuple[int, int], bytes] = {}

    def __len__(self) -> int:
        return len(self.events)

    def seen(self, audience: int, after: int) -> list[Seen]:
        """The events numbered above ``after``, as ``audience`` sees them."""
        return [seen(event, audience) for event in self.events[after:]]

    def encode_with(self, encode: Callable[[Seen], bytes]) -> None:
        """Says how an event becomes bytes, of which the concatenation means several."""
        self._encode = encode

    def encoded(self, audience: int, after: int, until: int | None = None) -> bytes:
        """The events numbered above ``after`` and up to ``until`` (None: the last) as bytes."""
        public = self._public
        if len(public) < len(self.events):
            self._encode_new()
        told = public[after:until]
        if None in told:
            told = [self._as_seen(audience, after + place) if data is None else data for place, data in enumerate(told)]
        return b"".join(told)  # type: ignore[arg-type]

    def _encode_new(self) -> None:
        assert self._encode is not None
        for event in self.events[len(self._public) :]:
            self._public.append(None if event.secrets else self._encode(seen(event, PUBLIC)))

    def _as_seen(self, audience: int, place: int) -> bytes:
        """An event of which a seat sees more than others; whoever has no secret in it sees what the public sees."""
        event = self.events[place]
        key = (place, audience if audience in event.secrets else PUBLIC)
        data = self._own.get(key)
        if data is None:
            assert self._encode is not None
            data = self._own[key] = self._encode(seen(event, audience))
        return data
