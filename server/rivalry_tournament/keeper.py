"""Keeps what was played: records first, then lines of the log, in groups that are written beside the loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rivalry_server import files
from rivalry_tournament.lines import Line
from rivalry_tournament.log import Log, sync_folder
from rivalry_tournament.made import Made, Making
from rivalry_tournament.results import RECORDS


class Keeper:
    """Whatever has come while one group was written is the next; ``on_kept`` hears of each when it is on the disk."""

    def __init__(self, folder: Path, log: Log, *, now: Callable[[], int], on_kept: Callable[[Line], None]) -> None:
        """``now`` is the time of lines, in seconds since 1970."""
        self._records = folder / RECORDS
        self._log = log
        self._now = now
        self._on_kept = on_kept
        self._waiting: list[Making] = []
        self._writing: asyncio.Task[None] | None = None

    def keep(self, making: Making) -> None:
        """Has a run of a match kept, soon."""
        self._waiting.append(making)
        if self._writing is None:
            self._writing = asyncio.get_running_loop().create_task(self._write_all())

    @property
    def busy(self) -> bool:
        """True while something is not on the disk yet.  Raises OSError if it could not be written."""
        if self._writing is not None and self._writing.done():
            self._writing.result()
        return self._writing is not None

    async def kept(self) -> None:
        """Returns when all is kept; raises OSError where it cannot be."""
        if self._writing is not None:
            await asyncio.shield(self._writing)

    def add(self, line: Line) -> None:
        """Adds a line of the tournament itself at once, when all before is kept."""
        assert self._writing is None
        line = replace(line, at=self._now())
        self._log.append(line)
        self._on_kept(line)

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            group, self._waiting = self._waiting, []
            for line in await loop.run_in_executor(None, self._write, group, self._now()):
                self._on_kept(line)
        self._writing = None

    def _write(self, group: Sequence[Making], at: int) -> list[Line]:
        made = [making() for making in group]
        for one in made:
            self._write_record(one)
        if any(one.record for one in made):
            sync_folder(self._records)
        lines: list[Line] = [replace(one.line, at=at) for one in made]
        self._log.append(*lines)
        return lines

    def _write_record(self, made: Made) -> None:
        """The record, whole or not at all, and on the disk; that it is there is when its folder is synced."""
        if not made.record:
            return
        path = self._records / f"{made.line.match}.jsonl"
        part = path.with_name(path.name + ".part")
        try:
            with files.writing(path), part.open("wb") as file:
                file.write(made.record.encode())
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
