"""An event loop whose clock jumps: when nothing is ready, it is the time of the next timer at once."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
LIMIT_S = 86_400.0


class VirtualLoop(asyncio.SelectorEventLoop):
    """Waits for nothing.  Raises DeadlockError where a real loop would wait for ever."""

    def __init__(self) -> None:
        self._virtual_time = 1_000.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self._virtual_time

    def jump(self, seconds: float) -> None:
        """Lets time pass."""
        self._virtual_time += seconds
        if self._virtual_time > LIMIT_S:
            raise DeadlockError("a day has passed: what the test waits for will not happen")


class LeapingLoop(asyncio.SelectorEventLoop):
    """The real clock, which a test puts forward when what it waits for in threads and processes has come so far."""

    def __init__(self) -> None:
        self._ahead_s = 0.0
        super().__init__()

    def time(self) -> float:
        return super().time() + self._ahead_s

    def leap(self, seconds: float) -> None:
        """Timers of the next ``seconds`` are due at once."""
        self._ahead_s += seconds


class DeadlockError(Exception):
    """Nothing is ready and no timer is set: nothing will ever happen."""


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        ready: list[Any] = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise DeadlockError("nothing is ready and no timer is set")
        self._loop.jump(timeout)
        return []


def run(work: Coroutine[Any, Any, T]) -> T:
    """Runs ``work`` in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


def run_leaping(work: Coroutine[Any, Any, T]) -> T:
    """Runs ``work`` in real time, in which ``leap`` may be called."""
    with asyncio.Runner(loop_factory=LeapingLoop) as runner:
        return runner.run(work)


def leap(seconds: float) -> None:
    """Puts the clock of the loop that runs forward."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, LeapingLoop)
    loop.leap(seconds)
