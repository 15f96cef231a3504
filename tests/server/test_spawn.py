"""Programs and their process groups, on each loop that an arena may run on."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
import uvloop

from rivalry_server import spawn
from rivalry_server.pipe import Pipe
from rivalry_server.spawn import Child

Run = Callable[[Callable[[], Coroutine[Any, Any, Any]]], Any]
LEAVES_ONE = ("sh", "-c", "sleep 600 & echo $!; exit 3")


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a coroutine function to its end."""

    def whole(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        async def bounded() -> Any:
            async with asyncio.timeout(60):
                return await work()

        with asyncio.Runner(loop_factory=request.param) as runner:
            return runner.run(bounded())

    return whole


@pytest.fixture(params=[True, False], ids=["told", "asking"])
def told_of_ends(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Systems that tell when a process has ended, and others."""
    if not request.param:
        monkeypatch.delattr(os, "pidfd_open")


class Program:
    """A program, what it wrote and how it ended."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def start(self, *argv: str) -> Child:
        return await spawn.started(argv, {}, show=self.lines.append, on_exit=self._on_exit)

    def _on_exit(self, child: Child, how: str) -> None:
        self.ended.set_result(how)


@pytest.mark.usefixtures("told_of_ends")
def test_what_a_program_started_ends_with_it_before_its_number_is_free(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaders: list[bool] = []
    killpg = os.killpg

    def watched(group: int, number: int) -> None:
        if number == signal.SIGKILL:
            leaders.append(_gone(group) and Path(f"/proc/{group}").exists())
        killpg(group, number)

    async def work() -> tuple[str, int]:
        program = Program()
        child = await program.start(*LEAVES_ONE)
        how = await program.ended
        while not program.lines:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
        await child.end()
        return how, int(program.lines[0])

    monkeypatch.setattr(os, "killpg", watched)
    how, left = run(work)

    assert how == "the program exited with status 3"
    assert leaders == [True]
    assert _gone(left)


@pytest.mark.usefixtures("told_of_ends")
def test_a_program_that_was_reaped_is_signalled_no_more(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []

    async def work() -> None:
        program = Program()
        child = await program.start("true")
        await program.ended
        monkeypatch.setattr(os, "killpg", lambda group, number: sent.append(number))
        monkeypatch.setattr(Child, "_group_gone", _at_once)
        await child.end()

    run(work)

    assert sent == []


def _gone(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().split()[2] == "Z"


async def _at_once(child: Child) -> None:
    """Nobody is asked whether the group is gone."""


def test_a_program_that_will_not_go_is_killed(run: Run) -> None:
    async def work() -> str:
        program = Program()
        child = await program.start("sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.05; done")
        while not program.lines:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
        await child.end()
        return await program.ended

    assert run(work) == "the program was ended by SIGKILL"


@pytest.mark.usefixtures("told_of_ends")
def test_a_program_whose_end_is_not_awaited_to_the_last_is_killed_and_reaped(run: Run) -> None:
    async def work() -> tuple[Child, str]:
        program = Program()
        child = await program.start("sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.05; done")
        while not program.lines:  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
        ending = asyncio.ensure_future(child.end())
        await asyncio.sleep(0.01)
        ending.cancel()
        await asyncio.wait((ending,))
        return child, program.ended.result()

    child, how = run(work)

    assert how == "the program was ended by SIGKILL"
    with pytest.raises(ChildProcessError):
        os.waitpid(child.pid, os.WNOHANG)


def test_the_end_of_its_pipe_that_is_read_is_closed_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[int] = []
    close = os.close

    def noted(descriptor: int) -> None:
        close(descriptor)
        closed.append(descriptor)

    async def work() -> int:
        ours, theirs = os.pipe()
        reader = asyncio.StreamReader()
        pipe = Pipe(asyncio.get_running_loop(), ours, reader)
        os.write(theirs, b"word")
        assert await reader.read(10) == b"word"
        os.close(theirs)
        assert await reader.read(10) == b""
        monkeypatch.setattr(os, "close", noted)
        pipe.close()
        number = os.open(os.devnull, os.O_RDONLY)
        pipe.close()
        del pipe
        await asyncio.sleep(0.01)
        assert os.read(number, 1) == b""
        close(number)
        return number

    number = run(work)

    assert closed == [number]


def test_a_pipe_is_read_only_as_fast_as_it_is_drained(run: Run) -> None:
    async def work() -> tuple[int, int]:
        ours, theirs = os.pipe()
        reader = asyncio.StreamReader(limit=1024)
        pipe = Pipe(asyncio.get_running_loop(), ours, reader)
        os.set_blocking(theirs, False)
        written = 0
        for _ in range(100):
            await asyncio.sleep(0)
            try:
                written += os.write(theirs, bytes(4_096))
            except BlockingIOError:
                await asyncio.sleep(0.005)
        os.close(theirs)
        read = len(await reader.read())
        pipe.close()
        return written, read

    written, read = run(work)

    assert read == written < 300_000


def test_a_pipe_that_is_read_no_more_has_given_all_that_was_written_though_somebody_holds_it(run: Run) -> None:
    async def work() -> bytes:
        ours, theirs = os.pipe()
        reader = asyncio.StreamReader()
        pipe = Pipe(asyncio.get_running_loop(), ours, reader)
        os.write(theirs, b"last words")
        pipe.finish()
        os.write(theirs, b"too late")
        words = await reader.read()
        pipe.close()
        pipe.finish()
        os.close(theirs)
        return words

    assert run(work) == b"last words"
