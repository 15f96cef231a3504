"""Fits the weights of ``rivalry_bots/search/ethnos_value.json``: what stands at the end of an Age, and what it becomes.

Games of 2, 3, 4 and 5 seats are played by the playout's policy on all seats.  At each end of an Age but the last, every
seat gives a sample: its features, and the Glory that it still gains; both less the mean of the table, since only the
lead counts.  Least squares give the weights, in thousandths of a Glory.  Run once from a clone, and by hand only:
``python tests/bench/fit_search.py [--games N] [--write]``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from rivalry_bots.search.ethnos_policy import Policy
from rivalry_bots.search.ethnos_prices import Weights
from rivalry_bots.search.ethnos_value import features
from rivalry_bots.search.fitted import fitted as fitted_weights
from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.game import Ethnos

INTO = Path(__file__).resolve().parents[2] / "clients/python/rivalry_bots/search/ethnos_value.json"
SEATS = (2, 3, 4, 5)
Sample = tuple[list[float], float]


def samples(game: Ethnos, seed: bytes) -> dict[int, list[Sample]]:
    """By Ages left, the samples of one game."""
    policy = Policy(game.figures, Weights(fitted_weights("ethnos_weights.json", game.seats)))
    state = game.new_state(seed)
    stood: list[tuple[int, list[list[int]], list[int]]] = []
    age = state.age
    while movers := state.movers():
        for seat in movers:
            state.apply(seat, policy.move(state, seat))
        ended = state.kind == question.EMPTY or state.age != age
        if ended and len(stood) < age < game.ages:
            stood.append((game.ages - age, features(state, age), list(state.glory)))
        if state.age != age:
            age = state.age
    found: dict[int, list[Sample]] = {}
    for left, seen, glory in stood:
        gained = [end - then for end, then in zip(state.glory, glory, strict=True)]
        means = [sum(column) / game.seats for column in zip(*seen, strict=True)]
        mean = sum(gained) / game.seats
        for row, gain in zip(seen, gained, strict=True):
            lead = [value - middle for value, middle in zip(row, means, strict=True)]
            found.setdefault(left, []).append((lead, gain - mean))
    return found


def fitted(given: list[Sample]) -> list[float]:
    """The weights of least squares, by the normal equations; a feature that never differs weighs nothing."""
    size = len(given[0][0])
    rows = [
        [sum(x[i] * x[j] for x, _ in given) + (1e-6 if i == j else 0.0) for j in range(size)]
        + [sum(x[i] * y for x, y in given)]
        for i in range(size)
    ]
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [value - rows[j][i] * lead for value, lead in zip(rows[j], rows[i], strict=True)]
    return [row[-1] for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="of each number of seats")
    parser.add_argument("--write", action="store_true", help=f"write {INTO.name}")
    given = parser.parse_args()
    found: dict[int, list[Sample]] = {}
    for seats in SEATS:
        game = Ethnos({"seats": seats})
        for number in range(given.games):
            for left, more in samples(game, b"fit/%d" % number).items():
                found.setdefault(left, []).extend(more)
    written = {
        "features": ["pay of the next Age", "pay of the one after", "markers", "the Orc board's Glory"],
        "made": f"tests/bench/fit_search.py --games {given.games}",
        "samples": {str(left): len(rows) for left, rows in sorted(found.items())},
        "weights": {str(left): [max(0, round(1000 * w)) for w in fitted(rows)] for left, rows in sorted(found.items())},
    }
    text = json.dumps(written, indent=1) + "\n"
    print(text)
    if given.write:
        INTO.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
