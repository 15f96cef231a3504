"""How strong ``greedy`` is: the figures of tests/bench/strength.py, as a proof."""

from __future__ import annotations

from typing import Any

from bench.strength import measured

ABOUT = ("engine", "clients/python", "tests/bench")
STEPS = ["random", "hoarder"]
SEEDS = 50


def run(step: str) -> dict[str, Any]:
    """``greedy`` against three of another bot, fifty seeds in all four seats."""
    figures = measured("greedy", step, SEEDS)
    return {**figures, "told": f"wins {figures['share']:.1%}"}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row an opponent."""
    lines = ["| bot | against | games | share of wins | 95 % interval | goal |", "|---|---|---|---|---|---|"]
    lines += [
        f"| `{step['bot']}` | {step['against']} | {step['games']} | {step['share']:.1%}"
        f" | {step['least']:.1%} to {step['most']:.1%} | {step['goal']:.0%} |"
        for step in figures
    ]
    return lines, all(step["met"] for step in figures)
