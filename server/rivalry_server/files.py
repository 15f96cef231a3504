"""Files that somebody named: read within bounds, made whole or not at all, and what goes wrong says which file it was.

Opening a file says its name when it fails; reading, writing and closing it do not.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

TEXT_MOST: Final = 64 << 20
"""Bytes of a position, a map or settings."""
RECORD_MOST: Final = 128 << 20
SCHEDULE_MOST: Final = 1 << 30
"""A tournament of a million matches has some hundred MiB."""
CHUNK: Final = 1 << 20
FULL: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""What was named may well be right, and there is no room for it."""
REMEDIES: Final = {
    errno.ENOENT: "give one that is there",
    errno.EISDIR: "give a file",
    errno.ENOTDIR: "give one that is there",
    errno.EACCES: "give another, or take the right to it",
    errno.EPERM: "give another, or take the right to it",
    errno.EROFS: "give a place that can be written",
    errno.EIO: "see to the disk, or give another file",
    errno.ENOSPC: "make room",
    errno.EDQUOT: "make room",
    errno.EFBIG: "allow longer files (ulimit -f)",
}


class TooLargeError(OSError):
    """A file that has more than is read of its kind, or never ends."""

    def __init__(self, path: str, most: int) -> None:
        super().__init__(errno.EOVERFLOW, f"more than {most >> 20} MiB, which is the most that is read", path)


class UnwrittenError(OSError):
    """What was to be written is not."""


def content(path: Path, *, most: int = TEXT_MOST) -> bytes:
    """The bytes of a file, a device or a pipe; raises TooLargeError beyond ``most``, and OSError, which names it."""
    with reading(path), path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > most:
            raise TooLargeError(str(path), most)
        return bounded(file, str(path), most=most)


def bounded(file: BinaryIO, name: str, *, most: int) -> bytes:
    """What an open file has, to its end; raises TooLargeError beyond ``most`` bytes."""
    chunks: list[bytes] = []
    left = most
    while True:
        chunk = file.read(CHUNK)
        chunks.append(chunk)
        left -= len(chunk)
        if left < 0:
            raise TooLargeError(name, most)
        if len(chunk) < CHUNK:
            return b"".join(chunks)


def made(path: Path, data: bytes) -> None:
    """Writes a new file, of which nothing is left where it cannot be; raises FileExistsError, and OSError."""
    with path.open("xb") as file:
        try:
            with writing(path):
                file.write(data)
                file.flush()
        except BaseException:
            _removed(path)
            with suppress(OSError):  # it has bytes that it could not write, and tries once more
                file.close()
            raise


def replaced(path: Path, data: bytes) -> None:
    """Writes a file that takes the place of one that is there, whole or not at all; raises OSError, which names it."""
    part = path.with_name(path.name + ".part")
    try:
        with writing(path):
            part.write_bytes(data)
            part.replace(path)
    except BaseException:
        _removed(part)
        raise


@contextmanager
def reading(path: Path | str) -> Iterator[None]:
    """An OSError within it names ``path``."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


@contextmanager
def writing(path: Path | str) -> Iterator[None]:
    """An OSError within it names ``path``; one that opening did not raise is an UnwrittenError."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        happened = os.strerror(error.errno) if error.errno else str(error)  # some libraries tell more than a line
        raise UnwrittenError(error.errno, happened, str(path)) from error


def told(error: OSError) -> str:
    """A fault of a file that is named, in one line: which file, what happened and what to do."""
    return f"{error.filename}: {why(error)}"


def why(error: OSError) -> str:
    """What happened, and what to do, where the file is named beside it."""
    remedy = REMEDIES.get(error.errno or 0)
    return f"{error.strerror or error}{f'; {remedy}' if remedy else ''}"


def _removed(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
