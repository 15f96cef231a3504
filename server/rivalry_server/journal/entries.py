"""What the journal holds of running matches: entries, and the blobs that they are written in.

A blob is entries in a row.  An entry is a byte for its kind, the row of its match, its index among the entries of that
match (from 0, so that a gap is noticed), and its fields: numbers as varints of any length, those that may be negative
in zigzag, texts with their length in bytes before them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rivalry_engine.error import RivalryError
from rivalry_server.outcome import End
from rivalry_server.record import Move
from rivalry_wire.bytewise import varint

_MOVE, _REJECTED, _LOST, _RETRIED, _BEGUN, _SEATED = range(1, 7)
_BY, _NOTE, _SHARES = 1, 2, 4
"""What a move has besides: who did it for the seat, a note, what of its time was not the bot's."""


class DamagedBlobError(RivalryError):
    """Bytes that are no entries."""


@dataclass(frozen=True, slots=True)
class Begun:
    """The match begins with bots of these names and versions, in seat order."""

    sitters: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """An answer to the seat's open prompt was not taken."""

    seat: int


@dataclass(frozen=True, slots=True)
class Lost:
    """The seat's bot plays no more."""

    seat: int
    end: End
    text: str


@dataclass(frozen=True, slots=True)
class Retried:
    """The seat's bot failed and is started or awaited again."""

    seat: int
    end: End
    text: str


@dataclass(frozen=True, slots=True)
class Seated:
    """Another bot took a seat of a match that had begun."""

    seat: int
    name: str
    version: str


Entry = Move | Rejected | Lost | Retried | Begun | Seated


def entry(row: int, index: int, what: Entry) -> bytes:
    """Entry ``index`` about the match of a row, as bytes."""
    where = varint(row) + varint(index)
    if type(what) is Move:
        return _move(where, what)
    if type(what) is Rejected:
        return b"\x02" + where + varint(what.seat)
    if type(what) is Lost or type(what) is Retried:
        kind = b"\x03" if type(what) is Lost else b"\x04"
        return kind + where + varint(what.seat) + _text(what.end) + _text(what.text)
    if type(what) is Seated:
        return b"\x06" + where + varint(what.seat) + _text(what.name) + _text(what.version)
    assert type(what) is Begun
    said = [_text(name) + _text(version) for name, version in what.sitters]
    return b"".join((b"\x05", where, varint(len(said)), *said))


def decoded(data: bytes) -> list[tuple[int, int, Entry]]:
    """The entries of a blob, each after the row of its match and its index; raises DamagedBlobError."""
    try:
        return list(_entries(_Cursor(data)))
    except (IndexError, ValueError) as error:
        raise DamagedBlobError(f"{len(data)} bytes that are no entries: {error}") from error


def _move(where: bytes, move: Move) -> bytes:
    action = move.action
    parts = [
        b"\x01",
        where,
        varint(move.seat),
        varint(action << 1 if action >= 0 else ~action << 1 | 1),
        varint(move.elapsed_us),
    ]
    by, note, network_us, arena_us = move.by, move.note, move.network_us, move.arena_us
    has = _SHARES if network_us or arena_us else 0
    if by is None and not note:
        parts.append(b"\x04" if has else b"\x00")
    else:
        parts.append(varint(has | (_BY if by is not None else 0) | (_NOTE if note else 0)))
    if has:
        parts.append(varint(network_us))
        parts.append(varint(arena_us))
    if by is not None:
        parts.append(_text(by))
    if note:
        parts.append(_text(note))
    return b"".join(parts)


def _text(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return varint(len(data)) + data


class _Cursor:
    """Reads a blob from its beginning; raises IndexError where it ends too early."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def signed(self) -> int:
        value = self.number()
        return ~(value >> 1) if value & 1 else value >> 1

    def text(self) -> str:
        size = self.number()
        if self.at + size > len(self.data):
            raise IndexError(f"a text of {size} bytes goes beyond the end")
        self.at += size
        return self.data[self.at - size : self.at].decode("utf-8", "surrogatepass")


def _entries(read: _Cursor) -> Iterator[tuple[int, int, Entry]]:
    while read.at < len(read.data):
        kind = read.number()
        row = read.number()
        index = read.number()
        if kind == _MOVE:
            yield row, index, _move_in(read)
        elif kind == _REJECTED:
            yield row, index, Rejected(read.number())
        elif kind == _LOST:
            yield row, index, Lost(read.number(), End(read.text()), read.text())
        elif kind == _RETRIED:
            yield row, index, Retried(read.number(), End(read.text()), read.text())
        elif kind == _BEGUN:
            yield row, index, Begun(tuple((read.text(), read.text()) for _ in range(read.number())))
        elif kind == _SEATED:
            yield row, index, Seated(read.number(), read.text(), read.text())
        else:
            raise ValueError(f"there is no entry of kind {kind}")


def _move_in(read: _Cursor) -> Move:
    seat, action, elapsed_us, has = read.number(), read.signed(), read.number(), read.number()
    network_us, arena_us = (read.number(), read.number()) if has & _SHARES else (0, 0)
    by = read.text() if has & _BY else None
    note = read.text() if has & _NOTE else ""
    return Move(seat, action, elapsed_us, by, note, network_us, arena_us)
