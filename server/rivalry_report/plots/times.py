"""The plot of how long bots think."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_report.plots import colours, drawing
from rivalry_report.spent import Spent, duration

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST_US = 1.0
"""Shorter decisions are drawn as so long: a logarithm has no zero."""


def draw(spent: Sequence[Spent]) -> Figure:
    """A row a bot: the mean time of a decision, match by match, as range, middle half and median."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    names = drawing.labels([each.bot for each in spent])
    written = [duration(each.median_us) for each in spent]
    figure = drawing.figure(7.2, 0.75 + drawing.ROW * len(spent))
    axes = drawing.axes(figure, left=drawing.room(names), right=drawing.room(written))
    drawing.rows(axes, names)
    axes.set_xscale("log")
    for at, each in enumerate(spent):
        least, lower, median, upper, most = (max(LEAST_US, us) for us in each.quartiles_us)
        axes.plot([least, most], [at, at], color=colours.WHISKER, linewidth=1.5)
        axes.plot([lower, upper], [at, at], color=colours.BOX, linewidth=9, solid_capstyle="butt")
        axes.plot([median, median], [at - 0.24, at + 0.24], color=colours.POINT, linewidth=2.2)
        axes.annotate(
            written[at],
            (1, at),
            (drawing.room(written) * 72 - 8, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            ha="right",
            va="center",
        )
    low, high = axes.get_xlim()
    axes.set_xlim(min(low, high / 12), high)
    axes.xaxis.set_major_locator(LogLocator(numticks=9))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: duration(value)))
    axes.grid(axis="x", color=colours.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel("time a decision, mean of a match")
    return figure
