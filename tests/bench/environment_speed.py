"""How many steps a second the environments take under chance, beside games of PettingZoo and OpenSpiel themselves.

``python tests/bench/environment_speed.py [SECONDS]`` measures each in turns of a second, SECONDS in all (default 5),
and prints a table for ``engine/rivalry_environments/README.md``: the median turn.  PettingZoo's games need pygame,
which nothing else here does: ``pip install pygame-ce``; without it they are left out.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from statistics import median

import numpy as np

Turn = Callable[[np.random.Generator], tuple[int, int]]
"""Plays one match; returns its steps and its matches."""

PETTINGZOO = ("tictactoe_v3", "connect_four_v3")
OURS = (("kuhn", 2), ("ethnos", 2), ("ethnos", 4), ("foederati", 2), ("foederati", 4))
SPIEL = ("kuhn_poker", "python_kuhn_poker", "rivalry_kuhn", "hearts", "rivalry_ethnos(players=4)")


def agents(env) -> Turn:
    """A match of a PettingZoo environment by masked chance."""

    def turn(rng):
        env.reset(seed=int(rng.integers(1 << 30)))
        steps = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            env.step(None if over or cut else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
            steps += 1
        return steps, 1

    return turn


def spiel(name) -> Turn:
    """A match of an OpenSpiel game by chance, with the tensor of each decision."""
    import pyspiel

    game = pyspiel.load_game(name)

    def turn(rng):
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(actions, p=chances)))
                continue
            if game.get_type().provides_observation_tensor:
                state.observation_tensor()
            else:
                state.information_state_tensor()
            state.apply_action(int(rng.choice(state.legal_actions())))
            steps += 1
        return steps, 1

    return turn


def measured(turns: dict[str, Turn], seconds: int) -> dict[str, tuple[float, float]]:
    """Of each: steps a second and steps a match, the median of turns of a second taken round about."""
    rng = np.random.default_rng(1)
    speeds: dict[str, list[float]] = {name: [] for name in turns}
    sizes: dict[str, float] = {}
    for _ in range(seconds):
        for name, turn in turns.items():
            steps = matches = 0
            start = time.perf_counter()
            while time.perf_counter() - start < 1:
                more, one = turn(rng)
                steps, matches = steps + more, matches + one
            speeds[name].append(steps / (time.perf_counter() - start))
            sizes[name] = steps / matches
    return {name: (median(found), sizes[name]) for name, found in speeds.items()}


def main() -> None:
    """Measures and prints."""
    warnings.simplefilter("ignore")
    from rivalry_environments import openspiel, pettingzoo

    assert openspiel
    turns: dict[str, Turn] = {
        f"{name}, {seats} seats": agents(pettingzoo.env(name, seats=seats)) for name, seats in OURS
    }
    for name in PETTINGZOO:
        try:
            turns[f"PettingZoo's {name}"] = agents(import_module(f"pettingzoo.classic.{name}").env())
        except ImportError as error:
            print(f"left out: {name}: {error}", file=sys.stderr)
    import_module("open_spiel.python.games")
    for name in SPIEL:
        turns[f"OpenSpiel: {name}"] = spiel(name)
    print("| environment | steps a second | steps a match |\n|---|---|---|")
    for name, (speed, size) in measured(turns, int(sys.argv[1]) if sys.argv[1:] else 5).items():
        print(f"| {name} | {speed:,.0f} | {size:.0f} |")


if __name__ == "__main__":
    main()
