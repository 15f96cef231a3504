"""The plot of ratings with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING

from rivalry_report import figures, known
from rivalry_report.plots import colours, drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rivalry_evaluation.standing import Standing


def draw(standings: Sequence[Standing]) -> Figure:
    """A row a bot, best on top: its rating as a point, its interval as a line, both as figures beside it."""
    names = drawing.labels([standing.bot for standing in standings])
    written = [figures.rating(standing.rating) for standing in standings]
    figure = drawing.figure(7.2, 0.75 + drawing.ROW * len(standings))
    axes = drawing.axes(figure, left=drawing.room(names), right=drawing.room(written))
    drawing.rows(axes, names)
    axes.axvline(0, color=colours.EVEN, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for at, standing in enumerate(standings):
        if not isfinite(standing.rating):
            continue
        if known.rating(standing) and isfinite(standing.rating_low) and isfinite(standing.rating_high):
            axes.plot(
                [standing.rating_low, standing.rating_high],
                [at, at],
                color=colours.WHISKER,
                linewidth=4,
                solid_capstyle="round",
            )
        axes.plot([standing.rating], [at], "o", color=colours.POINT, markersize=6.5, markeredgecolor=colours.PAPER)
        axes.annotate(
            written[at],
            (1, at),
            (drawing.room(written) * 72 - 8, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            ha="right",
            va="center",
        )
    axes.margins(x=0.04)
    axes.grid(axis="x", color=colours.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel("rating, in Elo-like points around the mean of all")
    return figure
