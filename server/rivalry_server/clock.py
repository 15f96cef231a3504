"""Time controls, the clock that is read, and an alarm that is cheap to set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.error import RivalryError
from rivalry_server import time_text
from rivalry_server.time_text import LEAST_US, MOST_US, USUAL_FIRST_US, USUAL_MARGIN_US, USUAL_WATCHDOG_US

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop, TimerHandle

    from rivalry.arena.v1 import time_pb2

STRIKES_MOST: Final = 10_000
_NEVER: Final = float("inf")
_OPTIONAL: Final = ("prompt_us", "first_prompt_us", "soft_us", "bank_us", "margin_us", "watchdog_us")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a seat may think, in microseconds; raises RivalryError where its parts do not go together.

    A prompt has ``prompt_us`` of its own (None: no limit), the first one ``first_prompt_us`` if that is more; beyond it
    the seat's bank is drawn.  With a soft limit, ``strikes`` answers may be later than ``soft_us``, and then it is the
    limit.  The flag falls ``margin_us`` after the time that was told.
    """

    prompt_us: int | None = 30_000_000
    first_prompt_us: int | None = None
    """Where not given the usual; never less than ``prompt_us``."""
    soft_us: int | None = None
    strikes: int = 0
    bank_us: int | None = None
    increment_us: int = 0
    margin_us: int = USUAL_MARGIN_US
    watchdog_us: int = USUAL_WATCHDOG_US
    """Where there is no limit: how long a prompt may stay without a legal answer, whatever signs of life there are."""

    def __post_init__(self) -> None:
        self._check_times()
        self._check_together()
        if self.prompt_us is not None:
            first_us = self.usual_first_us if self.first_prompt_us is None else self.first_prompt_us
            object.__setattr__(self, "first_prompt_us", max(first_us or 0, self.prompt_us))

    def _check_times(self) -> None:
        may_be_nothing = ("prompt_us", "first_prompt_us", "bank_us", "increment_us", "margin_us")
        for name in (*_OPTIONAL, "increment_us"):
            value = getattr(self, name)
            least_us = 0 if name in may_be_nothing else LEAST_US
            if value is not None and (not least_us <= value <= MOST_US or value % LEAST_US):
                raise RivalryError(f"{name} is {value}; expected {least_us} to {MOST_US} (24 h) in whole milliseconds")

    def _check_together(self) -> None:
        if self.prompt_us is None:
            for name, value in (("first", self.first_prompt_us), ("soft", self.soft_us), ("bank", self.bank_us)):
                if value is not None:
                    raise RivalryError(f"{name} time without a limit for a prompt: expected a limit, or nothing of it")
        elif self.watchdog_us != USUAL_WATCHDOG_US:
            raise RivalryError("a watchdog's time beside a limit: expected it for an untimed match alone")
        if self.prompt_us == 0 and not self.bank_us:
            raise RivalryError("no time for a prompt and none in the bank: expected one of them")
        if self.soft_us is not None:
            if self.soft_us >= (self.prompt_us or 0):
                limit = time_text.time_text(self.prompt_us or 0)
                raise RivalryError(f"soft time {time_text.time_text(self.soft_us)}: expected less than {limit}")
            if not 1 <= self.strikes <= STRIKES_MOST:
                raise RivalryError(f"soft time with {self.strikes} strikes: expected 1 to {STRIKES_MOST}")
        elif self.strikes:
            raise RivalryError(f"{self.strikes} strikes and no soft time: expected the time after which one is taken")
        if self.increment_us and self.bank_us is None:
            raise RivalryError("an increment and no bank: expected the bank that it is added to")

    @property
    def usual_first_us(self) -> int | None:
        """The first prompt's time where none is given: a minute at least, and nothing where there is but a bank."""
        return max(self.prompt_us, USUAL_FIRST_US) if self.prompt_us else self.prompt_us

    def free_us(self, number: int) -> int | None:
        """The time of a seat's prompt ``number``, counted from 1, before its bank is drawn."""
        return self.first_prompt_us if number == 1 else self.prompt_us

    def text(self) -> str:
        """The one text form that is read as this."""
        written = time_text.time_text
        words = []
        plain = {"bank": self.bank_us, "increment": self.increment_us or None}
        if self.prompt_us is None:
            words.append("untimed")
        elif self.prompt_us:
            words.append(written(self.prompt_us))
        else:
            assert self.bank_us is not None
            base = written(self.bank_us)
            words.append(f"{base}+{written(self.increment_us)}" if self.increment_us else f"total={base}")
            plain = {}
        if self.soft_us is not None:
            words += [f"soft={written(self.soft_us)}", f"strikes={self.strikes}"]
        words += [f"{key}={written(value)}" for key, value in plain.items() if value is not None]
        if self.first_prompt_us != self.usual_first_us:
            words.append(f"first={written(self.first_prompt_us or 0)}")
        if self.margin_us != USUAL_MARGIN_US:
            words.append(f"margin={written(self.margin_us)}")
        if self.watchdog_us != USUAL_WATCHDOG_US:
            words.append(f"watchdog={written(self.watchdog_us)}")
        return ",".join(words)

    def message(self) -> time_pb2.TimeControl:
        """The same as a message."""
        from rivalry.arena.v1 import time_pb2

        return time_pb2.TimeControl(
            prompt_us=self.prompt_us,
            first_prompt_us=self.first_prompt_us,
            soft_us=self.soft_us,
            strikes=self.strikes,
            bank_us=self.bank_us,
            increment_us=self.increment_us,
            margin_us=self.margin_us,
            watchdog_us=self.watchdog_us if self.prompt_us is None else None,
        )

    @staticmethod
    def parsed(text: str) -> TimeControl:
        """From the text form; raises RivalryError that says what came and what was expected."""
        try:
            return TimeControl(**time_text.fields(text))  # type: ignore[arg-type]
        except RivalryError as error:
            raise RivalryError(f"time {text!r}: {error}") from error

    @staticmethod
    def of(message: time_pb2.TimeControl) -> TimeControl:
        """From a message; raises RivalryError on times out of bounds and on parts that do not go together."""
        given = {name: getattr(message, name) if message.HasField(name) else None for name in _OPTIONAL}
        if given["first_prompt_us"] is None:
            given["first_prompt_us"] = given["prompt_us"]
        fields: dict[str, Any] = {name: given[name] for name in given if given[name] is not None or name == "prompt_us"}
        try:
            return TimeControl(**fields, strikes=message.strikes, increment_us=message.increment_us)
        except RivalryError as error:
            raise RivalryError(f"time control: {error}") from error


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
        self._armed_for = _NEVER
        """When the timer fires."""
        self.due: float | None = None
        """When it calls back; set to None it does not."""

    def set(self, due: float) -> None:
        """Calls back at ``due`` unless set anew or cleared before."""
        self.due = due
        if due < self._armed_for:
            if self._timer is not None:
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
            self._armed_for = _NEVER

    def _arm(self, due: float) -> None:
        self._armed_for = due
        self._timer = self._loop.call_at(due, self._fired)

    def _fired(self) -> None:
        self._timer = None
        self._armed_for = _NEVER
        if self.due is None:
            return
        now = self._now()
        if now < self.due:
            self._arm(max(self.due, now + 0.001))
            return
        self.due = None
        self._call()
