"""The terminal of a person: lines are read in a thread of their own, so that the loop goes on while nobody types."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from typing import Final
from weakref import WeakKeyDictionary

from rivalry_client.bot import GivenUpError
from rivalry_client.words import line as cleaned

PIECE: Final = 4_096
"""Bytes that are read at once."""
STDIN: Final = 0
STDOUT: Final = 1


class Terminal:
    """Where a person reads and types: the terminal at ``path``, or stdin and stdout, which may be pipes.

    Reading is by the descriptor: a thread that waits in a buffer of Python's would hold up the end of the process.
    """

    def __init__(self, path: str = "") -> None:
        both = os.open(path, os.O_RDWR | os.O_NOCTTY) if path else None
        self._input = STDIN if both is None else both
        self._output = STDOUT if both is None else both
        self._typed = os.isatty(self._input)
        self.turn = asyncio.Lock()
        """Held while the person is asked."""
        self._lines: deque[str] = deque()
        self._rest = b""
        self._over = False
        self._news = asyncio.Event()
        self._reading: threading.Thread | None = None

    def say(self, text: str) -> None:
        """Writes lines; what no terminal should be sent, such as what moves its cursor, is left out."""
        self._write("\n".join(map(cleaned, text.split("\n"))) + "\n")

    def forget(self) -> None:
        """Forgets what a person typed before the question was there to be read; what was piped in is kept."""
        if self._typed:
            self._lines.clear()

    async def line(self, asking: str) -> str | None:
        """The next line without its end, asked for by ``asking``; None when no more will come."""
        if self._reading is None:
            self._reading = threading.Thread(
                target=self._read, args=(asyncio.get_running_loop(),), name="rivalry terminal", daemon=True
            )
            self._reading.start()
        self._write(asking)
        while not self._lines:
            if self._over:
                self._write("\n")
                return None
            self._news.clear()
            await self._news.wait()
        line = self._lines.popleft()
        if not self._typed:  # what is typed is shown by the terminal itself
            self._write(f"{cleaned(line)}\n")
        return line

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Passes on what is read until it ends, in a thread."""
        while True:
            try:
                piece = os.read(self._input, PIECE)
            except OSError:  # the terminal was closed
                piece = b""
            try:
                loop.call_soon_threadsafe(self._heard, piece)
            except RuntimeError:  # the session is over and its loop closed
                return
            if not piece:
                return

    def _heard(self, piece: bytes) -> None:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        if not piece:
            self._over = True
            lines, self._rest = [self._rest] if self._rest else [], b""
        self._lines += [line.decode(errors="replace") for line in lines]
        self._news.set()

    def _write(self, text: str) -> None:
        rest = text.encode(errors="replace")
        try:
            while rest:
                rest = rest[os.write(self._output, rest) :]
        except OSError as error:
            raise GivenUpError(f"the terminal of the person is gone: {error.strerror}") from None


_SHARED: Final[WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Terminal]]] = WeakKeyDictionary()


def shared(path: str) -> Terminal:
    """The terminal at ``path``, one for all matches of a session."""
    terminals = _SHARED.setdefault(asyncio.get_running_loop(), {})
    if path not in terminals:
        terminals[path] = Terminal(path)
    return terminals[path]
