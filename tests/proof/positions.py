"""A thousand random games: at every decision the position is read back to the same state."""

from __future__ import annotations

import json
from typing import Any

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.game import PUBLIC, State
from rivalry_engine.playout import picked
from rivalry_engine.prompt import judged

ABOUT = ("engine",)
BLOCK = 25
STEPS = [f"{seats}-seats-{block}" for seats in range(2, 7) for block in range(8)]


def run(step: str) -> dict[str, Any]:
    """Plays the games of one step; raises AssertionError where a state does not come back."""
    seats = step.partition("-")[0]
    decisions = 0
    for number in range(BLOCK):
        stream = Stream(f"positions/{step}/{number}".encode(), "play")
        options = {
            "seats": int(seats),
            "ruleset": ("standard", "bga")[number % 2],
            "centaurs_need_marker": number % 3 != 0,
        }
        decisions += _game(catalog.game("ethnos", options).new_state(stream.seed()), stream)
    return {"seats": int(seats), "games": BLOCK, "decisions": decisions, "told": f"{decisions} decisions"}


def _game(state: State, stream: Stream) -> int:
    """Plays one game; beside the state goes one that is read back from its position before every decision."""
    decisions = 0
    while movers := state.movers():
        again = _back(state)
        seat = movers[0]
        choices = state.choices(seat)
        shapes = [(len(choice.parts), choice.least, choice.most, choice.usual) for choice in choices]
        action = judged(state, seat, choices, picked(shapes, stream))
        assert isinstance(action, int)
        state.apply(seat, action)
        again.apply(seat, action)
        assert (again.movers(), again.scores()) == (state.movers(), state.scores()), state.game.text(action)
        decisions += 1
        if decisions % 8 == 0:
            assert again.position() == state.position(), f"after {state.game.text(action)}"
    _back(state)
    return decisions


def _back(state: State) -> State:
    """The state read back from its position as JSON text, which is equal in everything that can be looked at."""
    position = json.loads(json.dumps(state.position()))
    again = state.game.state_at(position)
    assert again.position() == position
    assert again.movers() == state.movers()
    for audience in (PUBLIC, *range(state.game.seats)):
        assert again.observe(audience) == state.observe(audience), f"audience {audience}: {position}"
    for seat in state.movers():
        assert again.question(seat) == state.question(seat)
        assert list(again.choices(seat)) == list(state.choices(seat)), f"seat {seat}: {position}"
    assert (again.scores(), again.ranks()) == (state.scores(), state.ranks())
    return again


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row for each number of seats."""
    lines = ["| seats | games | decisions read back | differences |", "|---|---|---|---|"]
    for seats in sorted({step["seats"] for step in figures}):
        steps = [step for step in figures if step["seats"] == seats]
        games, decisions = (sum(step[key] for step in steps) for key in ("games", "decisions"))
        lines.append(f"| {seats} | {games} | {decisions:,} | 0 |")
    return lines, True
