"""Ends of a command other than success and bad input."""

from __future__ import annotations

from rivalry_server import stop


class FailedError(Exception):
    """The command did what it was asked and it failed: exit status 1, or that of a signal.  The message is one line."""

    def __init__(self, text: str, *, status: int = 1) -> None:
        super().__init__(text)
        self.status = status


class StoppedError(FailedError):
    """Ctrl-C or SIGTERM; the message says what was kept and how to go on."""

    def __init__(self, stopped: KeyboardInterrupt, text: str) -> None:
        super().__init__(f"{stop.text(stopped)} {text}", status=stop.status(stopped))
