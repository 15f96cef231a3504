"""Protobuf fields written by hand, where a message object would cost more than the bytes it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final


class _Varints(dict[int, bytes]):
    """The small integers, which are nearly all that is written; others are made when asked for, and not kept."""

    def __missing__(self, number: int) -> bytes:
        if number < 0:
            raise ValueError(f"{number} is no number for a varint: expected 0 to 2**64 - 1")
        out = bytearray()
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
        return bytes(out)


varint: Final[Callable[[int], bytes]] = _Varints(
    (number, bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])) for number in range(1 << 12)
).__getitem__
"""A non-negative integer below 2**64 as a varint; a method of a dictionary, since it is called for every field."""


def delimited(field: int, data: bytes) -> bytes:
    """A field of bytes: a message, a text or packed numbers."""
    return varint(field << 3 | 2) + varint(len(data)) + data


def packed(field: int, numbers: Iterable[int]) -> bytes:
    """A packed field of non-negative integers; no bytes for none, as Protobuf has it."""
    data = b"".join([varint(number) for number in numbers])
    return delimited(field, data) if data else b""
