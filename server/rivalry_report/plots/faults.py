"""The plot of matches that a bot ended otherwise than normally."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_report.plots import colours, drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rivalry_evaluation.standing import Standing


def kinds(standings: Sequence[Standing]) -> list[str]:
    """The ways to end that occurred, in a fixed order."""
    there = {kind for standing in standings for kind, count in standing.faults.items() if count}
    known = [kind for kind in colours.FAULTS if kind in there]
    return known + sorted(there.difference(known))


def draw(standings: Sequence[Standing]) -> Figure:
    """A row for each bot that had faults: a bar of counts by kind."""
    from matplotlib.patches import Patch
    from matplotlib.ticker import MaxNLocator

    faulty = [standing for standing in standings if any(standing.faults.values())]
    names = drawing.labels([standing.bot for standing in faulty])
    figure = drawing.figure(7.2, 1.15 + drawing.ROW * len(faulty))
    axes = drawing.axes(figure, left=drawing.room(names), right=0.45, top=0.42)
    drawing.rows(axes, names)
    most = max(sum(standing.faults.values()) for standing in faulty)
    for at, standing in enumerate(faulty):
        begin = 0
        for kind in kinds(faulty):
            count = standing.faults.get(kind, 0)
            if not count:
                continue
            axes.barh(
                at, count, left=begin, height=0.62, color=colours.of_fault(kind), edgecolor=colours.PAPER, linewidth=1
            )
            if count > most * 0.05:
                axes.text(begin + count / 2, at, str(count), ha="center", va="center", color="#111111", fontsize=8)
            begin += count
        axes.text(begin + most * 0.012, at, str(begin), ha="left", va="center", color=colours.SOFT, fontsize=8)
    axes.set_xlim(0, most * 1.02)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("matches")
    handles = [Patch(color=colours.of_fault(kind), label=kind.replace("_", " ")) for kind in kinds(faulty)]
    figure.legend(handles=handles, loc="upper left", ncols=len(handles), frameon=False, handlelength=1, fontsize=8.5)
    return figure
