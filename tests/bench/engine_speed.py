"""G1 and G2: the engine alone, plain and compiled, beside OpenSpiel's gin_rummy and hearts in the same run.

The measured loop is what a researcher's would be: choose a choice, a size and parts by chance, fill, apply.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.goal import UnmeasuredError, figure, together
from rivalry_engine import catalog
from rivalry_engine.compiled import is_compiled
from rivalry_engine.game import Game

ROOT = Path(__file__).resolve().parents[2]
SLICE_S = 1.5
ROUNDS = 4


def random_games(game: Game, seconds: float, seed: int) -> tuple[int, float]:
    """Decisions made and seconds taken by whole random games of at least ``seconds``."""
    rng = random.Random(seed)
    draw = rng.random
    decisions, number = 0, 0
    fill = game.fill
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        number += 1
        state = game.new_state(b"%d/%d" % (seed, number))
        movers = state.movers()
        while movers:
            seat = movers[0]
            choices = state.choices(seat)
            choice = choices[int(draw() * len(choices))]
            most = choice.most
            if most:
                least = choice.least
                size = least + int(draw() * (most - least + 1))
                if size == len(choice.parts):
                    chosen: Any = range(size)
                else:
                    chosen = sorted(rng.sample(range(len(choice.parts)), size))
                action = fill(choice, chosen)
            else:
                action = choice.action
            state.apply(seat, action)
            decisions += 1
            movers = state.movers()
    return decisions, time.perf_counter() - began


def open_spiel_games(name: str, seconds: float, seed: int) -> tuple[int, float]:
    """The same loop over a game of OpenSpiel, chance nodes sampled and not counted."""
    import pyspiel

    game = pyspiel.load_game(name)
    rng = random.Random(seed)
    draw = rng.random
    decisions = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
                continue
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            decisions += 1
    return decisions, time.perf_counter() - began


def plain(progress: Callable[[str], None]) -> dict[str, Any]:
    """G1: full Ethnos at four seats, events off: decisions a second, and against gin_rummy."""
    game = catalog.game("ethnos", {"seats": 4})
    random_games(game, 0.5, 0)
    ours, theirs = [0, 0.0], [0, 0.0]
    for turn in range(ROUNDS):
        for total, (count, seconds) in (
            (ours, random_games(game, SLICE_S, turn + 1)),
            (theirs, open_spiel_games("gin_rummy", SLICE_S, turn + 1)),
        ):
            total[0] += count
            total[1] += seconds
    rate, bound = ours[0] / ours[1], theirs[0] / theirs[1]
    progress(f"G1: {rate:,.0f} decisions/s; gin_rummy {bound:,.0f}")
    return together(
        {
            "decisions/s": figure(rate, bound, 150_000, unit="decisions/s", least=True, of="value"),
            "x gin_rummy": figure(rate, bound, 2.5, unit="decisions/s", least=True),
        }
    )


def compiled(progress: Callable[[str], None]) -> dict[str, Any]:
    """G2: the same games with the compiled engine (``make compile``), in a process of its own, against hearts.

    Raises UnmeasuredError when there is no compiled copy of these sources.
    """
    check = subprocess.run([sys.executable, str(ROOT / "engine" / "compile.py"), "--check"], check=False)
    if check.returncode != 0:
        raise UnmeasuredError("the engine is not compiled from these sources", "run: make compile")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "build" / "compiled"), str(ROOT / "tests")])}
    code = "from bench.engine_speed import print_beside_hearts as measured; measured()"
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    rate, bound = json.loads(ran.stdout)
    progress(f"G2: {rate:,.0f} decisions/s; hearts {bound:,.0f}")
    return figure(rate, bound, 1.0, unit="decisions/s", least=True)


def print_beside_hearts() -> None:
    """Prints the decisions a second of the engine that runs here, and of hearts, as JSON."""
    assert is_compiled()
    game = catalog.game("ethnos", {"seats": 4})
    random_games(game, 0.5, 0)
    ours, theirs = [0, 0.0], [0, 0.0]
    for turn in range(ROUNDS):
        for total, (count, seconds) in (
            (ours, random_games(game, SLICE_S, turn + 1)),
            (theirs, open_spiel_games("hearts", SLICE_S, turn + 1)),
        ):
            total[0] += count
            total[1] += seconds
    sys.stdout.write(json.dumps([ours[0] / ours[1], theirs[0] / theirs[1]]))
