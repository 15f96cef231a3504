"""Checks of who meets whom: that tables are those of the kind, and that pairs meet as often as promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from rivalry_engine.counting import counted
from rivalry_tournament.checking.finding import Finding, between, finding, not_promised, things
from rivalry_tournament.schedule import Block, Round
from rivalry_tournament.settings import Kind, Settings

KNOCKOUTS = (Kind.KNOCKOUT, Kind.DOUBLE_KNOCKOUT)


def tables(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """Every table has as many bots as it should, and plays its blocks, numbered from 1, exactly once each."""
    wrong: list[str] = []
    count = 0
    each: list[int] = []
    last: dict[tuple[str, ...], int] = {}
    for round_ in rounds:
        subjects = settings.subjects if settings.kind is Kind.EVALUATION else ()
        numbers: dict[tuple[str, ...], list[int]] = {(subject,): [] for subject in subjects}
        for block in round_.blocks:
            numbers.setdefault(_table(settings, block), []).append(block.number)
        count += len(numbers)
        each += map(len, numbers.values())
        for bots, found in numbers.items():
            if len(bots) != _size(settings):
                wrong.append(
                    f"round {round_.number}: the table {', '.join(bots)}; expected {counted(_size(settings), 'bot')}"
                )
            if not _numbered(settings, found, last.get(bots, 0)):
                wrong.append(
                    f"round {round_.number}: {', '.join(bots)} play the blocks {', '.join(map(str, found)) or 'none'}"
                )
        last = {bots: max(found, default=0) for bots, found in numbers.items()}
    promise = "every table plays all its blocks, once"
    if settings.kind in KNOCKOUTS:
        promise += "; a level tie goes on, a block a round"
    return finding(promise, f"{counted(count, 'table')} of {things(each, 'block')}", wrong)


def _table(settings: Settings, block: Block) -> tuple[str, ...]:
    """What makes two blocks those of one table: its bots, or in an evaluation whose it is."""
    return block.bots[:1] if settings.kind is Kind.EVALUATION else tuple(sorted(block.bots))


def _size(settings: Settings) -> int:
    if settings.kind is Kind.EVALUATION:
        return 1
    return settings.bots if settings.kind in (Kind.ROUND_ROBIN, Kind.SWISS) else 2


def _numbered(settings: Settings, numbers: Sequence[int], last: int) -> bool:
    """True of all blocks of a table, and in a knockout of the one after ``last``, that of the round before."""
    if sorted(numbers) == list(range(1, settings.blocks + 1)):
        return True
    most = settings.blocks + settings.further
    return settings.kind in KNOCKOUTS and settings.blocks <= last < most and list(numbers) == [last + 1]


def pairs(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """How often pairs meet is what the kind promises."""
    if settings.kind is Kind.SWISS:
        return _swiss(settings, rounds)
    if settings.kind in KNOCKOUTS:
        return _knockout(settings, rounds)
    if settings.kind is Kind.EVALUATION:
        return _evaluation(settings, rounds)
    met = _met([block for round_ in rounds for block in round_.blocks])
    if settings.kind is Kind.GAUNTLET:
        return _gauntlet(settings, met)
    each = {pair: met[pair] for pair in combinations(sorted(settings.names()), 2)}
    most = max(each.values(), default=0)
    wrong = [
        f"{' and '.join(pair)} meet in {counted(times, 'block')}, others in {most}" for pair, times in each.items()
    ]
    wrong = [text for text, times in zip(wrong, each.values(), strict=True) if times != most or times == 0]
    return finding("every two entrants meet equally often", f"in {things(list(each.values()), 'block')}", wrong)


def _met(blocks: Sequence[Block]) -> Counter[tuple[str, str]]:
    return Counter(pair for block in blocks for pair in combinations(sorted(block.bots), 2))


def _gauntlet(settings: Settings, met: Counter[tuple[str, str]]) -> Finding:
    wrong = []
    times: list[int] = []
    for pair in combinations(sorted(settings.names()), 2):
        tried = sum(name in settings.subjects for name in pair) == 1
        times += [met[pair]] if tried else []
        if met[pair] != (settings.blocks if tried else 0):
            wrong.append(f"{' and '.join(pair)} meet in {counted(met[pair], 'block')}")
    return finding("every subject meets every opponent equally often", f"in {things(times, 'block')}", wrong)


def _evaluation(settings: Settings, rounds: Sequence[Round]) -> Finding:
    wrong: list[str] = []
    draws: dict[tuple[int, int], tuple[str, ...]] = {}
    drawn: Counter[str] = Counter(dict.fromkeys(settings.opponents(), 0))
    for round_ in rounds:
        for block in round_.blocks:
            subject = block.bots[0] if block.bots else ""
            others = tuple(sorted(bot for bot in (block.matches[0].seats if block.matches else ()) if bot != subject))
            if subject not in settings.subjects or set(others) & set(settings.subjects):
                wrong.append(f"block {block.id}: {subject} against {', '.join(others)}")
            if draws.setdefault((round_.number, block.number), others) != others:
                wrong.append(f"block {block.id}: another draw than block {block.number} of the other subjects")
            if subject == settings.subjects[0]:
                drawn.update(others)
    times = list(drawn.values())
    if max(times, default=0) - min(times, default=0) > 1:
        wrong.append("; ".join(f"{name} is drawn {counted(many, 'time')}" for name, many in drawn.items()))
    return finding(
        "all subjects have the same draws; of the field each is drawn equally often, or once more or less",
        f"{things(times, 'time')}",
        wrong,
    )


def _swiss(settings: Settings, rounds: Sequence[Round]) -> Finding:
    wrong: list[str] = []
    met: Counter[tuple[str, str]] = Counter()
    for round_ in rounds:
        firsts = [block for block in round_.blocks if block.number == 1]
        met.update(_met(firsts))
        wrong.extend(_seated_once(settings, round_, firsts))
    again = sum(times - 1 for times in met.values() if times > 1)
    once = settings.bots == 2 and len(rounds) <= len(settings.entrants) // 2
    if again and once:
        wrong += [f"{' and '.join(pair)} meet in {counted(times, 'round')}" for pair, times in met.items() if times > 1]
    byes = Counter(dict.fromkeys(settings.names(), 0))
    byes.update(name for round_ in rounds for name in round_.byes)
    if max(byes.values()) - min(byes.values()) > 1:
        wrong.append("; ".join(f"{name} has {counted(many, 'bye')}" for name, many in byes.items()))
    promise = "every round seats each entrant once or gives a bye, nobody has two byes more than another"
    promise += ", and no two meet twice" if once else ""
    figures = (
        f"{len(rounds)} of {counted(settings.rounds, 'round')}, {counted(again, 'meeting')} again,"
        f" {things(list(byes.values()), 'bye')}"
    )
    return finding(promise, figures, wrong)


def _seated_once(settings: Settings, round_: Round, blocks: Sequence[Block]) -> Iterator[str]:
    seated = Counter(round_.byes)
    seated.update(bot for block in blocks for bot in block.bots)
    for name in settings.names():
        if seated[name] != 1:
            yield f"round {round_.number}: {name} is seated {counted(seated[name], 'time')}; expected once, or a bye"
    if len(round_.byes) != len(settings.entrants) % settings.bots:
        yield f"round {round_.number} has {counted(len(round_.byes), 'bye')}"


def _knockout(settings: Settings, rounds: Sequence[Round]) -> Finding:
    wrong: list[str] = []
    ties = 0
    for round_ in rounds:
        pairs_ = list(dict.fromkeys(block.bots for block in round_.blocks))
        ties += len(pairs_)
        seated = Counter(round_.byes)
        seated.update(bot for pair in pairs_ for bot in pair)
        wrong += [
            f"round {round_.number}: {name} is in {counted(many, 'tie')}" for name, many in seated.items() if many > 1
        ]
    first = {bot for round_ in rounds[:1] for block in round_.blocks for bot in block.bots}
    first.update(rounds[0].byes if rounds else ())
    wrong += [f"round 1: {name} is missing" for name in settings.names() if name not in first]
    return finding(
        "in every round each who is in has one tie, or waits",
        f"{counted(ties, 'tie')} in {counted(len(rounds), 'round')}",
        wrong,
    )


def shares(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """Where all play alike every entrant, and where there are subjects every one of a part, has as many seats."""
    seats: Counter[str] = Counter()
    for round_ in rounds:
        for block in round_.blocks:
            for match in block.matches:
                seats.update(match.seats)
    parts = {
        Kind.ROUND_ROBIN: {"entrant": settings.names()},
        Kind.GAUNTLET: {"subject": settings.subjects, "opponent": settings.opponents()},
        Kind.EVALUATION: {"subject": settings.subjects},
    }.get(settings.kind)
    if parts is None:
        figures = "; ".join(f"{name} {seats[name]}" for name in settings.names()[:12])
        figures += " …" if len(settings.entrants) > 12 else ""
        return not_promised("every entrant has equally many seats", f"results say who plays on: {figures}")
    wrong = [
        "; ".join(f"{name} has {counted(seats[name], 'seat')}" for name in names)
        for names in parts.values()
        if len({seats[name] for name in names}) > 1
    ]
    figures = "; ".join(f"every {part} {between([seats[name] for name in names])}" for part, names in parts.items())
    return finding(f"every {' and every '.join(parts)} has equally many seats", figures, wrong)
