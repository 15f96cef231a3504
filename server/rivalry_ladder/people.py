"""How a ladder's figures and moments are written for people: as those of tournaments are."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final

from rivalry_report import figures, known

ONLINE: Final = "online: the rating by which opponents are chosen, and how unsure it is; a new bot has 25.0 ± 16.7."
"""What an online rating is, wherever people read one."""


def online(entry: Mapping[str, Any]) -> str:
    """An online rating, and how unsure it is: two standard deviations."""
    return f"{figures.fixed(entry['mu'], 1)} ± {figures.fixed(2 * entry['sigma'], 1)}"


def rating(row: Mapping[str, Any]) -> tuple[str | None, str | None, str | None]:
    """Rating, interval and places of a row of the official table; none of a bot without a match."""
    if row["rank"] is None:
        return None, None, None
    return figures.rating(row["rating"]), _span(row), figures.places(row["rank_low"], row["rank_high"])


def seat(told: Mapping[str, Any]) -> str:
    """Who sat at a seat, and how it ended for it."""
    if not told["end"]:
        return str(told["label"])
    ends = [] if told["rank"] is None else [f"rank {told['rank']}"]
    ends += [] if told["end"] == "normal" else [told["end"]]
    return f"{told['label']} ({', '.join(ends)})" if ends else str(told["label"])


def moment(at_us: int | None) -> str | None:
    """A moment to the second."""
    return _written(at_us, "%Y-%m-%d %H:%M:%SZ")


def minute(at_us: int | None) -> str | None:
    """The minute of a moment, in a list of the newest with little room."""
    return _written(at_us, "%m-%d %H:%MZ")


def _span(row: Mapping[str, Any]) -> str:
    bounds = {key: row[key] for key in ("rating_low", "rating_high")}
    standing: Any = SimpleNamespace(matches=row["matches"], blocks=row["matches"], **bounds)  # each match is a block
    if not known.rating(standing):
        return figures.UNKNOWN
    return figures.interval(figures.rating(row["rating_low"]), figures.rating(row["rating_high"]))


def _written(at_us: int | None, form: str) -> str | None:
    return None if at_us is None else f"{datetime.fromtimestamp(at_us / 1e6, UTC):{form}}"
