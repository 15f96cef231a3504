"""Bots that an arena starts as programs."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rivalry_engine.error import RivalryError
from rivalry_server import spawn
from rivalry_server.arena import Arena
from rivalry_server.outcome import End
from rivalry_server.seating import Command, Listen
from rivalry_server.settings import Settings
from server.arena_work import FIRST, command, run
from server.peer import kuhn, spec, tally

DECLINED = "program declined the seat: too tired"


def test_two_programs_play_a_match_and_are_gone_after_it(tmp_path: Path) -> None:
    output = io.StringIO()

    async def work(arena: Arena, address: str) -> Any:
        return await arena.run_match(spec(kuhn(), time="1m"), [command("good"), command("good", "talks")])

    result = run(work, tmp_path, output=output)

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert [seat.name for seat in result.seats] == ["program", "program"]
    pids = [int(line.split()[-1]) for line in output.getvalue().splitlines() if " pid " in line]
    assert len(pids) == 3  # the second starts a program of its own
    assert not [pid for pid in pids if _alive(pid)]
    assert (
        "seat 1 cmd:program| hello [2Jthere" in output.getvalue()
        or "seat 1 program| hello [2Jthere" in output.getvalue()
    )


@pytest.mark.parametrize(
    ("how", "end", "text"),
    [
        ("exits", End.CRASH, "the program exited with status 3 before the end of the match"),
        ("hangs-up", End.DISCONNECT, "the stream"),
        ("hangs-up-and-stays", End.DISCONNECT, "the stream"),
        ("killed", End.CRASH, "the program was ended by SIGKILL before the end of the match"),
        ("never-dials", End.CRASH, "the program exited with status 0 before the end of the match"),
        ("declines", End.CRASH, "the program exited with status 0 before the end of the match; " + DECLINED),
        ("declines-and-runs", End.CRASH, "the program exited with status 0 before the end of the match; " + DECLINED),
        ("speaks-otherwise", End.CRASH, "the program exited with status 0 before the end of the match; its bot was"),
    ],
)
def test_ends_of_programs_are_told_apart(tmp_path: Path, how: str, end: End, text: str) -> None:
    async def work(arena: Arena, address: str) -> Any:
        return await arena.run_match(spec(kuhn(), time="1m"), [FIRST, command(how)])

    result = run(work, tmp_path, settings=Settings(exit_grace_s=0.6 if "stays" in how else 5))

    assert result.seats[1].end is end
    assert result.seats[1].text.startswith(text)
    assert result.seats[0].end is End.NORMAL


def test_a_program_may_take_its_seat_before_the_others_are_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = spawn.started
    seated: list[str] = []

    async def work(arena: Arena, address: str) -> Any:
        async def late(argv: Sequence[str], *given: Any, **more: Any) -> spawn.Child:
            (attempt,) = arena.attempts.values()
            while "talks" in argv and attempt.waiting_for(0):  # noqa: ASYNC110 - another process dials
                await asyncio.sleep(0.02)
            seated.append(attempt.named(0)[0])
            return await started(argv, *given, **more)

        monkeypatch.setattr(spawn, "started", late)
        return await arena.run_match(spec(kuhn(), time="1m"), [command("good"), command("good", "talks")])

    result = run(work, tmp_path, output=io.StringIO())

    assert seated == ["", "program"]
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_a_command_that_cannot_be_started_is_a_clear_error(tmp_path: Path) -> None:
    async def work(arena: Arena, address: str) -> str:
        with pytest.raises(RivalryError) as raised:
            await arena.run_match(spec(), [command("good"), Command(("/no/such/program", "-x"), "cmd")])
        return str(raised.value)

    assert run(work, tmp_path) == "the command '/no/such/program -x' cannot be started: No such file or directory"


def test_a_match_that_is_broken_off_leaves_no_program(tmp_path: Path) -> None:
    output = io.StringIO()

    async def work(arena: Arena, address: str) -> None:
        match = asyncio.ensure_future(arena.run_match(spec(tally(2), time="1m"), [command("stubborn"), Listen()]))
        while "pid" not in output.getvalue():  # noqa: ASYNC110 - another process sets it
            await asyncio.sleep(0.02)
        match.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await match

    run(work, tmp_path, output=output)

    assert not _alive(int(output.getvalue().split()[-1]))


def test_a_program_that_outlasts_its_stopped_arena_is_killed_and_reaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawn, "LEAVE_S", 30.0)
    output = io.StringIO()

    async def work(arena: Arena, address: str) -> None:
        match = asyncio.ensure_future(arena.run_match(spec(tally(2), time="1m"), [command("stubborn"), Listen()]))
        while "pid" not in output.getvalue():  # noqa: ASYNC110 - another process sets it
            await asyncio.sleep(0.02)
        stopping = asyncio.ensure_future(arena.stop())
        await asyncio.wait((stopping, match), return_when=asyncio.FIRST_COMPLETED)

    run(work, tmp_path, output=output)

    with pytest.raises(ChildProcessError):
        os.waitpid(int(output.getvalue().split()[-1]), os.WNOHANG)


def _alive(pid: int) -> bool:
    """False for a process that is being reaped elsewhere, too."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False
