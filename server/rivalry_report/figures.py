"""How figures are rounded and written: half to even, on the decimal that is shown, the same on every machine."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from math import isfinite
from typing import Final

NONE: Final = "–"
"""What stands where there is no figure."""
UNKNOWN: Final = "not known"
"""What stands where so few blocks cannot tell an interval."""


def rounded(value: float | None, places: int) -> float | None:
    """The value on ``places`` decimals, never minus zero; None for none and for what is not finite."""
    if value is None or not isfinite(value):
        return None
    return float(_decimal(value, places)) + 0.0


def fixed(value: float | None, places: int, *, sign: bool = False) -> str:
    """The value with exactly ``places`` decimals; with ``sign`` a plus as well, and a real minus."""
    if value is None or not isfinite(value):
        return NONE
    exact = _decimal(value, places)
    text = f"{abs(exact):f}"
    if exact == 0:
        return text
    return ("−" if exact < 0 else "+" if sign else "") + text


def percent(value: float | None, places: int = 1) -> str:
    """A share of one, in percent, without the sign."""
    return fixed(None if value is None else value * 100, places)


def rating(value: float | None) -> str:
    """A rating in whole points around 0."""
    return fixed(value, 0, sign=True)


def interval(low: str, high: str) -> str:
    """Two figures as one interval."""
    return NONE if NONE in (low, high) else f"{low} to {high}"


def places(low: int, high: int) -> str:
    """The places that a bot may have: one, or from one to another."""
    return str(low) if low == high else interval(str(low), str(high))


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 match``, ``2,000 matches``: English, with commas from a thousand on."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(words: list[str], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _decimal(value: float, places: int) -> Decimal:
    return Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
