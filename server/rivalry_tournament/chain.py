"""What holds the lines of a log together: none can be changed, left out or moved without being noticed.

Every line carries ``chain``, as those of records do: the SHA-256, in hex, over the 32 bytes of the chain before (the
head: the digest of the schedule) followed by the line without it.
"""

from __future__ import annotations

import hashlib

from rivalry_engine import record
from rivalry_engine.error import RecordError
from rivalry_tournament import lines
from rivalry_tournament.lines import Line, LineError


class Chain:
    """Writes and reads lines one after the other."""

    def __init__(self, schedule: str) -> None:
        """``schedule`` is the SHA-256 of the schedule's file, in hex."""
        self._before = bytes.fromhex(schedule)

    def written(self, line: Line) -> bytes:
        """The next line as it stands in the log, with its end."""
        value = lines.value(line)
        self._before = hashlib.sha256(self._before + record.canonical(value)).digest()
        return record.canonical({**value, "chain": self._before.hex()}) + b"\n"

    def read(self, text: bytes) -> Line:
        """The next line, of its bytes without the end; raises LineError."""
        value = lines.parsed(text)
        if not isinstance(value.pop("chain", None), str):
            raise LineError("it has no chain")
        try:
            line = lines.of(value)
            held = self.written(line) == text + b"\n"
        except (RecordError, UnicodeEncodeError, RecursionError) as error:
            raise LineError(str(error)) from error
        if not held:
            raise LineError("its chain does not hold: this line or one before it was changed")
        return line
