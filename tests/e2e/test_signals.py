"""Ctrl-C and SIGTERM at any moment: one line, the right status, in time, and nobody left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.program import RIVALRY, SOON_S, environment, gone, running

STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
signal.signal(signal.SIGINT, signal.SIG_IGN)
open(os.path.join(sys.argv[1], str(os.getpid())), "w").close()
time.sleep(60)
"""
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}
MANY = ("--count", 9, "--jobs", 2, "--json")


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def begun(folder: Path, count: int) -> list[int]:
    """The process ids of the bots, once there are ``count``."""
    due = time.monotonic() + 60
    while len(list(Path(folder).iterdir())) < count and time.monotonic() < due:
        time.sleep(0.02)
    return [int(file.name) for file in Path(folder).iterdir()]


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(entry.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(entry.parent.name))
    return found


@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("more", [(), MANY])
@pytest.mark.parametrize("number", list(STATUS))
def test_bots_that_ignore_signals_end_with_the_match(tmp_path, number, more, group):
    (tmp_path / "stubborn.py").write_text(STUBBORN, encoding="utf-8")
    pids = tmp_path / "pids"
    pids.mkdir()
    bots = ("--bot", f"cmd:{sys.executable} stubborn.py {pids}", "--bot", "inproc:first")
    with running("match", "--game", "kuhn", *bots, "--seed", "s", *more, cwd=tmp_path) as arena:
        left = begun(pids, 2 if more else 1)
        workers = children(arena.pid)
        began = time.monotonic()
        (os.killpg if group else os.kill)(arena.pid, number)
        _, err = arena.communicate(timeout=30)
        took_s = time.monotonic() - began

    assert arena.returncode == STATUS[number]
    assert err.count("\n") == 1
    assert "--seed 0x73" in err
    assert took_s < SOON_S
    assert len(left) == (2 if more else 1)
    assert gone(lambda: any(map(lives, (*left, *workers))))


def test_workers_end_by_themselves_when_who_started_them_is_gone(tmp_path):
    (tmp_path / "stubborn.py").write_text(STUBBORN, encoding="utf-8")
    pids = tmp_path / "pids"
    pids.mkdir()
    bots = ("--bot", f"cmd:{sys.executable} stubborn.py {pids}", "--bot", "inproc:first")
    with running("match", "--game", "kuhn", *bots, *MANY, cwd=tmp_path) as arena:
        left = [*begun(pids, 2), *children(arena.pid)]
        arena.kill()
        arena.communicate(timeout=30)

    assert len(left) == 4
    assert gone(lambda: any(map(lives, left)))


@pytest.mark.parametrize("command", [("match", "--game", "kuhn", "--bot", "listen", "--bot", "first"), ("serve",)])
@pytest.mark.parametrize("number", list(STATUS))
def test_a_signal_while_the_program_starts_is_one_line(command, number):
    """A module that the program imports early sends it the signal: the moment is the same in each run."""
    for module in ("click", "rivalry_server.match" if command[0] == "match" else "rivalry_server.logs"):
        script = (
            "import builtins, os, sys\n"
            "usual = builtins.__import__\n"
            "def importing(name, *more):\n"
            f"    if name == {module!r}:\n"
            "        builtins.__import__ = usual\n"
            f"        os.kill(os.getpid(), {int(number)})\n"
            "    return usual(name, *more)\n"
            "builtins.__import__ = importing\n"
            "from rivalry_server.main import main\n"
            "main()\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, *command],
            env=environment(), capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

        assert done.returncode == STATUS[number]
        assert done.stderr.count("\n") == 1
        assert done.stderr.startswith("rivalry: stopped by ")


def test_what_a_bot_prints_in_a_worker_is_no_match(tmp_path):
    (tmp_path / "loud.py").write_text(
        "import os\nfrom rivalry_client import Bot\nclass Loud(Bot):\n    def choose(self, prompt):\n"
        "        os.write(1, b'loud\\n')\n        return 0\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [RIVALRY, "match", "--game", "kuhn", "--bot", "inproc:loud:Loud", "--bot", "inproc:first", *map(str, MANY)],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert done.returncode == 0
    assert [json.loads(line)["number"] for line in done.stdout.splitlines()] == list(range(1, 10))
    assert "loud" in done.stderr
