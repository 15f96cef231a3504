"""The end of a pipe that is read here."""

from __future__ import annotations

import asyncio
import os
from typing import Final

CHUNK_BYTES: Final = 1 << 16
HELD_CHUNKS: Final = 16
"""A pipe holds one chunk, where nobody has made it longer; the longest that anybody may make holds so many."""


class Pipe(asyncio.ReadTransport):
    """What a program writes, for a ``StreamReader``; the descriptor is closed once, by whoever has this object.

    Not by ``connect_read_pipe``: uvloop's closes the number of a file twice, and in between it may have become that of
    another thread's file (uvloop issue 763).
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, descriptor: int, reader: asyncio.StreamReader) -> None:
        super().__init__()
        self._loop = loop
        self._descriptor = descriptor
        self._stream = reader
        self._closed = False
        self._ended = False
        os.set_blocking(descriptor, False)
        reader.set_transport(self)
        self.resume_reading()

    def pause_reading(self) -> None:
        """The reader has enough for now."""
        self._loop.remove_reader(self._descriptor)

    def resume_reading(self) -> None:
        """The reader wants more."""
        if not self._ended:
            self._loop.add_reader(self._descriptor, self._ready)

    def is_closing(self) -> bool:
        return self._closed

    def finish(self) -> None:
        """Takes what has been written, as much as a pipe holds, and reads no more."""
        for _ in range(HELD_CHUNKS):
            if self._ended or not self._read():
                break
        self._end()

    def close(self) -> None:
        """Reads no more.  May be called again."""
        if not self._closed:
            self._closed = True
            self._end()
            os.close(self._descriptor)

    def _ready(self) -> None:
        self._read()

    def _read(self) -> bool:
        """Reads once; False if nothing was there."""
        try:
            data = os.read(self._descriptor, CHUNK_BYTES)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:  # it cannot be read any more
            data = b""
        if data:
            self._stream.feed_data(data)
        else:
            self._end()
        return bool(data)

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._loop.remove_reader(self._descriptor)
            self._stream.feed_eof()
