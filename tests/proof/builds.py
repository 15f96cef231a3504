"""A thousand games: the compiled engine and the sources play the same ones to the byte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from compiled.digests import GAMES, compared

ROOT = Path(__file__).resolve().parents[2]
ABOUT = ("engine", "tests/compiled")
STEPS = ["builds"]


def run(step: str) -> dict[str, Any]:
    """Compiles the engine where it is not, and compares; raises AssertionError where a game differs."""
    made = subprocess.run(
        [sys.executable, str(ROOT / "engine" / "compile.py")], capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    figures = compared(GAMES)
    assert not figures["differences"], figures["first"]
    return {**figures, "told": f"{figures['games']} games, {figures['decisions']} decisions, no difference"}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """One row."""
    (step,) = figures
    lines = ["| games | decisions | differences |", "|---|---|---|"]
    lines.append(f"| {step['games']:,} | {step['decisions']:,} | {step['differences']} |")
    return lines, step["differences"] == 0
