"""What a program writes: shown line by line within bounds, and always read, so that no program waits for its reader."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

LINE_BYTES: Final = 4_096
"""A longer line is shown as several."""
SECOND_BYTES: Final = 64 << 10
TOTAL_BYTES: Final = 4 << 20
LINE_COST: Final = 64
"""Bytes that each line counts besides its own."""
READ_BYTES: Final = 1 << 16
PAUSE_S: Final = 0.001
"""Between two reads of what is left out: the loop has better things to do."""
_SHOWN: Final = dict.fromkeys((*range(9), *range(10, 32), *range(127, 160)))


class Output:
    """Shows lines: so much a second and so much in all; the rest is counted and left out."""

    def __init__(self, show: Callable[[str], None], *, now: Callable[[], float]) -> None:
        self._show: Callable[[str], None] | None = show
        self._now = now
        self._second = now()
        self._second_left = SECOND_BYTES
        self._total_left = TOTAL_BYTES
        self._rest = b""
        self._left_out = 0
        self._resuming = False
        """True when what comes next is the end of a line that was left out."""

    async def drain(self, stream: asyncio.StreamReader) -> None:
        """Reads all there is, whatever becomes of showing it."""
        try:
            while chunk := await stream.read(READ_BYTES):
                if not self.wrote(chunk):
                    await asyncio.sleep(PAUSE_S)
        finally:
            self.ended()

    def wrote(self, data: bytes) -> bool:
        """Shows ``data`` as far as it goes; False if some of it was left out."""
        if self._now() - self._second >= 1.0 and self._total_left > 0:
            self._second = self._now()
            self._second_left = min(SECOND_BYTES, self._total_left)
        if self._second_left <= 0:
            return self._leave_out(data)
        start = 0
        if self._resuming:
            start = data.find(b"\n") + 1
            if not start:
                return self._leave_out(data)
            self._left_out += start
            self._resuming = False
        self._note()
        data, start = self._rest + data[start:], 0
        self._rest = b""
        while start < len(data):
            end = data.find(b"\n", start, start + LINE_BYTES)
            if end < 0 and len(data) - start < LINE_BYTES:
                self._rest = data[start:]
                return True
            if self._second_left <= 0:
                return self._leave_out(data[start:])
            line, start = (
                (data[start:end], end + 1) if end >= 0 else (data[start : start + LINE_BYTES], start + LINE_BYTES)
            )
            self._line(line)
        return True

    def ended(self) -> None:
        """Nothing more is written."""
        rest, self._rest = self._rest, b""
        if rest:
            self._line(rest)
        self._note()

    def _leave_out(self, data: bytes) -> bool:
        self._left_out += len(self._rest) + len(data)
        self._rest = b""
        self._resuming = not data.endswith(b"\n")
        return False

    def _note(self) -> None:
        if self._left_out:
            self._line(f"… {self._left_out} bytes left out".encode())
            self._left_out = 0

    def _line(self, line: bytes) -> None:
        cost = len(line) + LINE_COST
        self._second_left -= cost
        self._total_left -= cost
        if self._show is None:
            return
        try:
            self._show(line.decode(errors="replace").translate(_SHOWN).rstrip())
        except (OSError, ValueError):  # where it is shown was closed
            self._show = None
