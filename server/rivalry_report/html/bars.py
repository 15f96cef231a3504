"""The bars of intervals within a table: a line from the low end to the high one, and a dot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite


@dataclass(frozen=True, slots=True)
class Axis:
    """What a column of bars has in common: its ends, and the line that all are drawn beside."""

    low: float
    high: float
    zero: float

    def at(self, value: float) -> float:
        """Where a value is, in percent of the width."""
        return 2 + 96 * (value - self.low) / (self.high - self.low)


def axis(values: Sequence[float], zero: float) -> Axis:
    """An axis that shows all values that are finite, and ``zero``."""
    finite = [value for value in values if isfinite(value)] + [zero]
    low, high = min(finite), max(finite)
    return Axis(low, high, zero) if high > low else Axis(low - 1, high + 1, zero)


def bar(axis: Axis, low: float, value: float, high: float) -> str:
    """The bar of an interval as SVG; empty where a figure is none."""
    if not all(map(isfinite, (low, value, high))):
        return ""
    zero, begin, at, end = (f"{axis.at(each):.2f}%" for each in (axis.zero, low, value, high))
    return (
        '<svg class="bar" aria-hidden="true">'
        f'<line class="zero" x1="{zero}" x2="{zero}" y1="-60%" y2="160%"/>'
        f'<line class="reach" x1="{begin}" x2="{end}" y1="50%" y2="50%"/>'
        f'<circle class="at" cx="{at}" cy="50%" r="4"/></svg>'
    )
