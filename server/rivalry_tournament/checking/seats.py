"""Checks of what is inside blocks: who sits where, and left of whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, factorial, prod
from typing import Final

from rivalry_engine.counting import counted
from rivalry_report.figures import listed
from rivalry_tournament.checking.finding import Finding, between, finding, not_promised, things
from rivalry_tournament.schedule import Block, Round
from rivalry_tournament.settings import Kind, Settings

APART_MOST: Final = 2
"""How many orders, at most, one pair of neighbours may be ahead of another, where they are not level."""
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
    figures = f"{each} in {'the one block' if len(blocks) == 1 else f'each of {len(blocks)} blocks'}"
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
    even: set[int] = set()
    uneven: list[int] = []
    for block in _blocks(rounds):
        on: Counter[tuple[str, int]] = Counter()
        for match in block.matches:
            on.update((bot, seat) for seat, bot in enumerate(match.seats))
        by_bot = {bot: [on[bot, seat] for seat in range(settings.seats)] for bot in block.bots}
        for bot, times in by_bot.items():
            even.add(times[0])
            if len(set(times)) > 1:
                uneven.extend(times)
                wrong.append(f"block {block.id}: {bot} is on the seats {', '.join(map(str, times))} times")
        if settings.kind is not Kind.EVALUATION and len({sum(times) for times in by_bot.values()}) > 1:
            wrong.append(f"block {block.id}: its bots have different numbers of seats")
    figures = f"{between(uneven)} times" if uneven else f"{_either(even)} on each seat"
    return finding("in every block each bot is on every seat equally often", figures, wrong)


def _either(times: set[int]) -> str:
    """``1 time``, or ``1 or 2 times, by bot``."""
    if len(times) == 1:
        return counted(next(iter(times)), "time")
    return f"{listed([str(each) for each in sorted(times)], 'or')} times, by bot,"


def neighbours(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """Each bot sits left of each other as often as can be: in every block, over a table's blocks, or nearly."""
    blocks = _blocks(rounds)
    often = "each bot sits left of every other equally often"
    if _shared(settings):
        return not_promised(often, "bots share the seats of a table")
    full = settings.rotations == "full" or settings.seats == 2
    if settings.kind is Kind.EVALUATION:
        if not full or any(_repeated(block) > 1 for block in blocks):
            return not_promised(often, "who is at a table is drawn")
        return _level(f"in every block {often}", [(block,) for block in blocks], 0)
    tables: dict[tuple[int, tuple[str, ...]], list[Block]] = defaultdict(list)
    for round_ in rounds:
        for block in round_.blocks:
            tables[round_.number, block.bots].append(block)
    if full:
        return _level(f"in every block {often}", [(block,) for block in blocks], 0)
    if settings.blocks * _matches_of(settings) // settings.seats % _whole(settings) == 0:
        return _level(f"over the blocks of a table {often}", list(tables.values()), 0)
    apart = APART_MOST * settings.seats
    promise = f"over the blocks of a table, how often a bot sits left of another differs by at most {apart} matches"
    return _level(promise, list(tables.values()), apart)


def _level(promise: str, tables: Sequence[Sequence[Block]], apart: int) -> Finding:
    """Whether neighbours at each table are at most so many matches apart; the figures are those of the worst."""
    wrong: list[str] = []
    worst = [0]
    for blocks in tables:
        left = _left(blocks)
        bots = blocks[0].bots
        each = [left[one, other] for one, other in product(bots, bots) if one != other] or [0]
        if max(each) - min(each) >= max(worst) - min(worst):
            worst = each
        if max(each) - min(each) > apart:
            wrong.append(f"table {', '.join(bots)}: {between(each)} times over {counted(len(blocks), 'block')}")
    return finding(promise, f"in {things(worst, 'match', 'matches')}", wrong)


def _whole(settings: Settings) -> int:
    """After how many orders neighbours are level: those of a cycle; more are all, or never exactly level."""
    each = _matches_of(settings) // settings.seats
    if each <= WHOLE[settings.seats]:
        return WHOLE[settings.seats]
    return each if each == factorial(settings.seats - 1) else each * settings.blocks + 1


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
