"""Matches whose bots are all functions, in processes of their own: as many at once as there are processes."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Final

from rivalry_client.launch import ending_with_us
from rivalry_engine.error import RivalryError
from rivalry_tournament import seats, worker
from rivalry_tournament.line_of import owed
from rivalry_tournament.made import Hall, Made, Making
from rivalry_tournament.results import Order
from rivalry_tournament.settings import Settings

LINE_MOST: Final = 1 << 28
"""Bytes of a line that a process brings back."""
END_S: Final = 1.0


class WorkerHall(Hall):
    """Processes that are handed one order after the other."""

    def __init__(self, settings: Settings, *, concurrency: int) -> None:
        """Raises RivalryError where the settings cannot be played."""
        seats.Rules.of(settings)
        self._settings = settings
        self._idle: asyncio.Queue[Process | None] = asyncio.Queue()
        """None: a process that is started when it is needed."""
        self._processes: list[Process] = []
        for _ in range(concurrency):
            self._idle.put_nowait(None)

    async def open(self) -> None:
        for name in self._settings.names():
            seats.occupant(self._settings, name)

    async def play(self, order: Order) -> Making:
        process = await self._idle.get()
        brought = None
        try:
            if process is None:
                process = await self._started()
            text = await self._asked(process, order)
            brought = worker.made_of(text)
        except (ValueError, KeyError, TypeError, RivalryError, OSError, EOFError) as error:
            why = await self._ended(process) if process is not None else str(error)
            brought, process = Made(owed(order, why), ""), None
        finally:
            self._idle.put_nowait(process if brought is not None else None)
        made = brought
        return lambda: made

    def capacity(self, entrant: str) -> int:
        return 1 << 30

    async def close(self) -> None:
        for process in self._processes:
            await self._ended(process, at_once=True)

    async def _started(self) -> Process:
        argv = ending_with_us((sys.executable, "-m", "rivalry_tournament.worker"))
        process = await asyncio.create_subprocess_exec(
            *argv, stdin=PIPE, stdout=PIPE, stderr=None, limit=LINE_MOST, start_new_session=True
        )
        self._processes.append(process)
        assert process.stdin is not None
        process.stdin.write(json.dumps(self._settings.json()).encode() + b"\n")
        return process

    async def _asked(self, process: Process, order: Order) -> bytes:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(worker.order_text(order))
        text = await process.stdout.readline()
        if not text.endswith(b"\n"):
            raise EOFError
        return text

    async def _ended(self, process: Process, *, at_once: bool = False) -> str:
        """Ends a process; returns how it had ended, in words."""
        if not at_once:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), END_S)
        if process.returncode is None:
            process.kill()
            await process.wait()
        self._processes = [other for other in self._processes if other is not process]
        return f"the process that played it ended with status {process.returncode}"
