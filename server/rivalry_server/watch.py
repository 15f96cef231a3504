"""The events of one match, counted from 1 for each audience without gaps."""

from __future__ import annotations

from collections.abc import Callable

from rivalry_engine.event import Event, Seen, seen


class EventLog:
    """All events of a match, in order.

    An audience that sees less of an event still sees that it happened, so every audience's count is the log's length.
    ``seen`` of the engine is the only way out; what it gives is encoded once for all who see the same.
    """

    __slots__ = ("_encode", "_own", "_public", "events")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._encode: Callable[[Seen], bytes] | None = None
        self._public: list[bytes] = []
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
        if until is None:
            until = len(self.events)
        if after + 1 == until:
            return self._one(audience, after)
        return b"".join([self._one(audience, place) for place in range(after, until)])

    def _one(self, audience: int, place: int) -> bytes:
        event = self.events[place]
        assert self._encode is not None
        if audience in event.secrets:
            key = (place, audience)
            if key not in self._own:
                self._own[key] = self._encode(seen(event, audience))
            return self._own[key]
        while len(self._public) <= place:
            self._public.append(b"")
        data = self._public[place]
        if not data:
            # Whoever has no secret in an event sees what the public sees.
            data = self._public[place] = self._encode(seen(event, audience))
        return data
