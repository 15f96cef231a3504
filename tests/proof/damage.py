"""Journals that are damaged at hundreds of places: a clear line, all that can be read is kept, never a traceback."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from e2e.program import RIVALRY, environment
from load.arena_process import ArenaProcess
from load.damage import DAMAGES, damaged, started
from rivalry_engine.chance import Stream
from server.journal.house import FILES

ABOUT = ("engine", "server", "tests/load/damage.py", "tests/proof/damage.py")
TIMES = 60
SERVED = 6
"""Damages with which a real arena is started, too."""
STEPS = [f"{kind}-{number}" for kind in DAMAGES for number in range(len(FILES))]
HOWS = ("whole", "rescued", "refused")


def run(step: str) -> dict[str, Any]:
    """Damages one file in one way sixty times; raises AssertionError with the place that went wrong."""
    kind, _, number = step.partition("-")
    name = FILES[int(number)]
    hows: Counter[str] = Counter()
    readable = 0
    for time in range(TIMES):
        seed = f"damage/{step}/{time}".encode()
        with TemporaryDirectory() as one, TemporaryDirectory() as other:
            for place in (one, other):
                damaged(Path(place), kind, name, Stream(seed, "place"))
            try:
                if time < SERVED:
                    _serve(Path(other))
                found = started(Path(one))
            except Exception as error:
                raise AssertionError(f"{step}, time {time}: {type(error).__name__}: {error}") from error
        hows[found.how] += 1
        readable += found.readable
    told = ", ".join(f"{hows[how]} {how}" for how in HOWS)
    return {"kind": kind, "file": name, "hows": dict(hows), "readable": readable, "told": told}


def _serve(folder: Path) -> None:
    """Checks and serves a damaged journal with the programs; both say what is wrong in lines of their own."""
    check = subprocess.run(
        [str(RIVALRY), "journal", "check", "--data", str(folder)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in check.stderr, check.stderr
    assert check.returncode in (0, 1, 2), check
    arena = ArenaProcess(folder, folder / "arena.err")
    try:
        arena.rise()
        arena.matches()
        assert arena.stop() == 0
    except AssertionError:
        said = arena.said()
        assert said.startswith("rivalry: ") and said.count("\n") == 1, said
    finally:
        arena.kill()
    assert "Traceback" not in arena.said(), arena.said()
    (folder / "arena.err").unlink()


TOLD = {
    "cut": "cut off at a random byte",
    "flipped": "one to four bits flipped",
    "blanked": "up to two pages of zeros",
    "shuffled": "two pages in each other's places",
}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row for each kind of damage and file."""
    columns = ("damage", "file", "times", "whole", "rescued", "refused", "results that could be read, all kept")
    lines = [f"| {' | '.join(columns)} |"]
    lines.append("|---" * len(columns) + "|")
    for step in figures:
        hows = [step["hows"].get(how, 0) for how in HOWS]
        cells = [TOLD[step["kind"]], f"`{step['file']}`", sum(hows), *hows, f"{step['readable']:,}"]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return [*lines, "", '`make proof ARGS="--only damage"`'], True
