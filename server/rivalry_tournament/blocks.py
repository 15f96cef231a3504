"""Blocks: one seed, one table, and the matches in which its seats cancel."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.chance import derived
from rivalry_tournament import rotations
from rivalry_tournament.schedule import Block, Match, match_id
from rivalry_tournament.settings import Settings


def block(settings: Settings, bots: Sequence[str], *, round_: int, at: int, number: int) -> Block:
    """The block at place ``at`` of a round, both from 1: the ``number``-th of the table ``bots``.

    Where ``bots`` are as many as the seats each has one, and a name that stands there twice has two; fewer share them.
    """
    name, ids = f"{round_}.{at}", settings.ids()
    matches = tuple(
        Match(place, match_id(ids, name, place), seats)
        for place, seats in enumerate(seatings(settings, bots, number), 1)
    )
    seed = block_seed(settings, round_, number, name)
    return Block(name, round_, number, seed, tuple(dict.fromkeys(bots)), matches)


def block_seed(settings: Settings, round_: int, number: int, name: str) -> bytes:
    """The seed of the block ``name``: shared with block ``number`` of the round's other tables, or its own."""
    return derived(settings.seed, f"block/{name}" if settings.seeds == "own" else f"round/{round_}/block/{number}")


def seatings(settings: Settings, bots: Sequence[str], number: int) -> list[tuple[str, ...]]:
    """By match who has each seat."""
    if len(bots) == settings.seats:
        places = rotations.seatings(settings.seats, settings.rotations, number)
    elif len(bots) == 2 or settings.rotations == "full":
        places = rotations.splits_of(len(bots), settings.seats, settings.splits)
    else:
        places = rotations.turned_splits(len(bots), settings.seats, settings.splits, settings.rotations, number)
    return list(dict.fromkeys(tuple(bots[place] for place in seating) for seating in places))


def tabled(settings: Settings, tables: Sequence[Sequence[str]], *, round_: int, first: int = 1) -> tuple[Block, ...]:
    """``settings.blocks`` blocks for each of ``tables``, number by number; ``first`` is the number of the first."""
    blocks: list[Block] = []
    for number in range(first, first + settings.blocks):
        for bots in tables:
            blocks.append(block(settings, bots, round_=round_, at=len(blocks) + 1, number=number))
    return tuple(blocks)
