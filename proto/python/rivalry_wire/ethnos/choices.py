"""Choices and actions of Ethnos: a code for verb and value, and the cards that go with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos import actions
from rivalry_engine.ethnos.actions import BAND, PACK_SHIFT, SWAP
from rivalry_engine.ethnos.cards import UNIT, listed
from rivalry_engine.game import Choice
from rivalry_wire.bytewise import varint
from rivalry_wire.ethnos.cards import pack_of
from rivalry_wire.reading import UnreadableError, parsed
from rivalry_wire.shapes import shapes_of

CODE: Final = (1 << PACK_SHIFT) - 1
"""The bits of an action that are its code, the cards aside; ``swap`` has no cards and is all code."""

_CODES: Final = [varint(code) for code in range(CODE + 1)]
_CODES_TAG: Final = varint(pb.Choices.DESCRIPTOR.fields_by_name["codes"].number << 3 | 2)
_CARDS_TAG: Final = varint(pb.Choices.DESCRIPTOR.fields_by_name["cards"].number << 3 | 2)


def choices_written(choices: Sequence[Choice]) -> bytes:
    """``Choices``."""
    given, parts, *sizes = zip(*choices, strict=True)
    if given[0] & 15 == SWAP:
        codes = b"".join([varint(action) for action in given])
    else:
        codes = b"".join([_CODES[action & CODE] for action in given])
    shapes = shapes_of(choices, parts, *sizes)
    cards = b"".join(map(bytes, parts))
    if cards:
        return b"".join((_CODES_TAG, varint(len(codes)), codes, _CARDS_TAG, varint(len(cards)), cards, shapes))
    return _CODES_TAG + varint(len(codes)) + codes + shapes


def choices_read(data: bytes) -> tuple[Choice, ...]:
    """The choices in order; raises UnreadableError."""
    message = parsed(pb.Choices, data)
    count = len(message.codes)
    columns = []
    for name in ("parts", "least", "most", "usual"):
        column = tuple(getattr(message, name))
        if len(column) not in ((count,) if name == "parts" else (0, count)):
            raise UnreadableError(f"{len(column)} numbers in field {name} of {count} choices")
        columns.append(column or (0,) * count)
    cards = tuple(message.cards)
    if sum(columns[0]) != len(cards):
        raise UnreadableError(f"{len(cards)} cards in choices that have {sum(columns[0])} parts")
    read: list[Choice] = []
    start = 0
    for code, parts, least, most, usual in zip(message.codes, *columns, strict=True):
        if not 0 <= least <= usual <= most <= parts:
            raise UnreadableError(f"choice {len(read)} takes {least} to {most}, usually {usual}, of {parts} parts")
        own = cards[start : start + parts]
        start += parts
        read.append(_choice(code, own, least, most, usual))
    return tuple(read)


@lru_cache(maxsize=1 << 13)
def _choice(code: int, cards: tuple[int, ...], least: int, most: int, usual: int) -> Choice:
    """A choice, the same object whenever it is offered again."""
    pack_of(cards)
    return Choice(_action(code, cards[:usual]), cards, least, most, usual)


def action_written(action: int) -> bytes:
    """``Action``."""
    pack = action >> PACK_SHIFT
    if action & 15 == SWAP:
        return pb.Action(code=action).SerializeToString()
    if action & 15 == BAND:
        pack -= UNIT[actions.value(action)]
    return pb.Action(code=action & CODE, cards=listed(pack)).SerializeToString()


def action_read(data: bytes) -> int:
    """The action, which may be illegal."""
    message = parsed(pb.Action, data)
    return _action(message.code, message.cards)


def _action(code: int, cards: Iterable[int]) -> int:
    """The action of a code with cards; raises UnreadableError unless some notation means it."""
    if code & 15 == SWAP and not cards and actions.is_formed(code):
        return code
    if 0 <= code <= CODE and code & 15 != SWAP:
        pack = pack_of(cards)
        if code & 15 == BAND:
            pack += pack_of([code >> 4])
        action = code | pack << PACK_SHIFT
        if actions.is_formed(action):
            return action
    raise UnreadableError(f"code {code} with cards {list(cards)} is no action of Ethnos")
