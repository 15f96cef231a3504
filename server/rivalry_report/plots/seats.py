"""The plot of how well bots did in each seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rivalry_report import figures
from rivalry_report.plots import colours, drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rivalry_evaluation.standing import Standing


GAP: Final = 0.36
"""Inches between panels: the last figure below one is not read with the first below the next."""


def seats(standings: Sequence[Standing]) -> list[int]:
    """The seats that were played."""
    return sorted({seat for standing in standings for seat in standing.by_seat})


def mean(standings: Sequence[Standing], seat: int) -> float:
    """The mean utility of a seat over all its matches: above one half, the seat helps."""
    held = [standing.by_seat[seat] for standing in standings if seat in standing.by_seat]
    return sum(matches * utility for matches, utility in held) / sum(matches for matches, _ in held)


def draw(standings: Sequence[Standing]) -> Figure:
    """A panel a seat and in it a row a bot: a line from the bot's utility in all seats to that in this one."""
    numbers = seats(standings)
    names = drawing.labels([standing.bot for standing in standings])
    left = drawing.room(names)
    wide = max(1.15, min(1.7, 5.4 / len(numbers)))
    figure = drawing.figure(left + wide * len(numbers) + 0.15, 1.05 + drawing.ROW * len(standings))
    reach = _reach(standings)
    for at, seat in enumerate(numbers):
        right = 0.15 + wide * (len(numbers) - at - 1) + GAP
        axes = drawing.axes(figure, left=left + wide * at, right=right, top=0.42)
        drawing.rows(axes, names if at == 0 else [""] * len(names))
        _panel(axes, standings, seat)
        axes.set_xlim(*reach)
    figure.text(
        (left + wide * len(numbers) / 2) / figure.get_size_inches()[0],
        0.06 / figure.get_size_inches()[1],
        "utility in percent: in all seats, and in this one",
        ha="center",
        color=colours.SOFT,
    )
    return figure


def _panel(axes: Axes, standings: Sequence[Standing], seat: int) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(nbins=3, steps=[1, 2, 5, 10], integer=True, prune="both"))
    axes.grid(axis="x", color=colours.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_title(f"seat {seat}\nmean {figures.percent(mean(standings, seat))}", fontsize=8.5, color=colours.INK)
    for at, standing in enumerate(standings):
        if seat not in standing.by_seat:
            continue
        here, all_seats = standing.by_seat[seat][1] * 100, standing.utility * 100
        colour = colours.UP if here >= all_seats else colours.DOWN
        axes.plot([all_seats, here], [at, at], color=colour, linewidth=1.6)
        axes.plot([all_seats, all_seats], [at - 0.22, at + 0.22], color=colours.EVEN, linewidth=1.4)
        marker = ">" if here >= all_seats else "<"
        axes.plot([here], [at], marker, color=colour, markersize=5.5, markeredgecolor=colours.PAPER, clip_on=False)


def _reach(standings: Sequence[Standing]) -> tuple[float, float]:
    """The least and most percent that are drawn, the same in all panels."""
    drawn = [utility * 100 for standing in standings for _, utility in standing.by_seat.values()]
    drawn += [standing.utility * 100 for standing in standings]
    edge = max(2.0, 0.06 * (max(drawn) - min(drawn)))
    return min(drawn) - edge, max(drawn) + edge
