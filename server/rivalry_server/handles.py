"""The handles by which one bot knows its matches: counted from 1, and never used again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

LOST: Final = 1 << 16
"""More than may have been given in the second that a power cut takes from the journal."""


class Handles:
    """Those of one session.

    A match whose actions may have been lost goes on under a new handle.  The one before is remembered until the bot is
    known to have the new one: until then it may have heard of none but that.
    """

    def __init__(self, last: int = 0, former: Mapping[int, int] | None = None) -> None:
        self.last = last
        """The last that was given."""
        self.former = dict(former or {})
        """Those that were replaced, oldest first, each with the one in its place."""
        self._told: Collection[int] = ()

    def next(self) -> int:
        """A new one."""
        self.last += 1
        return self.last

    def replaced(self, handle: int) -> int:
        """A new one in place of ``handle``."""
        new = self.next()
        for former, now in self.former.items():
            if now == handle:
                self.former[former] = new
        self.former[handle] = new
        return new

    def now(self, handle: int) -> int:
        """The one in place of ``handle``, or itself."""
        return self.former.get(handle, handle)

    def told(self, handles: Collection[int]) -> None:
        """A bot that is back has told what it has of these matches."""
        self._told = handles
        for handle in handles:
            self.known(handle)

    def claimed(self, handle: int) -> int:
        """The former one of a match by which the bot has told that it knows it; 0 if it has told of none."""
        return next((former for former, now in self.former.items() if now == handle and former in self._told), 0)

    def replaces(self, handle: int) -> int:
        """The same; where the bot has told of none, the newest; 0 if the bot is known to have ``handle``."""
        newest = next((former for former, now in reversed(self.former.items()) if now == handle), 0)
        return self.claimed(handle) or newest

    def known(self, handle: int) -> bool:
        """The bot has ``handle``, so that those before it are forgotten; False if there are none."""
        before = [former for former, now in self.former.items() if now == handle]
        for former in before:
            del self.former[former]
        return bool(before)
