"""Programs that end with the arena, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.program import SOON_S
from rivalry_client import launch

STUBBORN = "trap '' TERM HUP INT; echo pid $$; while :; do sleep 0.05; done"
ARENA = """
import asyncio, sys
from rivalry_server import spawn

async def work():
    await spawn.started(("sh", "-c", sys.argv[1]), {}, show=lambda line: print(line, flush=True), on_exit=print)
    await asyncio.sleep(60)

asyncio.run(work())
"""


@pytest.fixture(autouse=True)
def _looked_for_anew() -> None:
    launch._launcher.cache_clear()


@pytest.mark.skipif(not launch._launcher(), reason="this system has no setpriv that sets a parent-death signal")
def test_a_program_that_ignores_signals_ends_when_the_arena_is_killed() -> None:
    arena = subprocess.Popen([sys.executable, "-c", ARENA, STUBBORN], stdout=subprocess.PIPE, text=True)
    assert arena.stdout is not None
    with arena.stdout:
        pid = int(arena.stdout.readline().split()[1])

        arena.send_signal(signal.SIGKILL)
        arena.wait()

    until = time.monotonic() + SOON_S
    while _alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    alive = _alive(pid)
    if alive:
        os.kill(pid, signal.SIGKILL)
    assert not alive


@pytest.mark.parametrize("script", [None, "#!/bin/sh\necho unknown option >&2\nexit 1\n"])
def test_without_the_tool_a_command_is_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None
) -> None:
    if script is not None:
        (tmp_path / "setpriv").write_text(script)
        (tmp_path / "setpriv").chmod(0o755)
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert launch.ending_with_us(("bot", "-x")) == ("bot", "-x")
    launch._launcher.cache_clear()


def test_a_program_that_is_not_there_is_told_as_before() -> None:
    assert launch.ending_with_us(("/no/such/program", "-x")) == ("/no/such/program", "-x")


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False
