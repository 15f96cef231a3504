"""Events of Ethnos: facts to fields of the same names, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.event import Seen
from rivalry_wire.ethnos.questions import NUMBERS
from rivalry_wire.event_fields import EventFields

FIELDS: Final = EventFields(pb.Events, pb.Event, words=NUMBERS, zero_is_unseen=("card",))


class EventBytes:
    """The bytes of one match's events.

    An event without secrets has the same facts for every audience, as one object: its bytes are made once.
    """

    __slots__ = ("_bytes", "_facts", "_kind")

    def __init__(self) -> None:
        self._kind = ""
        self._facts: Mapping[str, Any] | None = None
        self._bytes = b""

    def of(self, seen: Seen) -> bytes:
        """``Events`` that holds this one."""
        if seen.facts is not self._facts or seen.kind != self._kind:
            self._bytes = FIELDS.written(seen)
            self._kind, self._facts = seen.kind, seen.facts
        return self._bytes
