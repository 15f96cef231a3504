"""How long bots thought, put together from what each seat of each match spent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import quantiles

from rivalry_report import figures
from rivalry_report.facts import Timing


@dataclass(frozen=True, slots=True)
class Spent:
    """The time of one bot: decisions and microseconds in all, and the spread of the mean decision over matches."""

    bot: str
    matches: int
    decisions: int
    total_us: int
    quartiles_us: tuple[float, float, float, float, float]
    """Least, lower quartile, median, upper quartile and most of the mean time of a decision in a match."""

    @property
    def mean_us(self) -> float:
        """The mean time of a decision."""
        return self.total_us / self.decisions

    @property
    def median_us(self) -> float:
        """The median over matches of the mean time of a decision."""
        return self.quartiles_us[2]


def by_bot(timings: Iterable[Timing]) -> dict[str, Spent]:
    """By bot; a seat that decided nothing is not counted, and a bot without a decision is not there."""
    sums: dict[str, list[Timing]] = defaultdict(list)
    for timing in timings:
        if timing.decisions:
            sums[timing.bot].append(timing)
    return {bot: _spent(bot, each) for bot, each in sums.items()}


def duration(us: float) -> str:
    """A time as a person reads it: two digits, and the unit that suits."""
    for unit, size in (("s", 1e6), ("ms", 1e3)):
        if us >= size * 0.995:
            return f"{_two_digits(us / size)} {unit}"
    return f"{_two_digits(us)} µs"


def _two_digits(value: float) -> str:
    return figures.fixed(value, 1 if value < 9.95 else 0).removesuffix(".0")


def _spent(bot: str, timings: list[Timing]) -> Spent:
    means = sorted(timing.spent_us / timing.decisions for timing in timings)
    lower, median, upper = quantiles(means, n=4, method="inclusive") if len(means) > 1 else means * 3
    return Spent(
        bot,
        len(means),
        sum(timing.decisions for timing in timings),
        sum(timing.spent_us for timing in timings),
        (means[0], lower, median, upper, means[-1]),
    )
