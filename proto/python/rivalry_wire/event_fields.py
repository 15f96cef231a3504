"""Events as messages whose fields have the names of the facts: written and read by one plan made from the schema.

``Events`` is a message whose field ``events`` holds messages with a oneof ``what``, a field for each kind of event.  A
fact of integers is a packed field, a text a string, a word of the game's a value of an enum; a message with a field
``cards`` is a tuple that an audience may not see at all.  An optional number stands for -1 where it is absent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any, Final

from rivalry_engine.event import Seen
from rivalry_wire.bytewise import delimited, packed, varint
from rivalry_wire.reading import parsed

Writer = Callable[[int, Any], bytes]
Reader = Callable[[Any, str], Any]
ABSENT: Final = -1


class _Unseen:
    """A fact that the audience does not see."""


class _Unknown:
    """A value that is not known here."""


UNSEEN: Final = _Unseen()
UNKNOWN: Final = _Unknown()


class EventFields:
    """The plan of one game's events."""

    def __init__(
        self, events: Any, event: Any, *, words: Mapping[str, int] | None = None, zero_is_unseen: Collection[str] = ()
    ) -> None:
        """``events`` and ``event`` are the message classes; ``words`` gives the numbers of words that travel as enums.

        Facts named in ``zero_is_unseen`` are not seen by the audience where they are 0.
        """
        self._message = events
        self._field = events.DESCRIPTOR.fields_by_name["events"].number
        self._numbers = dict(words or {})
        self._words = {number: word for word, number in self._numbers.items()}
        self._zero_is_unseen = frozenset(zero_is_unseen)
        self._kinds = {field.name: field.number for field in event.DESCRIPTOR.fields}
        self._writers: dict[str, dict[str, tuple[int, Writer]]] = {}
        self._readers: dict[str, dict[str, Reader]] = {}
        """By kind of event and name of a fact, how it is written and read."""
        for kind in event.DESCRIPTOR.fields:
            plans = {fact.name: (fact.number, *self._plan(fact)) for fact in kind.message_type.fields}
            self._writers[kind.name] = {name: (number, writer) for name, (number, writer, _) in plans.items()}
            self._readers[kind.name] = {name: reader for name, (_, _, reader) in plans.items()}

    def written(self, seen: Seen) -> bytes:
        """``Events`` that holds this one."""
        plan = self._writers[seen.kind]
        facts = []
        for name, value in seen.facts.items():
            field, writer = plan[name]
            facts.append(writer(field, value))
        return delimited(self._field, delimited(self._kinds[seen.kind], b"".join(facts)))

    def read(self, data: bytes) -> tuple[Seen, ...]:
        """The events in order, without those of a kind or with a word not known here; raises UnreadableError."""
        found = []
        for event in parsed(self._message, data).events:
            kind = event.WhichOneof("what")
            if kind is None:
                continue
            message = getattr(event, kind)
            facts = {name: reader(message, name) for name, reader in self._readers[kind].items()}
            if UNKNOWN not in facts.values():
                found.append(Seen(kind, {name: value for name, value in facts.items() if value is not UNSEEN}))
        return tuple(found)

    def _plan(self, fact: Any) -> tuple[Writer, Reader]:
        if fact.message_type is not None:
            return _cards, _cards_read
        if fact.is_repeated:
            return packed, _packed_read
        if fact.type == fact.TYPE_STRING:
            return _text, getattr
        if fact.enum_type is not None:
            return partial(_word, self._numbers), partial(_word_read, self._words)
        if fact.has_presence:
            return _optional, _optional_read
        return _number, _seen_read if fact.name in self._zero_is_unseen else getattr


def _number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value) if value else b""


def _seen_read(message: Any, name: str) -> Any:
    return getattr(message, name) or UNSEEN


def _optional(field: int, value: int) -> bytes:
    return b"" if value == ABSENT else varint(field << 3) + varint(value)


def _optional_read(message: Any, name: str) -> Any:
    return getattr(message, name) if message.HasField(name) else ABSENT


def _word(numbers: Mapping[str, int], field: int, value: str) -> bytes:
    return varint(field << 3) + varint(numbers[value])


def _word_read(words: Mapping[int, str], message: Any, name: str) -> Any:
    return words.get(getattr(message, name), UNKNOWN)


def _text(field: int, value: str) -> bytes:
    return delimited(field, value.encode()) if value else b""


def _cards(field: int, value: tuple[int, ...]) -> bytes:
    return delimited(field, packed(1, value))


def _cards_read(message: Any, name: str) -> Any:
    return tuple(getattr(message, name).cards) if message.HasField(name) else UNSEEN


def _packed_read(message: Any, name: str) -> Any:
    return tuple(getattr(message, name))
