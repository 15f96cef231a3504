"""The terminal of a person: lines are read in a thread of their own, so that the loop goes on while nobody types."""

from __future__ import annotations

import asyncio
import os
import select
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
        self._watched = self._typed and os.name == "posix"
        """True if it is seen whether a line is there to be taken."""
        self._taking = threading.Lock()
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
        """Forgets what a person typed before the question was there to be read; what was piped in is kept.

        A line that was begun is not: its end comes after the question.
        """
        if not self._typed:
            return
        with self._taking:  # lines that the thread has not come to are older than the question, too
            while self._watched and not self._over and self._may_take():
                self._take()
            self._lines.clear()

    async def line(self, asking: str) -> str | None:
        """The next line without its end, asked for by ``asking``; None when no more will come."""
        if self._reading is None:
            self._reading = threading.Thread(
                target=self._read, args=(asyncio.get_running_loop(),), name="rivalry terminal", daemon=True
            )
            self._reading.start()
        self._write(asking)
        while True:
            over = self._over  # looked at first: the last line comes before it
            if self._lines:
                break
            if over:
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
        while not self._over:
            if not self._watched:
                self._take()
            elif self._may_take(None):
                with self._taking:
                    if not self._over and self._may_take():  # nobody else has taken it
                        self._take()
            try:
                loop.call_soon_threadsafe(self._news.set)
            except RuntimeError:  # the session is over and its loop closed
                return

    def _may_take(self, wait_s: float | None = 0.0) -> bool:
        """Whether something can be read at once, or will be after ``wait_s``; None waits until it can."""
        return bool(select.select([self._input], [], [], wait_s)[0])

    def _take(self) -> None:
        """Reads a piece and takes it apart into lines."""
        try:
            piece = os.read(self._input, PIECE)
        except OSError:  # the terminal was closed
            piece = b""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        if not piece:
            lines, self._rest = [self._rest] if self._rest else [], b""
        self._lines += [line.decode(errors="replace") for line in lines]
        self._over = not piece

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
