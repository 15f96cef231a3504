"""What leaves a game of OpenSpiel's: its setup and its observations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rivalry_engine.game import Observation, View

COLOURS: Final = re.compile("\x1b\\[[0-9;]*m")
"""What a terminal takes for colours: some games write them into their texts."""


@dataclass(frozen=True, slots=True)
class Setup(View):
    """The game as OpenSpiel writes it, with its parameters, and how it is called and played."""

    facts: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        return dict(self.facts)


@dataclass(frozen=True, slots=True)
class Sight(Observation):
    """What an audience sees.

    ``facts`` holds ``seat`` (null for the public), ``to_move`` (the seats that are asked) and ``over``.
    Of OpenSpiel's own texts it holds ``text`` (the observation) and, where information is hidden, ``memory`` (all that
    the seat was ever shown), each where the game has it.
    Where states can be imagined, ``history`` holds OpenSpiel's actions of a state that looks so: in a game without
    secrets those that were done, else some that could have been.
    At the end of a game without secrets there are ``scores``; with secrets a seat learns them as the match's outcome,
    since other states that looked the same may have others.
    """

    seat: int
    facts: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        return dict(self.facts)


def view(facts: Mapping[str, Any]) -> str:
    """An observation in words."""
    lines: list[str] = []
    seat = facts["seat"]
    if facts["over"]:
        lines.append("The game is over.")
    elif seat in facts["to_move"]:
        others = [str(other) for other in facts["to_move"] if other != seat]
        too = f", at the same time as seat {', '.join(others)}" if others else ""
        lines.append(f"You are seat {seat}; it is your turn{too}.")
    else:
        lines.append(f"To move: seat {', '.join(map(str, facts['to_move']))}.")
    for key, told in (("text", "Observed now:"), ("memory", "All that you were shown:")):
        if facts.get(key):
            lines += ["", told, COLOURS.sub("", facts[key]).rstrip("\n")]
    if "history" in facts:
        named = "Actions so far" if "memory" not in facts else "Actions that could have led here"
        lines += ["", f"{named} (OpenSpiel's numbers): {' '.join(map(str, facts['history'])) or 'none'}"]
    if "scores" in facts:
        lines += ["", f"Scores, in millionths: {', '.join(map(str, facts['scores']))}"]
    return "\n".join(lines)
