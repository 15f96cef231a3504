"""What one measurement says, and how far it is from its goal."""

from __future__ import annotations

from typing import Any


class UnmeasuredError(Exception):
    """A goal cannot be measured here: ``why``, and what to do, ``remedy``."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(f"{why}; {remedy}")
        self.why = why
        self.remedy = remedy


def unmeasured(why: str, remedy: str) -> dict[str, Any]:
    """What is said of a goal that could not be measured: nobody knows whether it is met."""
    return {"measured": False, "met": None, "why": why, "remedy": remedy}


def figure(value: float, bound: float, goal: float, *, unit: str, least: bool, of: str = "ratio") -> dict[str, Any]:
    """One figure beside the bound of the same run.

    ``of`` says what the goal is about: the ``ratio`` of value to bound, or the ``value`` itself.  ``least`` is True
    where more is better.
    """
    ratio = value / bound if bound else 0.0
    reached = ratio if of == "ratio" else value
    return {
        "value": round(value, 3),
        "bound": round(bound, 3),
        "ratio": round(ratio, 3),
        "goal": goal,
        "unit": unit,
        "of": of,
        "met": reached >= goal if least else reached <= goal,
        "short": round(_short(reached, goal, least), 3),
    }


def together(parts: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """A goal of several figures: as far as the part furthest short."""
    furthest = min(parts.values(), key=lambda part: part["short"])
    return {**furthest, "met": all(part["met"] for part in parts.values()), "parts": parts}


def _short(reached: float, goal: float, least: bool) -> float:
    """How much of the goal is reached: 1 and more is met."""
    if least:
        return reached / goal
    return goal / reached if reached else float("inf")
