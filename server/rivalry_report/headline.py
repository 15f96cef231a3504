"""The result in a few sentences, and no more than the intervals bear."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rivalry_report import figures, head_to_head, tables

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation, Pair, Standing

NAMED: Final = 4
"""So many names stand in a sentence; more are counted."""


@dataclass(frozen=True, slots=True)
class Against:
    """How one bot stands against the others, head to head; each is in one of the lists that are tuples."""

    beaten: tuple[str, ...]
    """Those against whom the interval lies above an even score."""
    open: tuple[str, ...]
    """Those against whom it includes one."""
    lost: tuple[str, ...]
    """Those against whom it lies below one."""


def sentences(evaluation: Evaluation) -> list[list[tuple[str, bool]]]:
    """The headline: sentences of pieces, each with whether it is a bot's name."""
    if not evaluation.standings or not evaluation.matches:
        return [[("Nothing to tell yet: no block has been played to its end.", False)]]
    leader = evaluation.standings[0]
    level = [each.bot for each in evaluation.standings if each.rank == leader.rank]
    if len(level) > 1:
        of = f" share the first place of {figures.count(len(evaluation.standings), 'bot')}."
        return [[*_names(level), (of + _open(evaluation, len(level)), False)], *_faults(evaluation.standings)]
    told = [_first(evaluation, leader)]
    if len(evaluation.standings) > 1:
        told += _head_to_head(against(evaluation.pairs, leader.bot), others=len(evaluation.standings) - 1)
    return [*told, *_faults(evaluation.standings)]


def plain(evaluation: Evaluation) -> str:
    """The headline as text."""
    from rivalry_report.names import shown

    return " ".join(
        "".join(shown(piece) if name else piece for piece, name in sentence) for sentence in sentences(evaluation)
    )


def against(pairs: tuple[Pair, ...], bot: str) -> Against:
    """How ``bot`` stands against all whom it met."""
    beaten: list[str] = []
    open_: list[str] = []
    lost: list[str] = []
    for pair in pairs:
        if bot not in (pair.a, pair.b) or not pair.blocks:
            continue
        other, low, high = (pair.b, pair.low, pair.high) if pair.a == bot else (pair.a, 1 - pair.high, 1 - pair.low)
        (beaten if low > 0.5 else lost if high < 0.5 else open_).append(other)
    return Against(tuple(beaten), tuple(open_), tuple(lost))


def undecided(evaluation: Evaluation) -> list[tuple[str, str]]:
    """The pairs that met and whose interval includes an even score."""
    return [(pair.a, pair.b) for pair in head_to_head.pairs(evaluation) if not head_to_head.decided(pair)]


def _open(evaluation: Evaluation, level: int) -> str:
    """Said of a first place that ``level`` bots share: whether they may be lower, or others may hold it."""
    held = [each for each in evaluation.standings if each.rank_low == 1]
    if len(held) > level or any(each.rank_high > level for each in held):
        return " But it is not settled."
    return ""


def _first(evaluation: Evaluation, leader: Standing) -> list[tuple[str, bool]]:
    rate = figures.rating
    span = tables.rating_span(leader)
    above = f"it ranks above {figures.percent(leader.utility)} percent of the others at its tables"
    did = f"rated {rate(leader.rating)} (interval {span}), {above}"
    of = f"of {figures.count(len(evaluation.standings), 'bot')}"
    others = [each.bot for each in evaluation.standings[1:] if each.rank_low == 1]
    if leader.rank_high == 1 and not others:
        rest = f" is first {of}: {did}. The matches leave the first place to nobody else."
        return [(leader.bot, True), (rest, False)]
    begun = [
        (leader.bot, True),
        (f" is in front {of}: {did}. But the first place is not settled: ", False),
    ]
    if not others:
        return [*begun, (f"it may be as low as place {leader.rank_high}.", False)]
    return [*begun, *_names(others, "or"), (" may hold it as well.", False)]


def _head_to_head(stands: Against, *, others: int) -> list[list[tuple[str, bool]]]:
    told = []
    if stands.beaten:
        every = len(stands.beaten) == others > NAMED
        names = [(f"all {others} others", False)] if every else _names(stands.beaten)
        excluded = "the interval excludes" if len(stands.beaten) == 1 else "each interval excludes"
        alone = ", each pair taken by itself," if others > 1 else ""
        told.append([(f"Head to head{alone} it beats ", False), *names, (f": {excluded} an even score.", False)])
    if stands.open:
        begun = "Against " if stands.beaten else "Head to head, against "
        includes = "the interval includes" if len(stands.open) == 1 else "the intervals include"
        told.append(
            [
                (begun, False),
                *_names(stands.open),
                (f" {includes} an even score: their own matches do not decide it.", False),
            ]
        )
    if stands.lost:
        below = "the interval lies" if len(stands.lost) == 1 else "each interval lies"
        told.append([("It loses to ", False), *_names(stands.lost), (f": {below} below an even score.", False)])
    return told


def _faults(standings: Sequence[Standing]) -> list[list[tuple[str, bool]]]:
    """Who had faults and how many, the best first: a place that was won or lost by them is not told without them."""
    faulty = [standing for standing in standings if tables.faults(standing)]
    if not faulty:
        return []
    pieces = [("Faults: ", False)]
    for at, each in enumerate(faulty[:NAMED]):
        many = f" {tables.faults(each):,} in {figures.count(each.matches, 'match', 'matches')}"
        pieces += [(", ", False)] * (at > 0) + [(each.bot, True), (many, False)]
    rest = sum(tables.faults(each) for each in faulty[NAMED:])
    more = f", and {figures.count(len(faulty) - NAMED, 'more bot')} {rest:,}" if rest else ""
    return [[*pieces, (f"{more}.", False)]]


def _names(bots: Sequence[str], last: str = "and") -> list[tuple[str, bool]]:
    """Names in a sentence; where they are many, their number."""
    if len(bots) > NAMED:
        return [(f"{len(bots)} bots", False)]
    pieces: list[tuple[str, bool]] = []
    for at, bot in enumerate(bots):
        if at:
            pieces.append((f" {last} " if at == len(bots) - 1 else ", ", False))
        pieces.append((bot, True))
    return pieces
