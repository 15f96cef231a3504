"""Time limits: their text and message forms, the clock that is read, and one alarm a seat."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rivalry_engine.error import RivalryError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, TimerHandle

    from rivalry.arena.v1 import time_pb2

FIRST_PROMPT_US: Final = 60_000_000
LEAST_US: Final = 1_000
MOST_US: Final = 24 * 3_600_000_000
_UNITS: Final = {"ms": 1_000, "s": 1_000_000, "m": 60_000_000}
_EXPECTED: Final = "expected a whole number with ms, s or m, such as 500ms, 2s or 1m, or untimed"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a seat may think, in microseconds; None is no limit."""

    prompt_us: int | None = 30_000_000
    first_prompt_us: int | None = FIRST_PROMPT_US

    def limit_us(self, number: int) -> int | None:
        """The limit of a seat's prompt ``number``, counted from 1."""
        return self.first_prompt_us if number == 1 else self.prompt_us

    def text(self) -> str:
        """The text form: the limit of a prompt."""
        if self.prompt_us is None:
            return "untimed"
        unit = next(unit for unit in ("m", "s", "ms") if self.prompt_us % _UNITS[unit] == 0)
        return f"{self.prompt_us // _UNITS[unit]}{unit}"

    def message(self) -> time_pb2.TimeControl:
        """The same as a message."""
        from rivalry.arena.v1 import time_pb2

        return time_pb2.TimeControl(prompt_us=self.prompt_us, first_prompt_us=self.first_prompt_us)

    @staticmethod
    def parsed(text: str) -> TimeControl:
        """From the text form; the first prompt has the longer of 60 s and that.  Raises RivalryError."""
        if text == "untimed":
            return TimeControl(None, None)
        found = re.fullmatch(r"([0-9]{1,9})(ms|s|m)", text)
        if found is None:
            raise RivalryError(f"time {text!r}: {_EXPECTED}")
        prompt_us = _checked(int(found[1]) * _UNITS[found[2]], text)
        return TimeControl(prompt_us, max(prompt_us, FIRST_PROMPT_US))

    @staticmethod
    def of(message: time_pb2.TimeControl) -> TimeControl:
        """From a message; raises RivalryError on a time that is out of bounds or no whole number of milliseconds."""
        if not message.HasField("prompt_us"):
            return TimeControl(None, None)
        prompt_us = _checked(message.prompt_us, f"{message.prompt_us} µs")
        first_us = message.first_prompt_us if message.HasField("first_prompt_us") else prompt_us
        return TimeControl(prompt_us, _checked(max(first_us, prompt_us), f"{first_us} µs"))


def _checked(time_us: int, given: str) -> int:
    if not LEAST_US <= time_us <= MOST_US or time_us % LEAST_US:
        raise RivalryError(f"time {given!r} is not from 1ms to 24h in whole milliseconds: {_EXPECTED}")
    return time_us


def reading(loop: AbstractEventLoop) -> Callable[[], float]:
    """The clock of ``loop``, in seconds.

    uvloop's ``time`` is the millisecond in which the turn began, too coarse to measure a decision; both loops count
    from the same origin as the monotonic clock, which is read instead.  A loop with a clock of its own keeps it.
    """
    if type(loop).__module__.partition(".")[0] == "uvloop":
        from time import monotonic

        return monotonic
    return loop.time


class Alarm:
    """Calls back when a moment has passed; set and cleared at nearly no cost.

    The loop's timer stays armed when the alarm is cleared or put off; it looks when it fires whether it is due and
    else sleeps on.  A seat that decides a thousand times in its time limit so costs one timer, not a thousand.
    """

    __slots__ = ("_armed_for", "_call", "_loop", "_now", "_timer", "due")

    def __init__(self, loop: AbstractEventLoop, now: Callable[[], float], call: Callable[[], None]) -> None:
        self._loop = loop
        self._now = now
        self._call = call
        self._timer: TimerHandle | None = None
        self._armed_for = 0.0
        self.due: float | None = None

    def set(self, due: float) -> None:
        """Calls back at ``due`` unless set anew or cleared before."""
        self.due = due
        if self._timer is None:
            self._arm(due)
        elif due < self._armed_for:
            self._timer.cancel()
            self._arm(due)

    def clear(self) -> None:
        """Calls back no more, until set again."""
        self.due = None

    def close(self) -> None:
        """Lets go of the loop's timer."""
        self.due = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self, due: float) -> None:
        self._armed_for = due
        self._timer = self._loop.call_at(due, self._fired)

    def _fired(self) -> None:
        self._timer = None
        if self.due is None:
            return
        now = self._now()
        if now < self.due:
            self._arm(max(self.due, now + 0.001))
            return
        self.due = None
        self._call()
