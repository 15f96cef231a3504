"""The other end of ``--jobs``: a process that is handed numbers and brings back matches."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

from rivalry_server import stop


class _Orders:
    """The numbers that are handed in; whoever hands them in going away while one is played stops this process."""

    def __init__(self, source: int, target: int) -> None:
        self._numbers: SimpleQueue[int | None] = SimpleQueue()
        self._target = target
        self._at_work = False
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def __iter__(self) -> Iterator[int]:
        while (number := self._numbers.get()) is not None:
            yield number

    def bring(self, match: dict[str, Any]) -> None:
        """Brings back the match that was asked for."""
        self._at_work = False
        line = memoryview((json.dumps(match) + "\n").encode())
        while line:
            line = line[os.write(self._target, line) :]

    def _read(self, source: int) -> None:
        with open(source, encoding="ascii") as lines:
            for line in lines:
                self._at_work = True
                self._numbers.put(int(line))
        self._numbers.put(None)
        if self._at_work:
            os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def orders() -> Iterator[tuple[Iterator[int], Callable[[dict[str, Any]], None]]]:
    """The numbers to play, and what brings a match back.

    Both have descriptors of their own: what bots read is empty, and what they print goes to stderr.  Stopped by a
    signal, or alone in the world, the process ends its match and then exits without a word: who started it speaks.
    """
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        with stop.orderly():
            given = _Orders(source, target)
            yield iter(given), given.bring
    except KeyboardInterrupt as stopped:
        sys.exit(stop.status(stopped))
    except BrokenPipeError:
        sys.exit(1)
