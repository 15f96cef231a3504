"""Evaluation: each subject on every seat in turn, the other seats drawn from the field.

Block n of every subject has the same seed and the same draw, so that subjects differ in nothing but themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from rivalry_engine.chance import Stream
from rivalry_tournament import blocks
from rivalry_tournament.schedule import Block, Round
from rivalry_tournament.settings import Settings


def draws(seed: bytes, field: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Who of ``field`` has the other ``seats``, block by block, without an end.

    After every block each of the field was drawn as often as any other, or once more or less; among those who may be
    drawn the ones come first who met least, then chance.  A field of fewer than ``seats`` sits on several.
    """
    drawn: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    number = 0
    while True:
        number += 1
        order = list(field)
        Stream(seed, f"field/{number}").shuffle(order)
        whole, rest = divmod(seats, len(field))
        chosen = list(field) * whole
        extra: list[str] = []
        for _ in range(rest):
            free = [bot for bot in order if bot not in extra]
            extra.append(min(free, key=lambda bot: (drawn[bot], sum(met[frozenset((bot, other))] for other in extra))))
        drawn.update(extra)
        met.update(frozenset(pair) for pair in combinations(extra, 2))
        yield (*sorted(chosen + extra, key=field.index),)


def numbered(settings: Settings) -> Iterator[tuple[Block, ...]]:
    """The blocks of all subjects for number 1, 2, 3, …, without an end: what is played until enough is known."""
    at = 0
    drawn = draws(settings.seed, settings.opponents(), settings.seats - 1)
    for number, others in enumerate(drawn, 1):
        made = []
        for subject in settings.subjects:
            at += 1
            made.append(blocks.block(settings, (subject, *others), round_=1, at=at, number=number))
        yield tuple(made)


def rounds(settings: Settings) -> tuple[Round, ...]:
    """The only round."""
    made = islice(numbered(settings), settings.blocks)
    return (Round(1, "evaluation", tuple(block for blocks_ in made for block in blocks_)),)
