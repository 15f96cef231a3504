"""Forty random changes of the sources of each game, one at a time, of which its tests notice nine in ten."""

from __future__ import annotations

import ast
import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from mutation import SOURCES, TESTS, is_noticed, mutant, places

ABOUT = ("engine", "tests/engine", "tests/golden")
COUNT = 40
LIMIT_S = 240
GAMES = tuple(TESTS)
STEPS = [f"{game}-{number}" for game in GAMES for number in ("none", *(f"{each:02}" for each in range(1, COUNT + 1)))]
"""``ethnos-none`` is the sources as they are: the tests must pass with them."""


def run(step: str) -> dict[str, Any]:
    """Makes one mutant in a copy and runs the tests of its game against it."""
    game, _, number = step.partition("-")
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place)
        shutil.copytree(SOURCES, copy / "rivalry_engine", ignore=shutil.ignore_patterns("__pycache__"))
        told = "as they are"
        if number != "none":
            luck = Random(f"mutants/{number}" if game == GAMES[0] else f"mutants/{step}")
            files = sorted((copy / "rivalry_engine" / game).glob("*.py"))
            weights = [len(places(ast.parse(path.read_text(encoding="utf-8")))) for path in files]
            (path,) = luck.choices(files, weights)
            changed, where = mutant(path.read_text(encoding="utf-8"), luck)
            path.write_text(changed, encoding="utf-8")
            told = f"{path.name}:{where}"
        noticed = is_noticed(game, copy, LIMIT_S)
    return {
        "game": game,
        "mutant": told,
        "noticed": noticed,
        "told": f"{'noticed' if noticed else 'NOT noticed'}  {told}",
    }


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """How many were noticed, and which were not."""
    lines = ["| game | changes | noticed | not noticed |", "|---|---|---|---|"]
    missed: list[str] = []
    holds = True
    for game in GAMES:
        unchanged, *mutated = [step for step in figures if step["game"] == game]
        unseen = [step["mutant"] for step in mutated if not step["noticed"]]
        noticed = len(mutated) - len(unseen)
        lines.append(f"| {game} | {len(mutated)} | {noticed} | {len(unseen)} |")
        missed += [f"- {game}: `{told}`" for told in unseen]
        holds = holds and not unchanged["noticed"] and noticed * 10 >= 9 * len(mutated)
    return [*lines, "", "Not noticed:", "", *missed] if missed else lines, holds
