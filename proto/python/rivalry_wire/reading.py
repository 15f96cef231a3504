"""Bytes to messages, with the one error that reading raises."""

from __future__ import annotations

from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message

from rivalry_engine.error import RivalryError
from rivalry_engine.game import PUBLIC

M = TypeVar("M", bound=Message)


class UnreadableError(RivalryError):
    """Bytes that are not the message they should be, or a message that means nothing in its game."""


def parsed(kind: type[M], data: bytes) -> M:
    """``data`` as a message of ``kind``; raises UnreadableError."""
    try:
        return kind.FromString(data)
    except DecodeError as error:
        name = kind.DESCRIPTOR.full_name
        raise UnreadableError(f"{len(data)} bytes that are no {name}: {error}") from error


def seat_read(seat: int, seats: int) -> int:
    """A seat of a match of so many; raises UnreadableError for another number."""
    if not 0 <= seat < seats:
        raise UnreadableError(f"seat {seat}; expected 0 to {seats - 1}")
    return seat


def audience_read(message: Any, seats: int) -> int:
    """Whose observation ``message`` is by its optional field ``seat``; PUBLIC when that is absent."""
    return seat_read(message.seat, seats) if message.HasField("seat") else PUBLIC
