"""Foederati keeps what every game promises, at every number of seats, with both presets and each flag alone."""

from __future__ import annotations

from typing import Any

from rivalry_engine import catalog, conformance

ABOUT = ("engine",)
GAMES = 2
"""Whole games of each step."""
OPTIONS: dict[str, dict[str, Any]] = {
    "seed": {},
    "red-only": {"preset": "red-only"},
    "scoring_scope": {"scoring_scope": "red-only"},
    "final_tribal": {"final_tribal": "always"},
    "attack_full_seas": {"attack_full_seas": True},
    "attack_needs_opening_card": {"attack_needs_opening_card": True},
    "attacker_loses_shield_on_failure": {"attacker_loses_shield_on_failure": False},
    "battle_tie_to": {"battle_tie_to": "attacker"},
    "stall_rounds": {"stall_rounds": 1},
    "start_spaces": {"start_spaces": 1},
    "first_player": {"first_player": "1"},
}
SEATS = (2, 3, 4, 5)
STEPS = [f"{name}-{seats}" for name in OPTIONS for seats in SEATS]


def run(step: str) -> dict[str, Any]:
    """Checks the games of one step; raises ConformanceError where a promise is broken."""
    name, _, seats = step.rpartition("-")
    game = catalog.game("foederati", {"seats": int(seats), **OPTIONS[name]})
    conformance.check(game, games=GAMES, seed=f"foederati/{step}".encode())
    return {"options": name, "games": GAMES, "told": f"{GAMES} games"}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """How many games kept every promise; one that did not has ended its step."""
    games = sum(step["games"] for step in figures)
    lines = ["| presets and flags alone | seats | games | promises broken |", "|---|---|---|---|"]
    return [*lines, f"| {len(OPTIONS)} | {SEATS[0]} to {SEATS[-1]} | {games} | 0 |"], True
