"""Events of Ethnos: facts to fields of the same names, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.event import Seen
from rivalry_wire.bytewise import delimited, packed, varint
from rivalry_wire.ethnos.questions import NUMBERS, WORDS
from rivalry_wire.reading import parsed

EVENTS: Final = pb.Events.DESCRIPTOR.fields_by_name["events"].number
KINDS: Final = {field.name: field for field in pb.Event.DESCRIPTOR.fields}
"""The kinds of events, which are the names of the fields of ``Event``."""
UNSEEN: Final = ("card",)
"""Facts whose 0 means that the audience does not see them."""


PLANS: Final = {
    name: {fact.name: (fact.number, fact) for fact in field.message_type.fields}
    for name, field in KINDS.items()
    if field.message_type is not None
}
"""By kind, the facts and their fields."""


class EventBytes:
    """The bytes of one match's events.

    An event without secrets has the same facts for every audience, as one object: its bytes are made once.
    """

    __slots__ = ("_bytes", "_facts")

    def __init__(self) -> None:
        self._facts: Mapping[str, Any] | None = None
        self._bytes = b""

    def of(self, seen: Seen) -> bytes:
        """``Events`` that holds this one."""
        if seen.facts is not self._facts:
            self._bytes = _written(seen)
            self._facts = seen.facts
        return self._bytes


def _written(seen: Seen) -> bytes:
    plan = PLANS[seen.kind]
    body = b"".join([_field(*plan[name], value) for name, value in seen.facts.items()])
    return delimited(EVENTS, delimited(KINDS[seen.kind].number, body))


def _field(number: int, field: FieldDescriptor, value: Any) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value) if value else b""
    if isinstance(value, str):
        return varint(number << 3) + varint(NUMBERS[value])
    return delimited(number, packed(1, value)) if field.message_type is not None else packed(number, value)


def events_read(data: bytes) -> tuple[Seen, ...]:
    """The events in order, without those of a kind or with a value not known here; raises UnreadableError."""
    found = []
    for event in parsed(pb.Events, data).events:
        kind = event.WhichOneof("what")
        if kind is not None:
            facts = dict(_facts(kind, getattr(event, kind)))
            if None not in facts.values():
                found.append(Seen(kind, facts))
    return tuple(found)


def _facts(kind: str, message: Any) -> Iterable[tuple[str, Any]]:
    for name, (_, field) in PLANS[kind].items():
        value = getattr(message, name)
        if field.enum_type is not None:
            yield name, WORDS.get(value)
        elif field.message_type is not None:
            if message.HasField(name):
                yield name, tuple(value.cards)
        elif field.is_repeated:
            yield name, tuple(value)
        elif value or name not in UNSEEN:
            yield name, value
