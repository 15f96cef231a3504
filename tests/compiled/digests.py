"""Both builds of the engine play the same games: equal digests of whole games, played by chance from the same seeds.

``python tests/compiled/digests.py [--games N]`` starts a process with the sources and one with ``build/compiled``
before them, and compares what they print; it ends with 1 when they differ.  A digest is that of a record (seed, actions
and scores); in every tenth game it also covers what every audience sees, the events, and the
position at every decision.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rivalry_engine import catalog, compiled
from rivalry_engine.chance import luck, seed_of_match
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC, Game, Objection
from rivalry_engine.playout import uniform
from rivalry_engine.prompt import Answer, StatePrompt, judged
from rivalry_engine.record import canonical, game_digest

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "compiled"
GAMES = 1000
WHOLE = 10
"""Every so many games all that can be seen is compared, too."""
OURS = ("kuhn", "ethnos", "foederati")


def tables() -> list[Game]:
    """Every game of ours at every number of seats, and Ethnos with other rules."""
    installed = [name for name in OURS if catalog.is_known(name)]
    made = [catalog.game(name, {"seats": seats}) for name in installed for seats in catalog.rules(name).seat_counts]
    made.append(catalog.game("ethnos", {"ruleset": "bga", "centaurs_need_marker": False}))
    return made


def played(game: Game, seed: bytes, *, whole: bool) -> str:
    """The digest of one game played by chance."""
    state = game.new_state(seed)
    lucks = [luck(seed, seat) for seat in range(game.seats)]
    shown = hashlib.sha256()
    actions: list[tuple[int, int]] = []
    movers = tuple(state.movers())
    while movers:
        for seat in movers:
            prompt = StatePrompt(state, seat, number=len(actions) + 1, luck=lucks[seat])
            action = judged(state, seat, prompt.choices, Answer.of(uniform(prompt)))
            assert not isinstance(action, Objection), action.text
            if whole:
                state = state.clone()
                state.log = []
            state.apply(seat, action)
            actions.append((seat, action))
            if whole:
                _look(shown, game, state)
        movers = tuple(state.movers())
    record = game_digest(game, seed, [(seat, game.text(action)) for seat, action in actions], state.scores())
    return f"{record} {shown.hexdigest()[:16] if whole else '-'} {len(actions)}"


def _look(shown: Any, game: Game, state: Any) -> None:
    for audience in (PUBLIC, *range(game.seats)):
        shown.update(canonical(state.observe(audience).json()))
        for event in state.log:
            shown.update(game.event_text(seen(event, audience)).encode())
    shown.update(canonical(state.position()))
    for mover in state.movers():
        shown.update(repr([game.text(action) for action in state.legal_actions(mover)][:200]).encode())


def lines(games: int) -> Iterator[str]:
    """A line for each of ``games`` games, the tables in turn."""
    at = tables()
    for number in range(games):
        game = at[number % len(at)]
        digest = played(game, seed_of_match(b"builds", number), whole=number // len(at) % WHOLE == 0)
        yield f"{game.name} {game.seats} {number} {digest}"


def told(games: int, path: Path | None) -> list[str]:
    """What a process with ``path`` before the sources prints: whether it is compiled, then the lines."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    command = [sys.executable, str(Path(__file__)), "--print", "--games", str(games)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def compared(games: int) -> dict[str, Any]:
    """How many games and decisions were compared, and the lines that differ."""
    plain, fast = told(games, None), told(games, COPY)
    assert (plain[0], fast[0]) == ("compiled False", "compiled True"), (plain[0], fast[0])
    differ = [f"{one}\n{other}" for one, other in zip(plain, fast, strict=True) if one != other][1:]
    return {
        "games": games,
        "decisions": sum(int(line.rpartition(" ")[2]) for line in plain[1:]),
        "differences": len(differ),
        "first": differ[:1],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--print", action="store_true", help="only print the digests of the build that runs here")
    given = parser.parse_args()
    if given.print:
        print("compiled", compiled.is_compiled())
        for line in lines(given.games):
            print(line)
        return 0
    figures = compared(given.games)
    print(json.dumps(figures))
    return 1 if figures["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
