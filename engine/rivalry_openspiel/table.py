"""Plays every game of OpenSpiel through conformance and writes a table of what works and why the rest does not.

``python -m rivalry_openspiel.table`` (``make openspiel``): a game a process, so that one that fails altogether is one
line; ``--resample`` tries besides which games with secrets can be resampled.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from time import perf_counter, process_time
from typing import Any, Final

from rivalry_engine import catalog, conformance
from rivalry_engine.chance import Stream
from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_openspiel import known, library
from rivalry_openspiel.game import OpenSpielGame

LIMIT_S: Final = 120.0
WITH_PARAMETERS: Final = (
    "misere(game=kuhn_poker())",
    "add_noise(game=kuhn_poker(),epsilon=0.1,seed=1)",
    "coop_to_1p(game=tiny_hanabi())",
    "cached_tree(game=kuhn_poker())",
    "start_at(game=kuhn_poker(),history=0;1)",
    "normal_form_extensive_game(game=kuhn_poker())",
    "restricted_nash_response(game=kuhn_poker())",
    "repeated_game(stage_game=matrix_rps(),num_repetitions=3)",
    "repeated_poker(max_num_hands=2,reset_stacks=True,rotate_dealer=True,universal_poker_game_string=universal_poker())",
    "turn_based_simultaneous_game(game=matrix_rps())",
    "zerosum(game=kuhn_poker())",
    "goofspiel(imp_info=True,num_cards=5)",
    "kuhn_poker(players=3)",
)
"""Games that need parameters, and some with others than the usual ones."""


def measured(game: OpenSpielGame, seconds: float) -> tuple[int, float, float]:
    """Decisions of a game played by chance for some seconds at most, and its mean and longest step, in seconds of CPU.

    A step is what an arena does between two decisions: the action, the choices, what the seat sees.
    """
    steps: list[float] = []
    stream = Stream(b"table", "moves")
    began = perf_counter()
    state = game.new_state(b"table")
    while state.movers() and perf_counter() - began < seconds:
        for seat in state.movers():
            choice = stream.choice(state.choices(seat))
            since = process_time()
            state.apply(seat, choice.action)
            for other in state.movers():
                state.choices(other)
                state.observe(other)
            steps.append(process_time() - since)
    return len(steps), sum(steps) / max(1, len(steps)), max(steps, default=0.0)


def tried(name: str) -> dict[str, Any]:
    """One game: what it is, whether it conforms, and how long a step takes."""
    facts: dict[str, Any] = {"name": name}
    try:
        game = catalog.game(f"openspiel:{name}")
    except RivalryError as error:
        return {**facts, "why": str(error)}
    assert isinstance(game, OpenSpielGame)
    setup = game.setup.json()
    facts |= {key: setup[key] for key in ("information", "dynamics", "chance")}
    facts |= {"seats": game.seats, "imagines": game.imagines, "public": game.is_open or game.observer is not None}
    facts["decisions"], mean_s, longest_s = measured(game, 2.0)
    facts["step_us"], facts["longest_us"] = round(mean_s * 1e6), round(longest_s * 1e6)
    facts["heavy"] = game.heavy
    games = 0
    began = perf_counter()
    try:
        while games < 3 and (not games or perf_counter() - began < 2):
            conformance.check(game, games=1, seed=f"table/{games}".encode())
            games += 1
    except Exception as error:  # whatever OpenSpiel does
        facts["why"] = f"{type(error).__name__}: {library.said(error)}"
    facts["games"] = games
    return facts


def _in_process(name: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "rivalry_openspiel.table", "--one", name]
    if "--resample" in sys.argv:
        command.append("--resample")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False, errors="replace")
    except subprocess.TimeoutExpired:
        return {"name": name, "why": f"three games through conformance took more than {LIMIT_S:g} s"}
    try:
        told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        return {"name": name, "why": f"it failed altogether: {lines[-1][:200]}"}
    return told


def row(facts: dict[str, Any]) -> str:
    """A line of the table."""
    if "decisions" not in facts:
        return f"| `{facts['name']}` | | | | | | no: {facts['why']} |"
    kind = [facts["information"].replace("_information", ""), facts["dynamics"], facts["chance"]]
    able = [word for word in ("imagines", "heavy") if facts[word]] + (["no public text"] if not facts["public"] else [])
    verdict = f"no: {facts['why']}" if "why" in facts else f"yes, {counted(facts['games'], 'game')}"
    cells = (
        f"`{facts['name']}`",
        str(facts["seats"]),
        ", ".join(kind).replace("_stochastic", ""),
        str(facts["decisions"]),
        f"{facts['step_us']} / {facts['longest_us']}",
        ", ".join(able),
        verdict,
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Writes the table to stdout, in Markdown; ``--json``: a line a game."""
    parser = argparse.ArgumentParser(description="every game of OpenSpiel through conformance")
    parser.add_argument("--one", metavar="NAME", help="one game, in this process, as JSON")
    parser.add_argument("names", nargs="*", metavar="NAME", help="some games; without any, all")
    parser.add_argument("--json", action="store_true", help="a JSON object a line")
    parser.add_argument("--resample", action="store_true", help="takes every game with secrets to be resampled")
    given = parser.parse_args()
    if given.resample:
        known.RESAMPLED = frozenset(library.registered())  # type: ignore[misc]
    if given.one:
        print(json.dumps(tried(given.one)), flush=True)
        os._exit(0)  # what OpenSpiel does at its end is not asked for
    names = given.names or [*sorted(library.registered()), *WITH_PARAMETERS]
    if not given.json:
        print("| game | seats | kind | decisions | µs of CPU a step, mean / longest | | conforms |\n|" + "---|" * 7)
    for name in names:
        facts = _in_process(name)
        print(json.dumps(facts) if given.json else row(facts), flush=True)


if __name__ == "__main__":
    main()
