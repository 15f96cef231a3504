"""``rivalry`` as a user has it: the installed program in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

RIVALRY = Path(sys.executable).parent / "rivalry"
LIMIT_S = 90
HELD = """
import pathlib
import time
from {module} import {name}

class Held({name}):
    quick = False

    def choose(self, prompt):
        while prompt.number > {after} and not pathlib.Path({go!r}).exists():
            time.sleep(0.02)
        return super().choose(prompt)
"""
SOON_S = 20.0
"""What takes a second or two counts as soon on a busy machine, too; what does not happen takes 30 s and more."""


def environment() -> dict[str, str]:
    """The environment of the tests, with their programs first on the path and nothing that bots listen to.

    Compiled modules are kept: each program that is started would compile all of them again.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("RIVALRY_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**kept, "PATH": f"{RIVALRY.parent}{os.pathsep}{kept['PATH']}", "PYTHONUNBUFFERED": "1"}


def rivalry(*arguments: object, cwd: Path | None = None, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Runs ``rivalry`` to its end."""
    return subprocess.run(
        [RIVALRY, *map(str, arguments)],
        cwd=cwd,
        env=environment(),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def match(game: str, *bots: str, more: tuple[object, ...] = ()) -> dict[str, Any]:
    """The JSON of a match that has an outcome; what it wrote to stderr is shown when the test fails."""
    seats = [word for bot in bots for word in ("--bot", bot)]
    done = rivalry("match", "--game", game, *seats, "--json", *more)
    sys.stderr.write(done.stderr)
    assert done.returncode == 0
    played = json.loads(done.stdout)
    assert isinstance(played, dict)
    return played


def held(folder: Path, base: str, *, after: int) -> str:
    """The name of a bot in ``folder`` that plays as ``base`` does, from a prompt on when there is a file ``let-go``."""
    module, _, name = base.partition(":")
    text = HELD.format(module=module, name=name, after=after, go=str(folder / "let-go"))
    (folder / "held.py").write_text(text, encoding="utf-8")
    return "held:Held"


def gone(lives: Callable[[], bool]) -> bool:
    """True once something lives no more, and soon: what is killed is gone when the system has got to it."""
    due = time.monotonic() + SOON_S
    while lives():
        if time.monotonic() > due:
            return False
        time.sleep(0.02)
    return True


@contextmanager
def running(*arguments: object, cwd: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """``rivalry`` while it runs; ended, should it not have ended itself."""
    with subprocess.Popen(
        [RIVALRY, *map(str, arguments)],
        cwd=cwd,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


@contextmanager
def serving(*arguments: object) -> Iterator[str]:
    """The address of an arena that runs as long as the block."""
    with running("serve", "--port", "0", "--log", "none", "--json", *arguments) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield json.loads(line)["address"]
        process.send_signal(signal.SIGTERM)
        process.wait(30)
