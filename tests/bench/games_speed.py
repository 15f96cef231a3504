"""Random play of every game of ours, plain and compiled, beside OpenSpiel's hearts and gin_rummy in the same run.

The loop is that of G1 and G2.  Rounds of plain and compiled take turns, so that both meet the same machine.  Run from a
clone, after ``make compile``: ``python tests/bench/games_speed.py [--rounds N] [--json]``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from bench.engine_speed import open_spiel_games, random_games  # noqa: E402 - found through the line above
from rivalry_engine import catalog  # noqa: E402

GAMES = {
    "kuhn": ("kuhn", {}),
    "ethnos, first edition, 4 seats": ("ethnos", {"seats": 4}),
    "ethnos with Fairies, 4 seats": ("ethnos", {"seats": 4, "fairies": True}),
    "ethnos, second edition, 4 seats": ("ethnos", {"seats": 4, "edition": "second"}),
    "foederati, 2 seats": ("foederati", {"seats": 2}),
    "foederati, 4 seats": ("foederati", {"seats": 4}),
}
PEERS = ("gin_rummy", "hearts")
SLICE_S = 1.0


def measured(number: int) -> dict[str, tuple[int, float]]:
    """Decisions and seconds of each game in one round, with the engine that runs here."""
    found = {}
    for name, (game, options) in GAMES.items():
        made = catalog.game(game, options)
        random_games(made, 0.2, 0)
        found[name] = random_games(made, SLICE_S, number)
    for peer in PEERS:
        found[peer] = open_spiel_games(peer, SLICE_S, number)
    return found


def _round(number: int, path: str) -> dict[str, tuple[int, float]]:
    """A round in a process of its own, with ``path`` before the sources."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([path, str(ROOT / "tests")])}
    code = f"import json; from bench.games_speed import measured; print(json.dumps(measured({number})))"
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    found: dict[str, tuple[int, float]] = json.loads(ran.stdout)
    return found


def main() -> None:
    """Prints a table, or with --json one object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    check = subprocess.run([sys.executable, str(ROOT / "engine" / "compile.py"), "--check"], check=False)
    if check.returncode != 0:
        sys.exit("the engine is not compiled from these sources; run: make compile")
    rates: dict[str, dict[str, float]] = {name: {} for name in (*GAMES, *PEERS)}
    totals: dict[tuple[str, str], list[float]] = {}
    for number in range(1, given.rounds + 1):
        for build, path in (("plain", ""), ("compiled", str(ROOT / "build" / "compiled"))):
            for name, (count, seconds) in _round(number, path).items():
                total = totals.setdefault((name, build), [0.0, 0.0])
                total[0] += count
                total[1] += seconds
    for (name, build), (count, seconds) in totals.items():
        rates[name][build] = count / seconds
    if given.json:
        print(json.dumps(rates))
        return
    gin, hearts = (sum(rates[peer].values()) / 2 for peer in PEERS)
    print("| game | plain | × gin_rummy | compiled | × hearts | compiled / plain |")
    print("|---|---|---|---|---|---|")
    for name in GAMES:
        plain, compiled = rates[name]["plain"], rates[name]["compiled"]
        print(
            f"| {name} | {plain:,.0f} | {plain / gin:.2f} | {compiled:,.0f} | {compiled / hearts:.2f}"
            f" | {compiled / plain:.2f} |"
        )
    print(f"| gin_rummy, hearts | {gin:,.0f}, {hearts:,.0f} | | | | |")


if __name__ == "__main__":
    main()
