"""How strong the bots are: greedy against three random and against three hoarder, in process.

Fifty seeds, and for each seed greedy once in every seat.  A win is rank 1, shared among those who have it.  Prints the
share of wins with Wilson's 95 % interval (E. B. Wilson 1927).  Run from a clone: ``python tests/bench/strength.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context

from rivalry_bots import catalog as bots
from rivalry_engine import catalog
from rivalry_engine.chance import seed_of_match
from rivalry_engine.playout import Chooser, play

SEATS = 4
Z = 1.959964
GOALS = {"random": 0.80, "hoarder": 0.25}


def won(bot: str, other: str, seat: int, seed: bytes, *, game: str = "ethnos", seats: int = SEATS) -> float:
    """The share of the win that ``bot`` has in ``seat`` when ``other`` has all other seats."""
    choosers: list[Chooser] = [bots.local(bot if place == seat else other, game) for place in range(seats)]
    ranks = play(catalog.game(game, {"seats": seats}), choosers, seed).state.ranks()
    return 1 / ranks.count(1) if ranks[seat] == 1 else 0.0


def block(job: tuple[str, str, bytes]) -> float:
    """The mean share over all seats of one seed."""
    bot, other, seed = job
    return sum(won(bot, other, seat, seed) for seat in range(SEATS)) / SEATS


def wilson(share: float, games: int) -> tuple[float, float]:
    """Both ends of Wilson's interval."""
    spread = Z * sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    middle = share + Z * Z / (2 * games)
    return (middle - spread) / (1 + Z * Z / games), (middle + spread) / (1 + Z * Z / games)


def measured(bot: str, other: str, seeds: int) -> dict[str, object]:
    """The figures of ``bot`` against three ``other``."""
    jobs = [(bot, other, seed_of_match(b"strength", number)) for number in range(seeds)]
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 4), mp_context=get_context("spawn")) as pool:
        share = sum(pool.map(block, jobs, chunksize=2)) / seeds
    least, most = wilson(share, seeds * SEATS)
    goal = GOALS.get(other)
    return {
        "bot": bot,
        "against": f"3 {other}",
        "games": seeds * SEATS,
        "share": round(share, 4),
        "least": round(least, 4),
        "most": round(most, 4),
        "goal": goal,
        "met": None if goal is None else least >= goal,
    }


def main() -> int:
    """Prints a line a pairing; status 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--against", default="random,hoarder")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    given = parser.parse_args()
    failed = False
    for other in given.against.split(","):
        figures = measured(given.bot, other, given.seeds)
        failed |= figures["met"] is False
        if given.json:
            sys.stdout.write(json.dumps(figures, sort_keys=True) + "\n")
        else:
            goal = "" if figures["goal"] is None else f", goal {figures['goal']:.0%}"
            sys.stdout.write(
                f"{figures['bot']} against {figures['against']}: wins {figures['share']:.1%} of {figures['games']}"
                f" (95 %: {figures['least']:.1%} to {figures['most']:.1%}{goal})\n"
            )
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
