"""The colours of the plots.  Each is written once and is unlike all others, so that a page can put its own in place.

Blue and orange are told apart by all common kinds of colour blindness; kinds of faults have the eight colours of Okabe
and Ito ("Color universal design", 2008).  No plot says anything by colour alone: a figure or a place says it as well.
"""

from __future__ import annotations

from typing import Final

PAPER: Final = "#fffffe"
INK: Final = "#1f2431"
SOFT: Final = "#5b6374"
GRID: Final = "#e2e6ed"
BAND: Final = "#f5f7fa"
"""Every second row."""
POINT: Final = "#0a5fa8"
WHISKER: Final = "#6fa3d3"
BOX: Final = "#c7dcf1"
EVEN: Final = "#98a1b1"
"""The line of an even score, or of the mean of all."""
UP: Final = "#1568b0"
DOWN: Final = "#c2620e"

SCALE: Final = (
    *("#e28b3f", "#eba769", "#f2bf92", "#f8d7b9", "#fcebdd"),
    "#f1f3f6",
    *("#dfebf6", "#c1d8ee", "#9dc2e5", "#78aad9", "#5592cb"),
)
"""From all lost, in orange, over even to all won, in blue; ink can be read on each."""

FAULTS: Final = {
    "illegal": "#d55e00",
    "timeout": "#e69f00",
    "crash": "#cc79a7",
    "disconnect": "#56b4e9",
    "no_show": "#9a9a9a",
    "resigned": "#009e73",
}
OTHER_FAULT: Final = "#0072b2"

LIGHT: Final = {
    "paper": PAPER,
    "ink": INK,
    "soft": SOFT,
    "grid": GRID,
    "band": BAND,
    "point": POINT,
    "whisker": WHISKER,
    "box": BOX,
    "even": EVEN,
    "up": UP,
    "down": DOWN,
    **{f"scale-{at}": colour for at, colour in enumerate(SCALE)},
}
"""Every colour that a page replaces, by the name that it has there."""

DARK: Final = {
    "paper": "#171a21",
    "ink": "#e8ebf1",
    "soft": "#a4adbd",
    "grid": "#2f3541",
    "band": "#1c2028",
    "point": "#6cb4f5",
    "whisker": "#3f78ac",
    "box": "#28435e",
    "even": "#737d8d",
    "up": "#66aef0",
    "down": "#f09a4e",
    **dict(
        zip(
            (f"scale-{at}" for at in range(len(SCALE))),
            (
                *("#9a4e07", "#854606", "#6e3c0d", "#553312", "#3f2c1d"),
                "#2a2f38",
                *("#213348", "#1c3e60", "#1a4a7b", "#185594", "#1c62aa"),
            ),
            strict=True,
        )
    ),
}
"""The same on a dark page."""


def of_share(share: float) -> str:
    """The colour of a share of wins from 0 to 1, in eleven steps around one half."""
    steps = len(SCALE)
    return SCALE[min(steps - 1, max(0, int(share * steps)))]


def of_fault(kind: str) -> str:
    """The colour of a way to end."""
    return FAULTS.get(kind, OTHER_FAULT)
