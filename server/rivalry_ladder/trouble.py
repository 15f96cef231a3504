"""Trouble with the database: told in the log once when it begins and once when it is over, and to whoever asks why."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from rivalry_ladder.store import reason
from rivalry_server.logs import log

QUIET_S: Final = 5.0
"""It is over when nothing failed for so long: a disk that is nearly full takes this and not that."""


class Trouble:
    """Why the database cannot be read or written now."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failed = 0.0
        self.text = ""
        """Empty while all is well."""

    def begins(self, error: Exception) -> None:
        """Something could not be read or written."""
        before, self.text = self.text, reason(error)
        self._failed = self._clock()
        if not before:
            meanwhile = "no match is made and results wait until it can; see to the disk, or to who holds the database"
            log.error("database_failed", error=self.text, meanwhile=meanwhile)

    def less(self) -> None:
        """Something was written."""
        if self.text and self._clock() - self._failed >= QUIET_S:
            log.warning("database_well", after=self.text)
            self.text = ""
