"""Bots that are programs: started for one seat, followed, and ended with everything they started themselves."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rivalry_engine.error import RivalryError
from rivalry_server.launch import ending_with_us
from rivalry_server.output import Output

LEAVE_S: Final = 0.7
"""After its match a program may go by itself this long, then it is asked to, then it is killed."""
TERMINATE_S: Final = 0.4


class Child:
    """A program that plays one seat.  It leads a process group of its own, which ends with it."""

    def __init__(
        self, process: asyncio.subprocess.Process, show: Callable[[str], None], on_exit: Callable[[Child, str], None]
    ) -> None:
        self._process = process
        self._on_exit = on_exit
        loop = asyncio.get_running_loop()
        assert process.stdout is not None
        self._output = loop.create_task(Output(show, now=loop.time).drain(process.stdout))
        self._exit = loop.create_task(self._follow())

    @property
    def pid(self) -> int:
        """The program's process id, which is its group's as well."""
        return self._process.pid

    @property
    def ended_well(self) -> bool:
        """True if the program has ended with status 0."""
        return self._process.returncode == 0

    async def end(self) -> None:
        """Returns when the program and all that it started are gone."""
        try:
            await self._left(LEAVE_S)
            if self._process.returncode is None:
                self._signal(signal.SIGTERM)
                await self._left(TERMINATE_S)
        finally:
            self._signal(signal.SIGKILL)
            self._output_ends_soon()
        await asyncio.wait((self._exit,))
        await asyncio.wait((self._output,))
        await self._group_gone()

    async def _group_gone(self) -> None:
        """What the program started was killed with it, and is gone when the system has got to it."""
        for _ in range(20):
            try:
                os.killpg(self._process.pid, 0)
            except (ProcessLookupError, PermissionError):
                return
            await asyncio.sleep(0.01)

    async def _left(self, most_s: float) -> None:
        await asyncio.wait((self._exit,), timeout=most_s)

    async def _follow(self) -> None:
        status = await self._process.wait()
        # What the program started is no part of the match any more.
        self._signal(signal.SIGKILL)
        self._on_exit(self, _how(status))

    def _output_ends_soon(self) -> None:
        """A process that left the group may hold the pipe: it is not waited for."""
        asyncio.get_running_loop().call_later(0.2, self._output.cancel)

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):
            return


async def started(
    argv: Sequence[str],
    environment: Mapping[str, str],
    *,
    show: Callable[[str], None],
    on_exit: Callable[[Child, str], None],
) -> Child:
    """Starts a program without a shell, with ``environment`` added to ours.

    ``show`` gets each line it writes to stdout or stderr, ``on_exit`` how it ended, in words.  Raises RivalryError when
    it cannot be started.
    """
    if not argv:
        raise RivalryError("the command is empty; expected a program and its arguments")
    try:
        process = await asyncio.create_subprocess_exec(
            *ending_with_us(argv),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**os.environ, **environment},
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RivalryError(f"the command {shlex.join(argv)!r} cannot be started: {why}") from error
    return Child(process, show, on_exit)


def _how(status: int) -> str:
    if status >= 0:
        return f"the program exited with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"the program was ended by {name}"
