"""The speed goals: what each is, and all of them measured in one run.

``run`` is what ``rivalry bench`` calls.  Timings on a shared machine are noisy: each goal brings its bound from the
same run, and the ratio is what counts.
"""

from __future__ import annotations

import os
import platform
import subprocess
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.goal import UnmeasuredError, unmeasured

GOALS: dict[str, tuple[str, str]] = {
    "G1": ("engine_speed", "plain"),
    "G2": ("engine_speed", "compiled"),
    "G3": ("wire_speed", "prompt"),
    "G4": ("arena_speed", "one_match"),
    "G4-journal": ("journal_match", "one_match"),
    "G5": ("arena_speed", "many_matches"),
    "G6": ("latency", "prompt"),
    "G7": ("memory", "arena"),
    "G8": ("start_speed", "start"),
    "journal": ("journal_speed", "cost"),
    "tournament": ("tournament_speed", "share"),
}
"""By goal, the module and the function that measures it; a module imports what only it needs."""


def run(goals: list[str] | None, progress: Callable[[str], None]) -> dict[str, Any]:
    """Measures ``goals``, all by default; raises ValueError on an unknown one.

    One that cannot be measured loses no other: it is told with the reason and what to do.
    """
    names = goals or list(GOALS)
    for name in names:
        if name not in GOALS:
            raise ValueError(f"there is no goal {name!r}; there are {', '.join(GOALS)}")
    measured = {}
    for name in names:
        module, function = GOALS[name]
        progress(f"{name}: {module}.{function}")
        try:
            measured[name] = getattr(import_module(f"bench.{module}"), function)(progress)
        except Exception as error:
            measured[name] = unmeasured(*_why(name, error, progress))
            progress(f"{name}: not measured: {measured[name]['why']}")
    return {"goals": measured, "machine": machine(), "commit": commit()}


def _why(name: str, error: Exception, progress: Callable[[str], None]) -> tuple[str, str]:
    """Why a goal was not measured, and what to do; where nobody foresaw it, progress shows where it happened."""
    if isinstance(error, UnmeasuredError):
        return error.why, error.remedy
    if isinstance(error, ImportError):
        return str(error), "run `make venv`, which installs what measurements use"
    said = "".join(traceback.format_exception(error))
    if isinstance(error, subprocess.CalledProcessError) and error.stderr:
        said += error.stderr if isinstance(error.stderr, str) else error.stderr.decode(errors="replace")
    progress(said.rstrip())
    return f"{type(error).__name__}: {error}", f"see the traceback on stderr; `rivalry bench --goal {name}` tries again"


def machine() -> str:
    """The machine in a line."""
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []:
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return f"{os.cpu_count()} x {model}, {platform.python_implementation()} {platform.python_version()}"


def commit() -> str:
    """The commit that is checked out, marked when files differ from it; empty outside a clone."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip()
