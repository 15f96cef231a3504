"""Bots that are programs: started for one seat, followed, and ended with everything they started themselves."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, sleep
from typing import Final

from rivalry_client.launch import ending_with_us
from rivalry_engine.error import RivalryError
from rivalry_server.output import Output
from rivalry_server.pipe import Pipe

LEAVE_S: Final = 0.7
"""After its match a program may go by itself this long, then it is asked to, then it is killed."""
TERMINATE_S: Final = 0.4
HELD_S: Final = 0.2
"""So long the pipe of a program that was killed is read on, if somebody holds it."""
KILLED_S: Final = 1.0
"""So long a program that was killed is waited for where the loop waits for nothing any more."""
LOOK_S: Final = 0.02
"""How often a program is looked at where the system does not tell when it ends."""


class Child:
    """A program that plays one seat.  It leads a process group of its own, which ends with it.

    The group is signalled only while its leader is not reaped: after that its number may be somebody else's.
    """

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        output: asyncio.StreamReader,
        pipe: Pipe,
        *,
        show: Callable[[str], None],
        on_exit: Callable[[Child, str], None],
    ) -> None:
        self._process = process
        self._pipe = pipe
        self._on_exit = on_exit
        self._loop = asyncio.get_running_loop()
        self._output = self._loop.create_task(Output(show, now=self._loop.time).drain(output))
        self._exit: asyncio.Future[None] = self._loop.create_future()
        self._watched: int | None = None
        self._watch()

    @property
    def pid(self) -> int:
        """The program's process id, which is its group's as well."""
        return self._process.pid

    @property
    def ended_well(self) -> bool:
        """True if the program has ended with status 0."""
        return self._process.returncode == 0

    def when_silent(self, call: Callable[[], None]) -> None:
        """Calls ``call`` when no more output will be read."""
        self._output.add_done_callback(lambda _: call())

    async def end(self) -> None:
        """Returns when the program and all that it started are gone.  Where it is cancelled, the program is killed."""
        try:
            await self._left(LEAVE_S)
            self._signal(signal.SIGTERM)
            await self._left(TERMINATE_S)
            self._signal(signal.SIGKILL)
            self._output_ends_soon()
            await asyncio.wait((self._exit,))
        except asyncio.CancelledError:
            self._end_now()
            raise
        await asyncio.wait((self._output,))
        await self._group_gone()

    def _end_now(self) -> None:
        """Kills the program and reaps it here: the loop may look no more."""
        self._signal(signal.SIGKILL)
        self._output_ends_soon()
        due = monotonic() + KILLED_S
        while not self._is_reaped() and monotonic() < due:
            sleep(0.001)

    async def _group_gone(self) -> None:
        """What the program started was killed with it, and is gone when the system has got to it."""
        for _ in range(20):
            try:
                os.killpg(self._process.pid, 0)  # asks, and sends nothing
            except (ProcessLookupError, PermissionError):
                return
            await asyncio.sleep(0.01)

    def _watch(self) -> None:
        """Has the loop look when the program ends, or every few milliseconds where the system cannot tell."""
        try:
            self._watched = os.pidfd_open(self._process.pid)
        except (AttributeError, OSError):
            self._loop.call_later(LOOK_S, self._look)
        else:
            self._loop.add_reader(self._watched, self._look)

    def _look(self) -> None:
        if not self._is_reaped() and self._watched is None:
            self._loop.call_later(LOOK_S, self._look)

    def _is_reaped(self) -> bool:
        """Ends what the program left behind, and only then reaps it, if it has ended; false while it runs."""
        if self._exit.done():
            return True
        try:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # somebody else has reaped it: the number is not ours any more
            ended = True
        else:
            if ended:
                self._signal(signal.SIGKILL)
        if ended:
            self._reap()
        return ended

    def _reap(self) -> None:
        if self._watched is not None:
            self._loop.remove_reader(self._watched)
            os.close(self._watched)
        status = self._process.wait()
        self._exit.set_result(None)
        self._on_exit(self, _how(status))

    async def _left(self, most_s: float) -> None:
        await asyncio.wait((self._exit,), timeout=most_s)

    def _output_ends_soon(self) -> None:
        """A process that left the group may hold the pipe: it is not waited for, and all that was written is read."""
        self._loop.call_later(HELD_S, self._pipe.finish)

    def _signal(self, number: signal.Signals) -> None:
        if self._process.returncode is not None:
            return
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
    """Starts a program without a shell, with ``environment`` added to ours, of which no RIVALRY_… is handed on.

    ``show`` gets each line it writes to stdout or stderr, ``on_exit`` how it ended, in words.  Raises RivalryError when
    it cannot be started.
    """
    if not argv:
        raise RivalryError("the command is empty; expected a program and its arguments")
    loop = asyncio.get_running_loop()
    output = asyncio.StreamReader(loop=loop)
    ours, theirs = os.pipe()
    pipe = Pipe(loop, ours, output)
    try:
        child = Child(_launched(argv, environment, theirs), output, pipe, show=show, on_exit=on_exit)
    except RivalryError:
        pipe.close()
        raise
    finally:
        os.close(theirs)
    child.when_silent(pipe.close)
    return child


def _launched(argv: Sequence[str], environment: Mapping[str, str], output: int) -> subprocess.Popen[bytes]:
    # Not asyncio's: its watchers reap a program before anybody can end what it left behind.
    try:
        return subprocess.Popen(
            ending_with_us(argv),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**_ours(), **environment},
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        if isinstance(error, PermissionError):
            why += f"; a program must be executable: chmod +x {shlex.quote(argv[0])}, or name its interpreter before it"
        raise RivalryError(f"the command {shlex.join(argv)!r} cannot be started: {why}") from error


def _ours() -> dict[str, str]:
    """Our environment without what bots read from theirs: a token, and the files of TLS, of some other arena."""
    return {name: text for name, text in os.environ.items() if not name.startswith("RIVALRY_")}


def _how(status: int) -> str:
    if status >= 0:
        return f"the program exited with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"the program was ended by {name}"
