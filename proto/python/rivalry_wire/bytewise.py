"""Protobuf fields written by hand, where a message object would cost more than the bytes it makes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

VARINTS: Final = tuple(
    bytes([number]) if number < 128 else bytes([number & 127 | 128, number >> 7]) for number in range(1 << 12)
)
"""The small integers as varints."""


def varint(number: int) -> bytes:
    """A non-negative integer below 2**64 as a varint."""
    if number < 4096:
        return VARINTS[number]
    if number < 1 << 14:
        return bytes((number & 127 | 128, number >> 7))
    if number < 1 << 21:
        return bytes((number & 127 | 128, number >> 7 & 127 | 128, number >> 14))
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def delimited(field: int, data: bytes) -> bytes:
    """A field of bytes: a message, a text or packed numbers."""
    return varint(field << 3 | 2) + varint(len(data)) + data


def packed(field: int, numbers: Iterable[int]) -> bytes:
    """A packed field of non-negative integers; no bytes for none, as Protobuf has it."""
    data = b"".join([varint(number) for number in numbers])
    return delimited(field, data) if data else b""
