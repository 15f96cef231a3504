"""Fits the weights of ``rivalry_bots/search/*_weights.json``: what the policy of ``search`` plays by.

One seat has the weights that are tried, all others have those of ``greedy``; each seed is played once in every seat.
The weights are moved by an evolution strategy with mirrored samples and weighted recombination (Hansen 2016, without
the covariance), on a scale of logarithms; the score is the lead in points, and ten for each win.  Run by hand only,
with the compiled engine: ``PYTHONPATH=build/compiled python tests/bench/fit_weights.py GAME [--seats N]
[--generations N] [--games N] [--write]``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from math import log
from pathlib import Path
from typing import Any

import numpy as np

from rivalry_bots.search import ethnos_policy, ethnos_prices, foederati_policy, foederati_worth
from rivalry_engine import catalog
from rivalry_engine.chance import seed_of_match

INTO = Path(__file__).resolve().parents[2] / "clients/python/rivalry_bots/search"
GREEDY = {
    "ethnos": ethnos_prices.Weights(),
    "foederati": foederati_worth.Weights(),
}
FITTED = {
    "ethnos": (
        *("turn", "luck", "draws", "given_away", "kept", "drawn"),
        *("troll", "giant_held", "rivalry", "later", "latest", "rise"),
    ),
    "foederati": ("tribal", "scorings", "side", "opening", "gift", "rivalry", "move", "card", "defence"),
}
"""By game, the weights that are fitted, in the order in which chance comes to them."""
STRATEGY = {"ethnos": (12, 0.3, 0.97, "es"), "foederati": (10, 0.35, 0.96, "fes")}
"""By game: trials of a generation, how far they are spread at first, what is left of that, the label of the seeds."""
MOST = {"rise": 1000}


def policy(game: Any, weights: dict[str, int]) -> Callable[[Any, int], int]:
    """What a seat does that plays by ``weights``."""
    if game.name == "ethnos":
        return ethnos_policy.Policy(game.figures, ethnos_prices.Weights(weights)).move
    return foederati_policy.Policy(game, foederati_worth.Weights(weights)).move


def tried(game: Any, weights: dict[str, int], games: int, label: str) -> tuple[float, float]:
    """The share of the wins and the mean lead of one seat with ``weights`` against ``greedy``'s."""
    seats = game.seats
    won = lead = 0.0
    for number in range(games // seats):
        for seat in range(seats):
            moves = [policy(game, weights if each == seat else {}) for each in range(seats)]
            state = game.new_state(seed_of_match(label.encode(), number))
            while movers := state.movers():
                for each in tuple(movers):
                    state.apply(each, moves[each](state, each))
            ranks, scores = state.ranks(), state.scores()
            won += 1 / ranks.count(1) if ranks[seat] == 1 else 0.0
            lead += scores[seat] - (sum(scores) - scores[seat]) / (seats - 1)
    played = games // seats * seats
    return won / played, lead / played


def fitted(game: Any, generations: int, games: int) -> dict[str, int]:
    """The weights after so many generations, with the score of each on the way."""
    names = FITTED[game.name]
    count, spread, left, label = STRATEGY[game.name]
    mean = np.log([getattr(GREEDY[game.name], name) for name in names])
    counts = np.maximum(0, log(count / 2 + 0.5) - np.log(np.arange(1, count + 1)))
    counts /= counts.sum()
    rng = np.random.default_rng(1)

    def whole(point: Any) -> dict[str, int]:
        return {
            name: min(round(value), MOST.get(name, 1 << 30)) for name, value in zip(names, np.exp(point), strict=True)
        }

    for generation in range(generations):
        half = rng.standard_normal((count // 2, len(names)))
        steps = np.concatenate([half, -half])
        scores = []
        for step in steps:
            won, lead = tried(game, whole(mean + spread * step), games, f"{label}{generation}")
            scores.append(lead + 10 * won)
        order = np.argsort(scores)[::-1]
        mean = mean + spread * (counts[:, None] * steps[order]).sum(0)
        spread *= left
        print(f"{generation + 1:>3} of {generations}: mean score {np.mean(scores):.1f}  {whole(mean)}", flush=True)
    return whole(mean)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(FITTED))
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--generations", type=int, default=7)
    parser.add_argument("--games", type=int, default=100, help="of each trial")
    parser.add_argument("--write", action="store_true", help="write them for this number of seats and more")
    given = parser.parse_args()
    found = fitted(catalog.game(given.game, {"seats": given.seats}), given.generations, given.games)
    print(json.dumps(found, indent=1))
    if given.write:
        into = INTO / f"{given.game}_weights.json"
        kept = json.loads(into.read_text(encoding="utf-8"))
        told = (
            f"fit_weights.py {given.game} --seats {given.seats} --generations {given.generations} --games {given.games}"
        )
        kept |= {"made": f"tests/bench/{told}", str(given.seats): found}
        into.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
