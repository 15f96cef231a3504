"""Trouble with the database: told in the log once when it begins and once when it is over, and to whoever asks why."""

from __future__ import annotations

from rivalry_ladder.store import reason
from rivalry_server.logs import log


class Trouble:
    """Why the database cannot be read or written now."""

    def __init__(self) -> None:
        self.text = ""
        """Empty while all is well."""

    def begins(self, error: Exception) -> None:
        """Something could not be read or written."""
        before, self.text = self.text, reason(error)
        if not before:
            meanwhile = "no match is made and results wait until it can; see to the disk, or to who holds the database"
            log.error("database_failed", error=self.text, meanwhile=meanwhile)

    def over(self) -> None:
        """Something was written."""
        if self.text:
            log.warning("database_well", after=self.text)
        self.text = ""
