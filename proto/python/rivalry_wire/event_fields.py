"""Events as messages whose fields have the names of the facts: written and read by one plan made from the schema.

``Events`` is a message whose field ``events`` holds messages with a oneof ``what``, a field for each kind of event.  A
fact of integers is a packed field, a text a string; a message with a field ``cards`` is a tuple that an audience may
not see at all.  An optional number stands for -1 where it is absent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from rivalry_engine.event import Seen
from rivalry_wire.bytewise import delimited, packed, varint
from rivalry_wire.reading import parsed

Writer = Callable[[int, Any], bytes]
ABSENT: Final = -1


def _number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value) if value else b""


def _optional(field: int, value: int) -> bytes:
    return b"" if value == ABSENT else varint(field << 3) + varint(value)


def _text(field: int, value: str) -> bytes:
    return delimited(field, value.encode()) if value else b""


def _cards(field: int, value: tuple[int, ...]) -> bytes:
    return delimited(field, packed(1, value))


def _writer(field: Any) -> Writer:
    if field.message_type is not None:
        return _cards
    if field.is_repeated:
        return packed
    if field.type == field.TYPE_STRING:
        return _text
    return _optional if field.has_presence else _number


class EventFields:
    """The plan of one game's events."""

    def __init__(self, events: Any, event: Any) -> None:
        """``events`` and ``event`` are the message classes."""
        self._message = events
        self._field = events.DESCRIPTOR.fields_by_name["events"].number
        self._kinds = {field.name: field.number for field in event.DESCRIPTOR.fields}
        self._plans: dict[str, dict[str, tuple[int, Writer]]] = {
            field.name: {fact.name: (fact.number, _writer(fact)) for fact in field.message_type.fields}
            for field in event.DESCRIPTOR.fields
        }
        """By kind of event and name of a fact, its field and how it is written."""

    def written(self, seen: Seen) -> bytes:
        """``Events`` that holds this one."""
        plan = self._plans[seen.kind]
        facts = []
        for name, value in seen.facts.items():
            field, writer = plan[name]
            facts.append(writer(field, value))
        return delimited(self._field, delimited(self._kinds[seen.kind], b"".join(facts)))

    def read(self, data: bytes) -> tuple[Seen, ...]:
        """The events in order, without those of a kind that is not known here; raises UnreadableError."""
        found = []
        for event in parsed(self._message, data).events:
            kind = event.WhichOneof("what")
            if kind is not None:
                found.append(Seen(kind, self._facts(self._plans[kind], getattr(event, kind))))
        return tuple(found)

    def _facts(self, plan: Mapping[str, tuple[int, Writer]], message: Any) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for name, (_, writer) in plan.items():
            value = getattr(message, name)
            if writer is _cards:
                if message.HasField(name):
                    facts[name] = tuple(value.cards)
            elif writer is packed:
                facts[name] = tuple(value)
            elif writer is _optional:
                facts[name] = value if message.HasField(name) else ABSENT
            else:
                facts[name] = value
        return facts
