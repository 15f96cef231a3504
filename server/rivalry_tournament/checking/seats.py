"""Checks of what is inside blocks: who sits where, and left of whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, factorial, prod
from typing import Final

from rivalry_engine.counting import counted
from rivalry_tournament.checking.finding import Finding, between, finding, things
from rivalry_tournament.schedule import Block, Round
from rivalry_tournament.settings import Kind, Settings

APART_MOST: Final = 2
"""How many orders, at most, one pair of neighbours may be ahead of another."""
WHOLE: Final = {2: 1, 3: 2, 4: 6, 5: 4, 6: 10}
"""After how many orders of a table neighbours are level, by seats."""


def _blocks(rounds: Sequence[Round]) -> list[Block]:
    return [block for round_ in rounds for block in round_.blocks]


def _shared(settings: Settings) -> bool:
    """True if bots share the seats of a table."""
    return settings.bots < settings.seats and settings.kind is not Kind.EVALUATION


def filled(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """Every match has as many seats as the game, all of its table's bots on them, and no other has the same."""
    return finding(
        "every match fills the table with its bots, each seating once",
        counted(settings.seats, "seat"),
        (fault for block in _blocks(rounds) for fault in _unfilled(settings, block)),
    )


def _unfilled(settings: Settings, block: Block) -> Iterator[str]:
    names = set(settings.names())
    if len(set(block.bots)) < len(block.bots) or not set(block.bots) <= names:
        yield f"block {block.id}: its table is {', '.join(block.bots)}; expected entrants, each once"
    for match in block.matches:
        if len(match.seats) != settings.seats or set(match.seats) != set(block.bots):
            yield f"block {block.id}, place {match.place}: {', '.join(match.seats)} sit there"
    for seats, many in Counter(match.seats for match in block.matches).items():
        if many > 1:
            yield f"block {block.id}: {', '.join(seats)} sit so {counted(many, 'time')}"


def counts(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """Every block has exactly as many matches as its rotations and splits say."""
    blocks = _blocks(rounds)
    wrong = []
    for block in blocks:
        expected = _matches(settings, block)
        if len(block.matches) != expected:
            wrong.append(f"block {block.id} has {counted(len(block.matches), 'match', 'matches')}; expected {expected}")
        if settings.splits == "even" and settings.kind is not Kind.EVALUATION:
            wrong += [
                f"block {block.id}, place {match.place}: its seats are not shared evenly"
                for match in block.matches
                if max(Counter(match.seats).values(), default=0) > -(-settings.seats // max(1, len(block.bots)))
            ]
    each = things([len(block.matches) for block in blocks], "match", "matches")
    figures = f"{each} in each of {counted(len(blocks), 'block')}"
    return finding(f"exact counts: {settings.rotations} rotations", figures, wrong)


def _matches(settings: Settings, block: Block) -> int:
    """How many matches the block should have."""
    seats, bots = settings.seats, len(block.bots)
    if not bots:
        return 0
    if not _shared(settings):
        if settings.rotations == "full":
            return factorial(seats) // _repeated(block)
        return seats if settings.rotations == "cyclic" else int(settings.rotations.removeprefix("balanced "))
    if settings.rotations == "full":
        if settings.splits == "all":
            return sum((-1) ** empty * comb(bots, empty) * (bots - empty) ** seats for empty in range(bots))
        least, more = divmod(seats, bots)
        alike: int = factorial(least) ** (bots - more) * factorial(least + 1) ** more
        return comb(bots, more) * factorial(seats) // alike
    shares = {tuple(Counter(match.seats)[bot] for bot in block.bots) for match in block.matches}
    wanted = comb(seats - 1, bots - 1) if settings.splits == "all" else comb(bots, seats % bots)
    turns = {_turned(match.seats) for match in block.matches}
    return sum(len(_turns(seats_)) for seats_ in turns) if len(shares) == wanted else 0


def _repeated(block: Block) -> int:
    """How many orders of a table look the same, since a small field has bots on several seats."""
    return prod(factorial(many) for many in Counter(block.matches[0].seats).values()) if block.matches else 1


def _turns(seats: Sequence[str]) -> set[tuple[str, ...]]:
    return {(*seats[at:], *seats[:at]) for at in range(len(seats))}


def _turned(seats: Sequence[str]) -> tuple[str, ...]:
    """One of all turns of a table, the same for all."""
    return min(_turns(seats))


def balanced(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """In every block each bot is on every seat equally often, and none has more seats than another."""
    wrong: list[str] = []
    figures: list[int] = []
    for block in _blocks(rounds):
        on: Counter[tuple[str, int]] = Counter()
        for match in block.matches:
            on.update((bot, seat) for seat, bot in enumerate(match.seats))
        by_bot = {bot: [on[bot, seat] for seat in range(settings.seats)] for bot in block.bots}
        for bot, times in by_bot.items():
            figures.extend(times)
            if len(set(times)) > 1:
                wrong.append(f"block {block.id}: {bot} is on the seats {', '.join(map(str, times))} times")
        if settings.kind is not Kind.EVALUATION and len({sum(times) for times in by_bot.values()}) > 1:
            wrong.append(f"block {block.id}: its bots have different numbers of seats")
    return finding("in every block each bot is on every seat equally often", f"{between(figures)} on each seat", wrong)


def neighbours(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """Over the blocks of a table, each bot sits left of each other as often as can be balanced."""
    promise = "over the blocks of a table each bot sits left of every other nearly equally often"
    if _shared(settings) or settings.kind is Kind.EVALUATION:
        return finding(promise, "not promised where seats are shared or drawn", ())
    tables: dict[tuple[int, tuple[str, ...]], list[Block]] = defaultdict(list)
    for round_ in rounds:
        for block in round_.blocks:
            tables[round_.number, block.bots].append(block)
    wrong: list[str] = []
    apart: list[int] = []
    exact = _exact(settings)
    for (_, bots), blocks in tables.items():
        left = _left(blocks)
        each = [left[one, other] for one, other in product(bots, bots) if one != other]
        orders = sum(len(block.matches) for block in blocks) // settings.seats
        apart.append(max(each, default=0) - min(each, default=0))
        level = exact and orders % WHOLE[settings.seats] == 0
        if apart[-1] > (0 if level else APART_MOST * settings.seats):
            wrong.append(f"table {', '.join(bots)}: {things(each, 'time')} over {counted(orders, 'order')}")
    return finding(promise, f"at most {counted(max(apart, default=0), 'match', 'matches')} apart", wrong)


def _exact(settings: Settings) -> bool:
    """True if orders are played in whole cycles, after which neighbours are exactly level."""
    each = _matches_of(settings) // settings.seats
    return each <= WHOLE[settings.seats] or each == factorial(settings.seats - 1)


def _matches_of(settings: Settings) -> int:
    if settings.rotations == "full":
        return factorial(settings.seats)
    return settings.seats if settings.rotations == "cyclic" else int(settings.rotations.removeprefix("balanced "))


def _left(blocks: Sequence[Block]) -> Counter[tuple[str, str]]:
    """How often each bot sits left of each other, round the table."""
    left: Counter[tuple[str, str]] = Counter()
    for block in blocks:
        for match in block.matches:
            left.update((match.seats[at - 1], match.seats[at]) for at in range(len(match.seats)))
    return left
