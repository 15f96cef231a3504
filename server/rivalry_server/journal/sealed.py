"""Rows of the journal, sealed: each is found and checked by itself, wherever in a damaged file it stands."""

from __future__ import annotations

from enum import IntEnum
from typing import Final
from zlib import crc32

from rivalry_engine.error import RivalryError

_HEAD: Final = 17


class Kind(IntEnum):
    """What a row holds."""

    META = 1
    ATTEMPT = 2
    RESULT = 3
    SESSION = 4
    BLOB = 5


class UnsealedError(RivalryError):
    """A row is not what was written."""


def sealed(kind: Kind, key: int, payload: bytes) -> bytes:
    """A row: four letters, kind, key (8 bytes), CRC-32 of kind, key and payload (all little end first), payload."""
    head = bytes((kind,)) + key.to_bytes(8, "little")
    return b"RVLJ" + head + crc32(payload, crc32(head)).to_bytes(4, "little") + payload


def opened(data: bytes) -> tuple[Kind, int, bytes]:
    """Kind, key and payload of a row; raises UnsealedError."""
    if len(data) < _HEAD or data[:4] != b"RVLJ":
        raise UnsealedError(f"{len(data)} bytes that are no row of a journal")
    payload = data[_HEAD:]
    if crc32(payload, crc32(data[4:13])) != int.from_bytes(data[13:_HEAD], "little"):
        raise UnsealedError(f"a row of {len(data)} bytes whose checksum does not hold")
    try:
        return Kind(data[4]), int.from_bytes(data[5:13], "little"), payload
    except ValueError as error:
        raise UnsealedError(f"a row of an unknown kind {data[4]}") from error
