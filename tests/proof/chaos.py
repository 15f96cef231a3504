"""The fault laboratory: hundreds of short matches in virtual time whose bots and streams fail by chance."""

from __future__ import annotations

from collections import Counter
from typing import Any

from load.laboratory import tried
from rivalry_engine import catalog
from rivalry_engine.game import Game
from server.tally import Tally

ABOUT = (
    "engine",
    "server",
    "clients/python",
    "proto/python/rivalry_wire",
    "tests/load/laboratory.py",
    "tests/load/cutting.py",
    "tests/proof/chaos.py",
)
BLOCKS = 4
MATCHES = {"kuhn": 200, "tally": 60, "ethnos": 25}
"""Matches of each game in a block."""
STEPS = [f"{game}-{block}" for game in MATCHES for block in range(BLOCKS)]


def run(step: str) -> dict[str, Any]:
    """Plays the matches of one step; raises AssertionError with the seed of one in which a seat was wronged."""
    name = step.partition("-")[0]
    faults: Counter[str] = Counter()
    lost = 0
    for number in range(MATCHES[name]):
        seed = f"chaos/{step}/{number}"
        try:
            trial = tried(_game(name, number), seed.encode())
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
        faults += trial.faults
        lost += trial.lost
    matches = MATCHES[name]
    told = f"{sum(faults.values())} faults in {matches} matches, all survived"
    return {"game": name, "matches": matches, "lost": lost, "faults": dict(faults), "told": told}


def _game(name: str, number: int) -> Game:
    if name == "kuhn":
        return catalog.game("kuhn")
    if name == "tally":
        return Tally({"seats": 3 + number % 4, "rounds": 3})
    return catalog.game("ethnos", {"seats": 3 + number % 4})


TOLD = {
    "delay": "frame delayed by up to 0.2 s, either way",
    "duplicate": "frame of the bot's said twice",
    "drop": "connection broken, what was under way lost",
    "half-open": "connection half open for up to 20 s: writes vanish one way or both",
    "kill": "bot killed and started again with its resume token within 10 s",
    "fails: raises": "bot raises an exception",
    "fails: vanishes": "bot killed for good, without a word",
}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row for each kind of fault."""
    faults: Counter[str] = Counter()
    for step in figures:
        faults.update(step["faults"])
    games = {name: sum(step["matches"] for step in figures if step["game"] == name) for name in MATCHES}
    lines = ["| fault | times injected | survived |", "|---|---|---|"]
    lines += [f"| {told} | {faults[kind]:,} | {faults[kind]:,} |" for kind, told in TOLD.items()]
    lost = sum(step["lost"] for step in figures)
    lines += [
        "",
        f"{games['kuhn']} matches of Kuhn poker, {games['tally']} of a simultaneous game and {games['ethnos']} of"
        f" Ethnos with 3 to 6 seats; {lost} bots were lost for good, as they should be, and no other.",
        "",
        '`make proof ARGS="--only chaos"`',
    ]
    return lines, True
