"""A game in words, a line a move: the same in a replay and in a match that is watched."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.event import Seen
from rivalry_engine.game import Game

MARGIN = " " * 8


def line(
    number: int,
    seat: int,
    action: str,
    *,
    name: str = "",
    stood_in: bool = False,
    before: Sequence[int],
    after: Sequence[int],
    unit: int = 1,
) -> str:
    """One move: its number, the seat, the action in its notation, and what the scores gained or lost by it.

    ``unit`` is how many units of a score make a point.
    """
    who = f"seat {seat} {name}".rstrip() + (" (stand-in)" if stood_in else "")
    changed = [
        f"seat {other} {'+' if new > old else ''}{points(new - old, unit)} = {points(new, unit)}"
        for other, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    ]
    return f"{number:>4}  {who}: {action}" + (f"  [{'; '.join(changed)}]" if changed else "")


def points(score: int, unit: int) -> int | float:
    """A score in points."""
    return score if unit == 1 else score / unit if score % unit else score // unit


def consequence(game: Game, seen: Seen) -> str:
    """What followed from a move, to stand below it; raises TypeError where the game has no text for it."""
    text = game.event_text(seen)
    if not isinstance(text, str):
        raise TypeError(f"event_text of {seen.kind} gave {text!r:.80}; expected a text")
    return MARGIN + text
