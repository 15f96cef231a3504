"""Work that may take long for somebody who is not known to need little: few at once, and everybody gets a turn.

An identity has a bounded number of pieces of work here, of which one runs while others wait; the last free worker is
kept for those who have none running.  Work that nobody waits for any more goes on counting for its identity until it
has ended, since nothing stops a thread.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from rivalry_engine.error import RivalryError
from rivalry_server.heavy import Step
from rivalry_server.limits import TooMuchError

T = TypeVar("T")

WORKERS: Final = 2
WAITING_MOST: Final = 8
"""So many pieces of work may wait, whoever asked for them."""
LATE_S: Final = 30.0
"""Work that takes longer is given up: its worker is replaced, and it counts for its identity as long as it lasts."""


class Trials:
    """Threads for the work of many identities, on one loop."""

    def __init__(
        self, *, workers: int = WORKERS, waiting: int = WAITING_MOST, each: int, late_s: float = LATE_S
    ) -> None:
        """``each`` is how many pieces of work one identity may have, running and waiting."""
        self._free = workers
        self._waiting_most = waiting
        self._each = each
        self._late_s = late_s
        self._waiting: list[_Piece] = []
        self._has: Counter[Hashable] = Counter()
        self._runs: Counter[Hashable] = Counter()

    async def done(self, what: str, who: Hashable, most: int, work: Callable[[], T]) -> T:
        """What ``work`` returns or raises, for ``who``, who may have ``most`` times as many as others.

        ``what`` names it in errors.  Raises TooMuchError when too much waits, RivalryError when it takes too long.
        """
        most = min(most * self._each, max(self._each, self._waiting_most - self._each))
        if self._has[who] >= most:
            raise TooMuchError(
                f"{what} was not made here before and has to be tried; of such trials {who} has {most} already, the "
                "most that one identity may have; try again when one of them has been answered"
            )
        if len(self._waiting) >= self._waiting_most:
            raise TooMuchError(
                f"{what} was not made here before and has to be tried; {self._waiting_most} trials wait already; "
                "try again in a few seconds, or ask for a game without parameters, which needs none"
            )
        piece = _Piece(who, what, work)
        self._has[who] += 1
        self._waiting.append(piece)
        self._start()
        try:
            return await piece.done  # type: ignore[no-any-return]
        finally:
            if piece in self._waiting:
                self._waiting.remove(piece)
                self._forget(self._has, who)

    def _start(self) -> None:
        """Begins what may begin: whoever has something running leaves the last worker to others."""
        while piece := next((each for each in self._waiting if self._free > bool(self._runs[each.who])), None):
            self._waiting.remove(piece)
            self._free -= 1
            self._runs[piece.who] += 1
            piece.begin(self._late_s, on_late=self._late, on_end=self._ended)

    def _late(self, piece: _Piece) -> None:
        error = RivalryError(f"{piece.what}: making it took more than {self._late_s:g} s, and was given up")
        piece.settle(None, error)
        self._free += 1
        self._start()

    def _ended(self, piece: _Piece) -> None:
        if not piece.late:
            self._free += 1
        self._forget(self._has, piece.who)
        self._forget(self._runs, piece.who)
        self._start()

    @staticmethod
    def _forget(counts: Counter[Hashable], who: Hashable) -> None:
        counts[who] -= 1
        if not counts[who]:
            del counts[who]


class _Piece:
    """One piece of work."""

    def __init__(self, who: Hashable, what: str, work: Callable[[], Any]) -> None:
        self.who = who
        self.what = what
        self.late = False
        self._work = work
        self._loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Any] = self._loop.create_future()

    def begin(self, late_s: float, *, on_late: Callable[[_Piece], None], on_end: Callable[[_Piece], None]) -> None:
        """Has it done by a thread of its own, which ends with the process."""

        def passed() -> None:
            self.late = True
            on_late(self)

        def settled(result: Any, error: Exception | None) -> None:
            timer.cancel()
            self.settle(result, error)
            on_end(self)

        timer = self._loop.call_later(late_s, passed)
        step = Step(self._loop, self._work, settled)
        threading.Thread(target=step.take, name="rivalry-trial", daemon=True).start()

    def settle(self, result: Any, error: Exception | None) -> None:
        """Tells whoever still waits."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(result)
        else:
            self.done.set_exception(error)
