"""A program that reads lines and writes lines: started, spoken with, ended with all that it started."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, cast

from rivalry_client.bot import GivenUpError
from rivalry_client.launch import ending_with_us
from rivalry_client.words import line as cleaned

LINE_MOST: Final = 1 << 16
"""Bytes of a line that the program writes."""
AHEAD_MOST: Final = 16
"""Lines that are read before somebody asks for them; the rest waits in the program's pipe."""
LAST_WORDS_S: Final = 0.5
LEAVE_S: Final = 1.0
"""So long a program may take to end by itself, and as long again once it was asked to."""
CRASH_LEAVE_S: Final = 0.2
"""The same after a crash, which is told when the program is gone, and is to be told before the clock ends the seat."""
KILLED_S: Final = 1.0
"""So long a program that was killed is waited for where the loop waits for nothing any more."""


class ProgramError(GivenUpError):
    """The program cannot be started, has ended, or writes what no protocol allows."""


class _Ending(asyncio.subprocess.SubprocessStreamProtocol):
    """Tells when the program has ended, though what it started may hold its pipes."""

    def __init__(self, ended: Callable[[int], None], *, limit: int, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(limit=limit, loop=loop)
        self._ended = ended

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._pid = cast("asyncio.SubprocessTransport", transport).get_pid()  # it may end before its maker returns
        super().connection_made(transport)

    def process_exited(self) -> None:
        self._ended(self._pid)
        super().process_exited()


class Program:
    """One run of a program.  What it writes to stderr goes to ours, and its last line there is kept."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = tuple(words)
        self._lines: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._closed = False
        """Nothing more is read."""
        self._begun = False
        """A line was begun and has no end yet."""
        self._last_words = ""
        self.last_words_s = LAST_WORDS_S
        """How long its end is awaited once it speaks no more."""
        self._gone = asyncio.Event()
        self._process: asyncio.subprocess.Process

    async def start(self) -> None:
        """Starts it without a shell, in a session of its own; raises ProgramError.

        On asyncio's own loop (``Bot.starts_programs``): in a program of uvloop's a closed stdout is not seen.
        """
        pipe = asyncio.subprocess.PIPE
        loop = asyncio.get_running_loop()
        try:
            # What create_subprocess_exec does, but the transport is ours to close.
            self._transport, protocol = await loop.subprocess_exec(
                lambda: _Ending(self._left_behind, limit=LINE_MOST, loop=loop),
                *ending_with_us(self._words),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                env=_ours(),
                start_new_session=os.name == "posix",
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            raise ProgramError(f"the program {shlex.join(self._words)!r} cannot be started: {why}") from None
        self._process = asyncio.subprocess.Process(self._transport, protocol, loop)
        atexit.register(self._kill)
        self._listening = asyncio.ensure_future(self._listen())
        self._reading = asyncio.ensure_future(self._read())

    @property
    def spoke_unasked(self) -> bool:
        """True if it has written something that nobody has read."""
        return self._begun or bool(self._lines)

    async def say(self, line: bytes) -> None:
        """Writes a line; returns when the program reads.  Raises ProgramError when it is gone, or will not answer."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(line)  # whole, though nobody may wait until it is read
            await self._read_by_it(stdin)
        except (BrokenPipeError, ConnectionResetError, RuntimeError):
            raise await self._end_of("closed its stdin") from None

    async def hear(self) -> bytes:
        """The next line without its end; raises ProgramError when none will come, or it is too long."""
        while not self._lines:
            if self._closed:
                raise await self._end_of("closed its stdout")
            self._news.clear()
            await self._news.wait()
        line = self._lines.popleft()
        self._room.set()
        if len(line) > LINE_MOST:
            raise ProgramError(f"the program wrote a line of more than {LINE_MOST} bytes")
        return line

    async def end(self, leave_s: float) -> None:
        """Closes its stdin, and returns when it and all that it started are gone; ``leave_s`` as for LEAVE_S.

        Where it is cancelled, the program is killed.
        """
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            if not await self._left(leave_s):
                self._signal(signal.SIGTERM)
                await self._left(leave_s)
            self._kill()
            await self._gone.wait()
        except asyncio.CancelledError:
            self._end_now()
            raise
        finally:
            atexit.unregister(self._kill)
        tasks = (self._listening, self._reading)
        await asyncio.wait(tasks, timeout=LAST_WORDS_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._transport.close()
        await asyncio.sleep(0)  # its pipes are closed in the next turn of the loop

    def _end_now(self) -> None:
        """Kills it and reaps it here: the loop may be told of nothing any more."""
        self._kill()
        self._gone.set()
        self._transport.close()
        process: subprocess.Popen[bytes] = self._transport.get_extra_info("subprocess")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(KILLED_S)

    async def _read_by_it(self, stdin: asyncio.StreamWriter) -> None:
        """Returns when it has read what was written, nearly; raises ProgramError when it will write nothing more."""
        draining = asyncio.ensure_future(stdin.drain())
        try:
            await asyncio.wait((draining, self._reading), return_when=asyncio.FIRST_COMPLETED)
            if draining.done() or self._lines:
                await draining
                return
        finally:
            draining.cancel()
        raise await self._end_of("closed its stdout")

    async def _left(self, leave_s: float) -> bool:
        """Whether it has ended, after ``leave_s`` at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(leave_s):
                await self._gone.wait()
        return self._gone.is_set()

    async def _end_of(self, what: str) -> ProgramError:
        """Says how it ended, or that it ``what``, with the last line of its stderr."""
        if await self._left(self.last_words_s):
            await asyncio.wait((self._listening,), timeout=self.last_words_s)
        last = f"; its last words: {self._last_words}" if self._last_words else ""
        return ProgramError(f"the program {_how(self._process.returncode) or what}{last}")

    async def _read(self) -> None:
        """Takes its stdout apart into lines, no faster than they are asked for; ends after one that is too long."""
        stdout = self._process.stdout
        assert stdout is not None
        rest = b""
        while len(rest) <= LINE_MOST and (piece := await stdout.read(LINE_MOST)):
            *lines, rest = (rest + piece).split(b"\n")
            self._begun = bool(rest)
            self._lines += lines
            self._news.set()
            while len(self._lines) > AHEAD_MOST:
                self._room.clear()
                await self._room.wait()
        if len(rest) > LINE_MOST:
            self._lines.append(rest)
        self._begun = False
        self._closed = True
        self._news.set()

    def _left_behind(self, pid: int) -> None:
        """The program has ended: ends what it leaves behind at once, since later its number may be somebody else's."""
        if self._gone.is_set():
            return
        self._gone.set()
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)

    async def _listen(self) -> None:
        """Passes its stderr on to ours, line by line, long ones cut, and keeps the last."""
        stderr = self._process.stderr
        assert stderr is not None
        rest = b""
        while piece := await stderr.read(LINE_MOST):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                self._told(line)
            if len(rest) > LINE_MOST:
                self._told(rest)
                rest = b""
        self._told(rest)

    def _told(self, line: bytes) -> None:
        text = cleaned(line.decode(errors="replace").rstrip())
        if text:
            self._last_words = text[:200]
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    def _kill(self) -> None:
        """Kills it and all that it started, if it has not ended."""
        self._signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        if self._gone.is_set():
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._process.pid, number)
            else:
                self._process.send_signal(number)


def _ours() -> dict[str, str]:
    """Our environment without the token and the address of the arena, which are not the program's."""
    return {name: text for name, text in os.environ.items() if not name.startswith("RIVALRY_")}


def _how(status: int | None) -> str:
    if status is None:
        return ""
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
