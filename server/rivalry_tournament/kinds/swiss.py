"""Swiss: rounds in which who stands alike meets, and nobody twice where that can be avoided.

At a table of two the better over its blocks has a point, level ones a half each; at a bigger table each has the share
of the others that it ranks above. Standing is by points, then by the points of those one met (Buchholz), then by the
shares of all rounds, then by seed. Tables of two are paired as FIDE's Dutch system does in the main (Handbook
C.04.3): within a score group the upper half meets the lower, in order, and who is left floats down. Bigger tables are
filled from the top. Who is left over has a bye: the lowest of those with the fewest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from rivalry_tournament import blocks, points
from rivalry_tournament.kinds import pairing
from rivalry_tournament.points import HALF, Results
from rivalry_tournament.schedule import Round
from rivalry_tournament.settings import Settings


@dataclass(frozen=True, slots=True)
class Line:
    """How an entrant stands: points of all rounds, byes among them, points of those it met, shares of all rounds."""

    name: str
    points: Fraction
    buchholz: Fraction
    share: Fraction
    byes: int

    @property
    def level(self) -> tuple[Fraction, ...]:
        """What those share who stand level, the lowest best."""
        return (-self.points, -self.buchholz, -self.share)


def next_round(settings: Settings, rounds: Sequence[Round], results: Results) -> Round | None:
    """The round after ``rounds``; None after the last."""
    number = len(rounds) + 1
    if number > settings.rounds:
        return None
    lines = standing(settings, rounds, results)
    byes = _byes(lines, len(lines) % settings.bots)
    at_table = [line for line in lines if line.name not in byes]
    met = meetings(rounds)
    if settings.bots == 2:
        tables: Sequence[Sequence[str]] = pairing.pairs([(line.name, line.points) for line in at_table], met)
    else:
        tables = pairing.tables([line.name for line in at_table], settings.bots, met)
    made = blocks.tabled(settings, tables, round_=number)
    return Round(number, f"round {number} of {settings.rounds}", made, tuple(byes))


def standing(settings: Settings, rounds: Sequence[Round], results: Results) -> list[Line]:
    """The entrants, best first."""
    names = settings.names()
    total: dict[str, Fraction] = dict.fromkeys(names, Fraction(0))
    shares: dict[str, Fraction] = dict.fromkeys(names, Fraction(0))
    for round_ in rounds:
        for name, earned in earned_in(settings, round_, results).items():
            total[name] += earned
        for name, share in _shares(round_, results).items():
            shares[name] += share
    met = meetings(rounds)
    byes = Counter(name for round_ in rounds for name in round_.byes)
    lines = [Line(name, total[name], _buchholz(name, total, met), shares[name], byes[name]) for name in names]
    return sorted(lines, key=lambda line: (line.level, names.index(line.name)))


def earned_in(settings: Settings, round_: Round, results: Results) -> dict[str, Fraction]:
    """The points of a round, 0 to 1 for each entrant."""
    bye = Fraction(1) if settings.bye == "win" else HALF
    shares = _shares(round_, results)
    if settings.bots == 2:  # a win is a win, however close
        shares = {name: Fraction(1) if share > HALF else HALF * (share == HALF) for name, share in shares.items()}
    return {**shares, **dict.fromkeys(round_.byes, bye)}


def _shares(round_: Round, results: Results) -> dict[str, Fraction]:
    """What share of the others each ranked above; a half at a table all whose blocks are left out, and for a bye."""
    shares = dict.fromkeys(round_.byes, HALF)
    for bots in dict.fromkeys(block.bots for block in round_.blocks):
        scored = points.of_blocks([block for block in round_.blocks if block.bots == bots], results)
        shares.update(dict.fromkeys(bots, HALF) if scored is None else scored)
    return shares


def meetings(rounds: Sequence[Round]) -> Counter[frozenset[str]]:
    """In how many rounds each pair sat at one table."""
    return Counter(
        frozenset(pair)
        for round_ in rounds
        for bots in dict.fromkeys(block.bots for block in round_.blocks)
        for pair in combinations(bots, 2)
    )


def _buchholz(name: str, total: Mapping[str, Fraction], met: Mapping[frozenset[str], int]) -> Fraction:
    return sum((total[other] * met.get(frozenset((name, other)), 0) for other in total if other != name), Fraction(0))


def _byes(lines: Sequence[Line], many: int) -> list[str]:
    """Who sits out: the lowest of those with the fewest byes."""
    lowest = sorted(range(len(lines)), key=lambda at: (lines[at].byes, -at))[:many]
    return [lines[at].name for at in sorted(lowest)]
