"""A ladder's book with a queue, and bots and matches in it, made in a moment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rivalry_ladder import book, registry, results
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.book import Made, Row
from rivalry_ladder.registry import Means, Wanted
from rivalry_ladder.results import Ended, Recorded
from rivalry_ladder.settings import Settings
from rivalry_ladder.store import Store

QUEUE: Final = "kuhn"
OPEN: Final = "kuhn"


def settings(**more: Any) -> Settings:
    """Settings with one queue of Kuhn poker; ``more`` are tables of the document."""
    return ladder_settings.settings({"queues": {QUEUE: {"game": "kuhn", "time": "5s"}}} | more)


def settled(store: Store, **more: Any) -> Settings:
    """The same, put into the book."""
    made = settings(**more)
    store.do(lambda connection: book.settle(connection, made, now=0.0))
    return made


def entries(store: Store, name: str | None = None) -> list[Row]:
    """What the book has, of all or of one bot."""
    return store.do(lambda connection: book.read(connection, name))


def bots(store: Store, *names: str, version: str = "1") -> list[Row]:
    """Registers bots, each of an owner of its own."""
    for name in names:
        wanted = Wanted(name, f"owner of {name}", version)
        store.do(lambda connection, wanted=wanted: registry.register(connection, wanted, Means.DIALS_IN, now=1.0))
    return [row for name in names for row in entries(store, name)]


def match(store: Store, number: int, rows: Sequence[Row | None], *, probe: bool = False) -> Made:
    """Makes a match of these, by seat; None is a built-in bot."""
    labels = tuple("random" if row is None else row.label for row in rows)
    seated = tuple(None if row is None else row.entry for row in rows)
    queue = next(row.queue_id for row in rows if row is not None)
    made = Made(f"{number:032x}", queue, bytes([number % 256]), seated, labels, probe=probe)
    store.do(lambda connection: book.make(connection, [made], now=float(number)))
    return made


VOID: Final[dict[str, Any]] = {"scores": (None, None), "ranks": (None, None), "digest": ""}
"""What there is of a match without a result."""


def ended(made: Made, places: Sequence[int] = (1, 2), **more: Any) -> Ended:
    """How it went: well, where ``more`` does not say otherwise."""
    seats = len(made.entries)
    facts: dict[str, Any] = {
        "scores": tuple(3 - place for place in places),
        "ranks": tuple(places),
        "ends": ("normal",) * seats,
        "texts": ("",) * seats,
        "versions": ("",) * seats,
        "digest": made.match_id,
        "transcript": made.match_id,
        "attempt": 1,
        "run_id": made.match_id,
    }
    return Ended(match_id=made.match_id, **(facts | more))


def record(store: Store, told: Ended, made: Settings, *, now: float = 100.0) -> Recorded:
    """Writes a result."""
    return store.do(lambda connection: results.record(connection, told, made.figures, now=now))
