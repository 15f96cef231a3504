"""What bots in this process print: on stderr, each line with its seat, as it is with bots that are programs.

Stdout belongs to the program that hosts them.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import TracebackType
from typing import Final

from rivalry_client.bot import GivenUpError
from rivalry_server.repeats import Repeats
from rivalry_server.words import cleaned

SEAT: Final = re.compile(r"^seat \d+ ")
OURS: Final = ("rivalry_client.", "rivalry_server.", "rivalry_engine.", "importlib.")


class Aside(io.TextIOBase):
    """Takes the place of stdout: writes whole lines to stderr, with the prefix of whoever speaks."""

    def __init__(self) -> None:
        self._rest = ""
        self._prefix = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._prefix != _Speaker.prefix:
            self.finish()
            self._prefix = _Speaker.prefix
        *lines, self._rest = (self._rest + text).split("\n")
        if lines:
            sys.stderr.write("".join(f"{self._prefix}{line}\n" for line in lines))
            sys.stderr.flush()
        return len(text)

    def finish(self) -> None:
        """Ends a line that was begun."""
        if self._rest:
            sys.stderr.write(f"{self._prefix}{self._rest}\n")
            sys.stderr.flush()
        self._rest = ""


class _Speaker:
    """Whose hook runs now; bots in one process run one at a time."""

    prefix = ""
    repeats: Repeats | None = None
    """The tracebacks that were shown, while ``set_aside`` lasts."""


def speaks(prefix: str) -> None:
    """From now on what is printed is said by ``prefix``, such as ``seat 0 greedy| ``."""
    _Speaker.prefix = prefix


@contextmanager
def set_aside() -> Iterator[None]:
    """While it lasts, what is printed on stdout goes to stderr, told apart by who speaks."""
    aside = Aside()
    speaks("")
    before = _Speaker.repeats
    _Speaker.repeats = before or Repeats()
    try:
        with redirect_stdout(aside):
            yield
    finally:
        aside.finish()
        speaks("")
        _Speaker.repeats = before


def show(prefix: str, text: str) -> None:
    """Writes a line about a bot in this process to stderr."""
    if isinstance(sys.stdout, Aside):
        sys.stdout.finish()
    sys.stderr.write(f"{prefix}{cleaned(text)}\n")
    sys.stderr.flush()


def show_failure(prefix: str, error: BaseException) -> None:
    """Writes the traceback of what a bot raised to stderr, from the bot's own frames on, each line with ``prefix``.

    While ``set_aside`` lasts, one that came before is not shown in full again.
    """
    import traceback

    if isinstance(sys.stdout, Aside):
        sys.stdout.finish()
    if isinstance(error, GivenUpError):
        lines = str(error).rstrip("\n").split("\n")
    else:
        whole = traceback.format_exception(type(error), error, _theirs(error.__traceback__))
        lines = "".join(whole).rstrip("\n").split("\n")
        if _Speaker.repeats is not None:
            lines = _Speaker.repeats.shown(SEAT.sub("", prefix), lines)
    sys.stderr.write("".join(f"{prefix}{cleaned(line)}\n" for line in lines))
    sys.stderr.flush()


def _theirs(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and str(trace.tb_frame.f_globals.get("__name__")).startswith(OURS):
        trace = trace.tb_next
    return trace
