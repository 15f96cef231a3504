"""Entrants who are people: they play one match at a time, and nothing is drawn over what they read."""

from __future__ import annotations

from collections.abc import Iterable

from rivalry_tournament.settings import Entrant


def among(entrants: Iterable[Entrant]) -> tuple[str, ...]:
    """The names of those who are asked on a terminal."""
    return tuple(entrant.name for entrant in entrants if entrant.spec.partition("?")[0] == "human")


def objection(entrants: Iterable[Entrant], at_once: int) -> str:
    """What is expected instead of so many matches at once; empty where nothing is wrong with them."""
    names = among(entrants)
    if not names or at_once <= 1:
        return ""
    are = "is a person, who plays" if len(names) == 1 else "are people, who play"
    return f"{at_once} matches at once; expected 1, since {', '.join(names)} {are} one at a time"
