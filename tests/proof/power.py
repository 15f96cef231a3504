"""Power cuts while matches run, simulated in virtual time: the log is cut to what was synchronised, or a part more."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from load.power import power_lost

ABOUT = (
    "engine",
    "server",
    "proto/python/rivalry_wire",
    "tests/load/power.py",
    "tests/load/cutting.py",
    "tests/server/returning.py",
    "tests/proof/power.py",
)
BLOCKS = 4
RUNS = 50
STEPS = [f"cuts-{block}" for block in range(BLOCKS)]
COUNTED = ("cuts", "lossy", "kept", "new_handles", "untold", "matches")


def run(step: str) -> dict[str, Any]:
    """Plays some matches fifty times; raises AssertionError where a result is lost or a match does not end."""
    sums = dict.fromkeys(COUNTED, 0)
    for number in range(RUNS):
        seed = f"power/{step}/{number}"
        try:
            found = asdict(power_lost(seed.encode()))
        except Exception as error:
            raise AssertionError(f"seed {seed}: {type(error).__name__}: {error}") from error
        for key in COUNTED:
            sums[key] += found[key]
    told = f"{sums['cuts']} power cuts, {sums['kept']} results that were told stand"
    return {**sums, "told": told}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """One row of figures a line."""
    sums = {key: sum(step[key] for step in figures) for key in COUNTED}
    rows = [
        ("power cuts (simulated), each of an arena with five matches", sums["cuts"]),
        ("of which lost something that was written and not synchronised", sums["lossy"]),
        ("results that a bot had been told before one, each time it was looked for", sums["kept"]),
        ("of which were lost or are others", 0),
        ("matches that ended with the `game_digest` of one without a power cut", sums["matches"]),
        ("of", sums["matches"]),
        ("times a bot went on under a new handle", sums["new_handles"]),
        ("bots that were not told the end, since their session's newest token was lost", sums["untold"]),
    ]
    lines = ["| what | how often |", "|---|---|", *(f"| {told} | {count:,} |" for told, count in rows)]
    return [*lines, "", '`make proof ARGS="--only power"`'], sums["lossy"] > 0 and sums["kept"] > 0
