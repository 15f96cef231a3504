"""The plot of who did how well against whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rivalry_report import figures
from rivalry_report.plots import colours, drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rivalry_evaluation.standing import Pair

GAP: Final = 1.5
"""Points between fields."""
CORNERS: Final = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


def means(pairs: Sequence[Pair]) -> dict[tuple[str, str], float]:
    """The share of the first of two bots against the second, both ways, for all that met."""
    met = [pair for pair in pairs if pair.blocks]
    return {(pair.a, pair.b): pair.mean for pair in met} | {(pair.b, pair.a): 1 - pair.mean for pair in met}


def draw(bots: Sequence[str], shares: Mapping[tuple[str, str], float]) -> Figure:
    """A field for two bots: percent for the one of the row against the one of the column."""
    from matplotlib.collections import PolyCollection

    names = drawing.labels(bots)
    size = 0.46 if len(bots) <= 12 else 0.34
    edge = drawing.room(names)
    high = 0.78 * edge + 0.15
    figure = drawing.figure(edge + size * len(bots) + 0.55 * edge, high + size * len(bots) + 0.1)
    axes = drawing.axes(figure, left=edge, right=0.55 * edge, top=high, bottom=0.1, frame=())
    drawing.rows(axes, names, striped=False)
    axes.set_xlim(-0.5, len(bots) - 0.5)
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(bots)), names, color=colours.INK, rotation=50, ha="left", rotation_mode="anchor")
    axes.tick_params(length=0, pad=4)
    fields, fills = [], []
    for row, bot in enumerate(bots):
        for column, other in enumerate(bots):
            share = shares.get((bot, other))
            fields.append([(column + x, row + y) for x, y in CORNERS])
            fills.append(colours.BAND if share is None else colours.of_share(share))
            if share is not None:
                text = figures.percent(share, 0)
                axes.text(column, row, text, ha="center", va="center", fontsize=9 if size > 0.4 else 7.5)
    axes.add_collection(PolyCollection(fields, facecolors=fills, edgecolors=colours.PAPER, linewidths=GAP))
    return figure
