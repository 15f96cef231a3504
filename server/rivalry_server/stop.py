"""Being stopped: what Ctrl-C and SIGTERM do, from the first moment of the program to its last.

Until something runs that has to be ended, the program says a line and is gone; ``orderly`` has a signal raise Stopped,
and ``held`` puts it off.  This module imports next to nothing, so that it is there before everything else.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
Handler = Callable[[int, "FrameType | None"], object]


class Stopped(KeyboardInterrupt):
    """Ctrl-C or SIGTERM came: an orderly end is asked for."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__(number)
        self.status = 128 + number
        """The exit status: 130 or 143."""


def text(stopped: KeyboardInterrupt) -> str:
    """What happened, as a person reads it."""
    return "stopped by " + ("SIGTERM" if status(stopped) == 128 + signal.SIGTERM else "Ctrl-C")


def status(stopped: KeyboardInterrupt) -> int:
    """The exit status that tells of it."""
    return stopped.status if isinstance(stopped, Stopped) else 130


class Held:
    """A signal that waits until the work at hand is done."""

    def __init__(self) -> None:
        self.number = 0
        self._tell: Callable[[], object] | None = None

    def then(self, tell: Callable[[], object]) -> None:
        """Calls ``tell`` when a signal comes, or now if one has come."""
        self._tell = tell
        if self.number:
            tell()

    def came(self, number: int, frame: FrameType | None) -> None:
        """Keeps the first signal; others change nothing."""
        if not self.number:
            self.number = number
            if self._tell is not None:
                self._tell()


def at_once() -> None:
    """From now on a signal ends the program with a line."""
    _take(_leave)


@contextmanager
def orderly() -> Iterator[None]:
    """While it lasts, a signal raises Stopped in the main thread."""
    with _taken(_raise):
        yield


@contextmanager
def held() -> Iterator[Held]:
    """While it lasts, a signal waits; at the end it raises Stopped."""
    waiting = Held()
    try:
        with _taken(waiting.came):
            yield waiting
    finally:
        if waiting.number:
            raise Stopped(waiting.number)


@contextmanager
def usual() -> Iterator[None]:
    """While it lasts, signals do what they do in any Python program."""
    with _taken(signal.default_int_handler, signal.SIG_DFL):
        yield


def _leave(number: int, frame: FrameType | None) -> None:
    stopped = Stopped(number)
    try:
        os.write(2, f"rivalry: {text(stopped)}\n".encode())
    finally:
        os._exit(stopped.status)


def _raise(number: int, frame: FrameType | None) -> None:
    raise Stopped(number)


def _take(interrupt: Handler, terminate: Handler | signal.Handlers | None = None) -> None:
    """Has ``interrupt`` follow SIGINT, unless it is ignored as in a shell's background, and ``terminate`` SIGTERM."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGTERM, interrupt if terminate is None else terminate)


@contextmanager
def _taken(interrupt: Handler, terminate: Handler | signal.Handlers | None = None) -> Iterator[None]:
    """``_take`` for a while; outside the main thread signals are not ours."""
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = [(number, signal.getsignal(number)) for number in SIGNALS]
    _take(interrupt, terminate)
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
