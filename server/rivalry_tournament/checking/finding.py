"""What a check found: the promise, the figures counted, and where they do not hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rivalry_report import names

SHOWN: Final = 5
"""So many of the places where a promise is broken are told."""
COLUMNS: Final = 400
"""So long is what is told of one at most: a file that is checked may hold anything."""


@dataclass(frozen=True, slots=True)
class Finding:
    """``wrong`` is empty where it is held; ``promised`` is false where these settings promise no such thing."""

    promise: str
    figures: str
    wrong: tuple[str, ...]
    promised: bool = True

    @property
    def held(self) -> bool:
        """True if nothing is wrong."""
        return not self.wrong

    @property
    def verdict(self) -> str:
        """As people read it."""
        if not self.promised:
            return "not promised"
        return "yes" if self.held else "NO"

    def json(self) -> dict[str, Any]:
        """For programs; ``held`` is None where it is not promised."""
        return {
            "promise": self.promise,
            "promised": self.promised,
            "held": self.held if self.promised else None,
            "figures": self.figures,
            "wrong": list(self.wrong),
        }


def finding(promise: str, figures: str, wrong: Iterable[str]) -> Finding:
    """The finding with the first of what is wrong, and how many more there are."""
    found = [names.clipped(names.shown(text), COLUMNS) for text in wrong]
    more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
    return Finding(promise, figures, (*found[:SHOWN], *more))


def not_promised(promise: str, why: str) -> Finding:
    """The finding where these settings promise no such thing, and why."""
    return Finding(promise, why, (), promised=False)


def things(counts: Sequence[int], one: str, many: str = "") -> str:
    """``1 block``, ``3 to 5 blocks``; ``many`` is the plural where it is not ``one`` with an s."""
    return f"{between(counts)} {one if set(counts) == {1} else many or one + 's'}"


def between(counts: Sequence[int]) -> str:
    """``3``, or ``3 to 5``."""
    if not counts:
        return "none"
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
