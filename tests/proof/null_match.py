"""The same bot on all seats of 64 matches at once, 50 ms a prompt, beside two busy loops: nobody loses on time."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import uvloop

from load.null_match import busy, played

ABOUT = (
    "engine",
    "server",
    "clients/python",
    "proto/python/rivalry_wire",
    "tests/load/null_match.py",
    "tests/proof/null_match.py",
)
ALONE = True
MATCHES = 64
TIME = "50ms"
LOOPS = 2
STEPS = ["first-1", "first-4", "random-1", "random-4"]


def run(step: str) -> dict[str, Any]:
    """Plays 64 matches of Ethnos; raises AssertionError where a seat lost on time."""
    bot, processes = step.split("-")
    with busy(LOOPS):
        found = uvloop.run(played(bot, processes=int(processes), matches=MATCHES, time=TIME))
    assert not found.lost_on_time and not found.other_ends, found
    refunded = found.arena_us / found.measured_us
    told = f"{found.decisions} decisions, nobody lost on time, {refunded:.1%} refunded"
    return {"bot": bot, "processes": int(processes), **asdict(found), "measured_us": found.measured_us, "told": told}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row for each bot and number of processes."""
    columns = ("bot", "processes", "matches", "decisions", "lost on time", "time measured")
    shares = ("the bot's", "the network's", "the arena's, refunded", "charged")
    lines = [f"| {' | '.join((*columns, *shares))} |", "|---" * (len(columns) + len(shares)) + "|"]
    for step in figures:
        cells = [f"`{step['bot']}`", step["processes"], step["matches"], f"{step['decisions']:,}", step["lost_on_time"]]
        cells.append(f"{step['measured_us'] / 1e6:,.1f} s")
        cells += [
            f"{step[key] / step['measured_us']:.1%}" for key in ("bot_us", "network_us", "arena_us", "charged_us")
        ]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return [*lines, "", '`make proof ARGS="--only null-match"`'], all(not step["lost_on_time"] for step in figures)
