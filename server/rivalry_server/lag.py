"""How late the loop is: what of a decision's time was the arena's own delay.

A timer that is due every few milliseconds tells how long the loop did something else.  It runs only while some clock
runs, and what it has seen is kept for a moment.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, TimerHandle
    from collections.abc import Callable, Sequence

LEAST_S: Final = 0.002
"""A timer that is less late is on time."""
GAP_S: Final = 0.02
"""What is read so soon after the loop was held up was waiting meanwhile."""
CHAIN: Final = 4
"""So many delays in a row, one soon after the other, may have held up one frame on its way through the loop."""
KEPT: Final = 64
QUIET: Final = 1_000
MOST_S: Final = 0.1
"""The longer no prompt was opened, the rarer are the samples: a QUIETth of that time apart, and at most MOST_S."""
NEVER: Final = float("inf")


class LagSampler:
    """Looks when its timer fires whether that is when it was due; shared by all seats of a loop."""

    __slots__ = (
        "__weakref__",
        "_clocks",
        "_due",
        "_every_s",
        "_late",
        "_loop",
        "_now",
        "_opened_at",
        "_timer",
        "late_until",
        "overdue_at",
    )

    def __init__(self, loop: AbstractEventLoop, now: Callable[[], float], *, every_s: float) -> None:
        self._loop = loop
        self._now = now
        self._every_s = every_s
        self._clocks = 0
        self._opened_at = 0.0
        self._due = 0.0
        self._timer: TimerHandle | None = None
        self._late: deque[tuple[float, float]] = deque(maxlen=KEPT)
        """From when a timer was due to when it fired, in order."""
        self.late_until = 0.0
        """When the last delay ended; there was none since, and none lasts before ``overdue_at``."""
        self.overdue_at = NEVER

    def hold(self, now: float) -> None:
        """A clock runs from now on."""
        self._clocks += 1
        self._opened_at = now
        timer = self._timer
        if timer is None:
            self._arm(now + self._every_s)
        elif self._due - now > self._every_s:
            timer.cancel()
            self._arm(now + self._every_s)

    def release(self) -> None:
        """It stands still."""
        self._clocks -= 1

    def saw(self, due: float, at: float) -> None:
        """Another timer that was due at ``due`` fired at ``at``."""
        if at - due >= LEAST_S:
            late = self._late
            if late and due < late[-1][1]:
                due = min(due, late.pop()[0])
            late.append((due, at))
            self.late_until = at

    def share_us(self, since: float, returned: float, until: float) -> int:
        """How much of the time from ``since`` to ``until`` was the arena's, in microseconds.

        That is what held up the writing, begun at ``since``, before it had ``returned``, and what held up the reading
        of what was read at ``until``: a delay that ended just then or lasts, and those just before it.  As long as a
        delay was, so long at most the loop is taken to have been busy after it with what had piled up.
        """
        seen = self._seen(since, until)
        if not seen:
            return 0
        held = [span for span in seen if span[0] < returned]
        edge = until
        for number, (start, end) in enumerate(reversed(seen)):
            if number == CHAIN or edge - end > GAP_S:
                break
            held.append((start, end + min(edge - end, end - start)))
            edge = start
        return _together_us(held, since, until)

    def writing_us(self, since: float, returned: float, until: float) -> int:
        """The first half of it: what held up the writing."""
        seen = self._seen(since, until)
        return _together_us([span for span in seen if span[0] < returned], since, until) if seen else 0

    def _seen(self, since: float, until: float) -> Sequence[tuple[float, float]]:
        """The delays between two moments, one that lasts included."""
        late = self._late
        overdue = until >= self.overdue_at
        if not overdue and self.late_until <= since:
            return ()
        seen = []
        for span in reversed(late):
            if span[1] <= since:
                break
            if span[0] < until:
                seen.append(span)
        seen.reverse()
        if overdue:
            seen.append((self._due, until))
        return seen

    def _arm(self, due: float) -> None:
        self._due = due
        self.overdue_at = due + LEAST_S
        self._timer = self._loop.call_at(due, self._fired)

    def _fired(self) -> None:
        self._timer = None
        self.overdue_at = NEVER
        now = self._now()
        self.saw(self._due, now)
        if self._clocks:
            self._arm(now + max(self._every_s, min(MOST_S, (now - self._opened_at) / QUIET)))


def _together_us(spans: list[tuple[float, float]], since: float, until: float) -> int:
    """How long ``spans`` are together, what they share counted once, within ``since`` and ``until``."""
    total, covered = 0.0, since
    for start, end in sorted(spans):
        end = min(end, until)
        if end > covered:
            total += end - max(start, covered)
            covered = end
    return round(total * 1_000_000)


_SAMPLERS: Final[WeakKeyDictionary[AbstractEventLoop, LagSampler]] = WeakKeyDictionary()


def sampler(loop: AbstractEventLoop, now: Callable[[], float], *, every_s: float) -> LagSampler:
    """The one sampler of ``loop``; ``every_s`` counts for the first who asks."""
    found = _SAMPLERS.get(loop)
    if found is None:
        found = _SAMPLERS[loop] = LagSampler(loop, now, every_s=every_s)
    return found
