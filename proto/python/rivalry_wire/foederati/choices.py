"""Choices and actions of Foederati: a code for verb, square and other, and the parts that go with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rivalry.games.foederati.v1 import foederati_pb2 as pb
from rivalry_engine.error import NotationError
from rivalry_engine.foederati import actions, notation, packs
from rivalry_engine.foederati.actions import (
    ATTACK,
    CARD_PART,
    CHOOSE_FIRST,
    EXCHANGE,
    EXPAND,
    MIGRATE,
    OTHER_SHIFT,
    PACK_SHIFT,
    PLACE,
    REINFORCE,
    SAIL,
    SQUARE_SHIFT,
)
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.squares import NOWHERE, SQUARES
from rivalry_engine.game import Choice
from rivalry_wire.bytewise import packed
from rivalry_wire.foederati.packs import pack_of
from rivalry_wire.reading import UnreadableError, parsed
from rivalry_wire.shapes import shapes_of

_SOMEWHERE: Final = (PLACE, EXPAND, ATTACK, MIGRATE, SAIL)
_WITH_OTHER: Final = (EXPAND, MIGRATE, SAIL, CHOOSE_FIRST)
CODE: Final = (1 << PACK_SHIFT) - 1
"""The bits of an action that are its code."""
_CODES: Final = pb.Choices.DESCRIPTOR.fields_by_name["codes"].number
_PARTS: Final = pb.Choices.DESCRIPTOR.fields_by_name["part_numbers"].number


def choices_written(choices: Sequence[Choice]) -> bytes:
    """``Choices``."""
    given, parts, least, most, usual = zip(*choices, strict=True)
    codes = packed(_CODES, [action & CODE for action in given])
    return codes + b"".join(map(_parts, parts)) + shapes_of(choices, parts, least, most, usual)


@lru_cache(maxsize=1 << 13)
def _parts(parts: tuple[int, ...]) -> bytes:
    """The parts of one choice as a field of their own: pieces of a packed field are read as one."""
    return packed(_PARTS, parts)


def choices_read(data: bytes, board: Map) -> tuple[Choice, ...]:
    """The choices in order; raises UnreadableError."""
    message = parsed(pb.Choices, data)
    count = len(message.codes)
    columns = []
    for name in ("parts", "least", "most", "usual"):
        column = tuple(getattr(message, name))
        if len(column) not in ((count,) if name == "parts" else (0, count)):
            raise UnreadableError(f"{len(column)} numbers in field {name} of {count} choices")
        columns.append(column or (0,) * count)
    numbers = tuple(message.part_numbers)
    if sum(columns[0]) != len(numbers):
        raise UnreadableError(f"{len(numbers)} parts in choices that have {sum(columns[0])}")
    read: list[Choice] = []
    start = 0
    for code, parts, least, most, usual in zip(message.codes, *columns, strict=True):
        if not 0 <= least <= usual <= most <= parts:
            raise UnreadableError(f"choice {len(read)} takes {least} to {most}, usually {usual}, of {parts} parts")
        own = numbers[start : start + parts]
        start += parts
        cards = [part - CARD_PART for part in own[:usual] if part >= CARD_PART]
        _check_parts(own, board)
        read.append(Choice(_action(code, pack_of(cards, board)), own, least, most, usual))
    return tuple(read)


def _check_parts(parts: Sequence[int], board: Map) -> None:
    most = CARD_PART + len(board.cards)
    for part in parts:
        if not 0 <= part < SQUARES and not CARD_PART <= part < most:
            raise UnreadableError(f"part {part} is no square and no card")


def action_written(action: int) -> bytes:
    """``Action``."""
    return pb.Action(code=action & CODE, cards=packs.listed(actions.pack(action))).SerializeToString()


def action_read(data: bytes, board: Map) -> int:
    """The action, which may be illegal; raises UnreadableError when it is no action at all."""
    message = parsed(pb.Action, data)
    action = _action(message.code, pack_of(message.cards, board))
    if not _is_said(action, board):
        raise UnreadableError(f"code {message.code} with cards {list(message.cards)} is no action of Foederati")
    return action


def _is_said(action: int, board: Map) -> bool:
    """True if some notation means ``action``."""
    cards = actions.pack(action) if actions.verb(action) in (ATTACK, EXCHANGE, REINFORCE) else 0
    square = NOWHERE << SQUARE_SHIFT if actions.verb(action) in _SOMEWHERE else 0
    other = NOWHERE << OTHER_SHIFT if actions.verb(action) in _WITH_OTHER else 0
    if action & ~(15 | square | other | cards << PACK_SHIFT):
        return False
    try:
        return notation.action(board, notation.text(board, action)) == action
    except NotationError:
        return False


def _action(code: int, pack: int) -> int:
    if not 0 <= code <= CODE or code & 15 not in actions.VERBS:
        raise UnreadableError(f"code {code} is none of Foederati")
    return code | pack << PACK_SHIFT
