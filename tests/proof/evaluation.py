"""How often intervals miss and verdicts are wrong where no bot is better: ``make simulation``.

The simulations have 10,000 runs a figure; the comparisons through the command line are of two bots that play Kuhn poker
by chance, each its own, and of Ethnos's bots.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluation.simulate import NULLS, betting, classical, intervals, pairs
from rivalry_evaluation.sprt import Sprt

ABOUT = (
    "server/rivalry_evaluation",
    "server/rivalry_tournament/compare.py",
    "server/rivalry_tournament/compare_run.py",
    "tests/evaluation/simulate.py",
    "tests/evaluation/tables.py",
    "tests/proof/evaluation.py",
)
LONG = True
ROOT = Path(__file__).resolve().parents[2]
ALPHA = 0.05
RUNS = 10_000
BLOCKS = 500
PARTS = 5
"""The 10,000 evaluations of one line are made in so many steps."""
SIZES = (10, 30)
COMPARED = 20
KUHN_STEPS = 3
STEPS = [
    *(f"betting-{name}" for name in NULLS),
    "sequence",
    "sprt",
    *(f"intervals-{blocks}-{part}" for blocks in SIZES for part in range(PARTS)),
    *(f"kuhn-{part}" for part in range(KUHN_STEPS)),
    "ethnos-hoarder",
    "ethnos-greedy",
]


def run(step: str) -> dict[str, Any]:
    """The figures of a step; raises AssertionError where Ethnos's bots compare otherwise than they should."""
    kind, _, rest = step.partition("-")
    if kind == "betting":
        ends = betting(NULLS[rest], runs=RUNS, blocks=BLOCKS, mean=0.5, alpha=ALPHA, seed=1)
        return {"step": step, "runs": RUNS, "wrong": ends.a + ends.b}
    if kind == "sequence":
        ends = betting(
            lambda g, n: (pairs(g, n) + g.integers(0, 2, n)) / 2 * 0.8 + 0.2,
            runs=RUNS,
            blocks=BLOCKS,
            mean=0.6,
            alpha=ALPHA,
            seed=2,
        )
        return {"step": step, "runs": RUNS, "wrong": ends.a + ends.b}
    if kind == "sprt":
        ends = classical(0.0, runs=RUNS, blocks=4000, test=Sprt(0, 30, ALPHA), seed=3)
        return {"step": step, "runs": RUNS, "wrong": ends.a, "median": ends.median}
    if kind == "intervals":
        blocks, part = map(int, rest.split("-"))
        many = RUNS // PARTS
        misses = intervals(runs=many, blocks=blocks, luck=0.5, seed=1_000_000 * blocks + many * part)
        return {"step": step, "blocks": blocks, **asdict(misses)}
    return _kuhn(int(rest)) if kind == "kuhn" else _ethnos(rest)


def _compared(*arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "rivalry_server.main", "compare", *arguments, "--json"]
    told: dict[str, Any] = json.loads(
        subprocess.run(command, cwd=ROOT / "tests" / "tournament", capture_output=True, text=True, check=True).stdout
    )
    return told


def _kuhn(part: int) -> dict[str, Any]:
    wrong = 0
    for run_ in range(COMPARED):
        asked = ("inproc:nulls:One", "inproc:nulls:Two", "--game", "kuhn", "--max-blocks", "100")
        wrong += _compared(*asked, "--seed", f"{part}/{run_}")["verdict"] != "undecided"
    return {"step": f"kuhn-{part}", "runs": COMPARED, "wrong": wrong}


def _ethnos(other: str) -> dict[str, Any]:
    asked = ("inproc:greedy", f"inproc:{other}", "--game", "ethnos", "--splits", "even", "--seed", "proof")
    told = _compared(*asked, "--max-blocks", "100" if other == "hoarder" else "20")
    assert told["verdict"] == ("a" if other == "hoarder" else "undecided"), told
    return {"step": f"ethnos-{other}", **told}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row a claim, with what is meant to be."""
    rows: list[tuple[str, int, int, float]] = []
    steps = {step["step"]: step for step in figures}
    for name in NULLS:
        found = steps[f"betting-{name}"]
        rows.append((f"wrong verdict within {BLOCKS} blocks: {name}", RUNS, found["wrong"], ALPHA))
    rows.append(
        (f"confidence sequence misses the mean 0.6 within {BLOCKS} blocks", RUNS, steps["sequence"]["wrong"], ALPHA)
    )
    rows.append(("SPRT 0,30 accepts H1 between equal bots", RUNS, steps["sprt"]["wrong"], ALPHA))
    for blocks in SIZES:
        parts = [steps[f"intervals-{blocks}-{part}"] for part in range(PARTS)]
        for kind in ("utility", "rating", "pair", "rank"):
            rows.append((f"interval of {kind} misses, {blocks} blocks", RUNS, sum(part[kind] for part in parts), ALPHA))
    kuhn = [steps[f"kuhn-{part}"] for part in range(KUHN_STEPS)]
    many = COMPARED * KUHN_STEPS
    rows.append(("`rivalry compare` tells equal bots of Kuhn apart", many, sum(part["wrong"] for part in kuhn), ALPHA))
    lines = ["| what | runs | how often | meant |", "|---|---|---|---|"]
    lines += [f"| {what} | {runs:,} | {wrong / runs:.2%} | {_meant(what)} |" for what, runs, wrong, _ in rows]
    hoarder, greedy = steps["ethnos-hoarder"], steps["ethnos-greedy"]
    lines += [
        "",
        f"`greedy` against `hoarder` at Ethnos's usual table stopped after {hoarder['blocks']} blocks with the verdict "
        f"that it is better ({_bounds(hoarder)}).",
        f"Against itself it had no verdict after {greedy['blocks']} ({_bounds(greedy)}).",
    ]
    return lines, all(_holds(runs, wrong, most) for _, runs, wrong, most in rows)


def _bounds(told: dict[str, Any]) -> str:
    return f"{told['estimate']:+.3f}, {told['low']:+.3f} to {told['high']:+.3f}"


def _meant(what: str) -> str:
    """Bets and ranks have a bound; standard errors, and Wald's test with an estimated variance, come near theirs."""
    return (
        f"about {ALPHA:.0%}"
        if "SPRT" in what or ("interval of" in what and "rank" not in what)
        else f"{ALPHA:.0%} at most"
    )


def _holds(runs: int, wrong: int, most: float) -> bool:
    """True unless it is more than meant by more than three standard errors and half of it."""
    return wrong <= runs * most + 3 * (runs * most * (1 - most)) ** 0.5 + runs * most / 2
