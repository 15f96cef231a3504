"""Protobuf fields written by hand, where a message object would cost more than the bytes it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final


class _Varints(dict[int, bytes]):
    """The small integers, which are nearly all that is written; others are made when asked for, and not kept."""

    def __missing__(self, number: int) -> bytes:
        if 0 <= number < 1 << 21:
            if number < 1 << 14:
                return bytes((number & 127 | 128, number >> 7))
            return bytes((number & 127 | 128, number >> 7 & 127 | 128, number >> 14))
        if number < 0:
            raise ValueError(f"{number} is no number for a varint: expected none below 0")
        out = bytearray()
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
        return bytes(out)


varint: Final[Callable[[int], bytes]] = _Varints(
    (number, bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7])) for number in range(1 << 12)
).__getitem__
"""A non-negative integer as a varint, below 2**64 in Protobuf: a method of a dictionary, since every field needs it."""


def delimited(field: int, data: bytes) -> bytes:
    """A field of bytes: a message, a text or packed numbers."""
    return varint(field << 3 | 2) + varint(len(data)) + data


def packed(field: int, numbers: Iterable[int]) -> bytes:
    """A packed field of non-negative integers; no bytes for none, as Protobuf has it."""
    data = b"".join([varint(number) for number in numbers])
    return delimited(field, data) if data else b""
