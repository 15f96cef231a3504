"""Events of Ethnos: facts to fields of the same names, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.event import Seen
from rivalry_wire.bytewise import delimited, packed, varint
from rivalry_wire.ethnos.questions import NUMBERS, WORDS
from rivalry_wire.reading import parsed

Writer = Callable[[int, Any], bytes]

UNSEEN: Final = ("card",)
"""Facts whose 0 means that the audience does not see them."""


def _number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value) if value else b""


def _word(field: int, value: str) -> bytes:
    return varint(field << 3) + varint(NUMBERS[value])


def _cards(field: int, value: tuple[int, ...]) -> bytes:
    return delimited(field, packed(1, value))


def _writer(field: Any) -> Writer:
    if field.message_type is not None:
        return _cards
    if field.is_repeated:
        return packed
    return _word if field.enum_type is not None else _number


_EVENTS: Final[int] = pb.Events.DESCRIPTOR.fields_by_name["events"].number
_KINDS: Final[dict[str, Any]] = {field.name: field for field in pb.Event.DESCRIPTOR.fields}
_PLANS: Final[dict[str, dict[str, tuple[int, Writer]]]] = {
    name: {fact.name: (fact.number, _writer(fact)) for fact in kind.message_type.fields}
    for name, kind in _KINDS.items()
}
"""By kind of event and name of a fact, its field and how it is written."""


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
            self._bytes = _written(seen)
            self._kind, self._facts = seen.kind, seen.facts
        return self._bytes


def _written(seen: Seen) -> bytes:
    plan = _PLANS[seen.kind]
    written = []
    for name, value in seen.facts.items():
        field, writer = plan[name]
        written.append(writer(field, value))
    return delimited(_EVENTS, delimited(_KINDS[seen.kind].number, b"".join(written)))


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


def _facts(kind: str, message: Any) -> Iterator[tuple[str, Any]]:
    for name, (_, writer) in _PLANS[kind].items():
        value = getattr(message, name)
        if writer is _word:
            yield name, WORDS.get(value)
        elif writer is _cards:
            if message.HasField(name):
                yield name, tuple(value.cards)
        elif writer is packed:
            yield name, tuple(value)
        elif value or name not in UNSEEN:
            yield name, value
