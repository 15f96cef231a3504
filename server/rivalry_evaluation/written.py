"""How many digits of a figure are written: fewer than rounding errors of another machine could change."""

from __future__ import annotations


def share(value: float) -> float:
    """A share or utility, 0..1."""
    return round(value, 9) + 0.0


def rating(value: float) -> float:
    """A rating, in Elo-like units."""
    return round(value, 4) + 0.0
