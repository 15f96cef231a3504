"""Forty random changes of the Ethnos sources, one at a time, of which the engine tests notice nine in ten."""

from __future__ import annotations

import ast
import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from mutation import SOURCES, is_noticed, mutant, places

ABOUT = ("engine", "tests/engine", "tests/golden")
COUNT = 40
LIMIT_S = 240
STEPS = ["none", *(f"{number:02}" for number in range(1, COUNT + 1))]
"""``none`` is the sources as they are: the tests must pass with them."""


def run(step: str) -> dict[str, Any]:
    """Makes one mutant in a copy and runs the tests against it."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        shutil.copytree(SOURCES, copy / "rivalry_engine", ignore=shutil.ignore_patterns("__pycache__"))
        told = "as they are"
        if step != "none":
            luck = Random(f"mutants/{step}")
            files = sorted((copy / "rivalry_engine" / "ethnos").glob("*.py"))
            weights = [len(places(ast.parse(path.read_text(encoding="utf-8")))) for path in files]
            (path,) = luck.choices(files, weights)
            changed, where = mutant(path.read_text(encoding="utf-8"), luck)
            path.write_text(changed, encoding="utf-8")
            told = f"{path.name}:{where}"
        noticed = is_noticed(copy, LIMIT_S)
    return {"mutant": told, "noticed": noticed, "told": f"{'noticed' if noticed else 'NOT noticed'}  {told}"}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """How many were noticed, and which were not."""
    unchanged, *mutated = figures
    missed = [step["mutant"] for step in mutated if not step["noticed"]]
    noticed = len(mutated) - len(missed)
    lines = ["| changes | noticed | not noticed |", "|---|---|---|", f"| {len(mutated)} | {noticed} | {len(missed)} |"]
    if missed:
        lines += ["", "Not noticed:", "", *(f"- `{told}`" for told in missed)]
    return lines, not unchanged["noticed"] and noticed * 10 >= 9 * len(mutated)
