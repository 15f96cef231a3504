"""Bytes to messages, with the one error that reading raises."""

from __future__ import annotations

from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from rivalry_engine.error import RivalryError

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
