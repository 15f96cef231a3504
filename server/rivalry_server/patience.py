"""Timers for what others are to do within a time, which they lose to no delay of the arena."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable

HELD_UP_S: Final = 0.1
"""A timer that is later than this was held up, and so was what others have sent meanwhile."""


class Patience:
    """Calls back when ``wait_s`` have passed, and later if nothing was read when they had.

    A process that was stopped, or starved by others, finds its timers due and does not yet know what has come in the
    meantime.  As long as it was held up, so long it waits again, but not longer than it would have at all.
    """

    __slots__ = ("_call", "_due", "_loop", "_timer", "_wait_s")

    def __init__(self, loop: AbstractEventLoop, wait_s: float, call: Callable[[], object]) -> None:
        self._loop = loop
        self._wait_s = wait_s
        self._call = call
        self._due = loop.time() + wait_s
        self._timer = loop.call_at(self._due, self._fired)

    def cancel(self) -> None:
        """It does not call back."""
        self._timer.cancel()

    def _fired(self) -> None:
        late_s = self._loop.time() - self._due
        if late_s < HELD_UP_S:
            self._call()
        else:
            self._timer = self._loop.call_later(min(late_s, self._wait_s), self._call)
