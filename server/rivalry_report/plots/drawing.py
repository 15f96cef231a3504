"""A drawing: an empty figure with the look of all plots, and its files.

Text in an SVG stays text, and the layout is computed from the names alone, not from the fonts of this machine: so the
same figures give the same SVG wherever matplotlib is of the same version.  PNGs may use further fonts that are there.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from rivalry_report.names import clipped, shown, width
from rivalry_report.plots import colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FONT: Final = "DejaVu Sans"
"""What matplotlib brings with it."""
FURTHER_FONTS: Final = ("Noto Sans CJK JP", "Noto Sans CJK SC", "WenQuanYi Micro Hei", "Hiragino Sans", "Yu Gothic")
SIZE: Final = 9.0
"""Points of the text."""
COLUMN: Final = 0.6 * SIZE / 72
"""Inches that a column of text takes, generously."""
LONGEST: Final = 26
"""Columns of a name; longer ones lose their middle."""
ROW: Final = 0.27
"""Inches of a row."""
DPI: Final = 160
RC: Final[dict[str, Any]] = {
    "font.family": [FONT],
    "font.size": SIZE,
    "text.parse_math": False,
    "text.color": colours.INK,
    "axes.labelcolor": colours.SOFT,
    "axes.edgecolor": colours.EVEN,
    "axes.unicode_minus": True,
    "xtick.color": colours.SOFT,
    "ytick.color": colours.SOFT,
    "svg.fonttype": "none",
    "figure.facecolor": colours.PAPER,
    "savefig.facecolor": colours.PAPER,
    "axes.facecolor": "none",
}


class Plot:
    """A finished plot: its file's name without an ending, and its two forms, each made when it is asked for."""

    def __init__(self, name: str, draw: Callable[[], Figure]) -> None:
        self.name = name
        with settings():
            self._figure = draw()

    @cached_property
    def svg(self) -> str:
        """The plot as an SVG file."""
        target = io.StringIO()
        nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
        with settings({"svg.hashsalt": f"rivalry {self.name}"}):
            self._figure.savefig(target, format="svg", metadata=nothing)
        return target.getvalue()

    @cached_property
    def png(self) -> bytes:
        """The plot as a PNG file."""
        target = io.BytesIO()
        with settings():
            foreign = [text for text in texts(self._figure) if not text.get_text().isascii()]
            families = [FONT, *_installed()] if foreign else []
            for text in foreign:
                text.set_fontfamily(families)
            self._figure.savefig(target, format="png", dpi=DPI, metadata={"Software": None})
            for text in foreign:
                text.set_fontfamily([FONT])
        return target.getvalue()


def figure(wide: float, high: float) -> Figure:
    """An empty figure of so many inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(wide, high))
    FigureCanvasAgg(made)
    return made


def axes(
    figure: Figure,
    *,
    left: float,
    right: float = 0.1,
    top: float = 0.1,
    bottom: float = 0.45,
    frame: Sequence[str] = ("bottom",),
) -> Axes:
    """Axes within margins of so many inches; ``frame`` names the edges that are drawn."""
    wide, high = figure.get_size_inches()
    made = figure.add_axes(
        (left / wide, bottom / high, (wide - left - right) / wide, (high - top - bottom) / high), zorder=2
    )
    for edge, spine in made.spines.items():
        spine.set_visible(edge in frame)
    made.tick_params(length=0, pad=4)
    return made


def labels(bots: Sequence[str]) -> list[str]:
    """The names as they are written beside rows."""
    return [clipped(shown(bot), LONGEST) for bot in bots]


def room(texts: Sequence[str]) -> float:
    """Inches that the longest of the texts takes, with a margin."""
    return 0.2 + COLUMN * max((width(text) for text in texts), default=0)


def rows(axes: Axes, names: Sequence[str], *, striped: bool = True) -> None:
    """Makes the y axis one of named rows, the first on top."""
    count = len(names)
    axes.set_ylim(count - 0.5, -0.5)
    axes.set_yticks(range(count), names, color=colours.INK)
    if striped:
        for at in range(1, count, 2):
            axes.axhspan(at - 0.5, at + 0.5, color=colours.BAND, linewidth=0, zorder=0)


@contextmanager
def settings(further: Mapping[str, Any] | None = None) -> Iterator[None]:
    """While it lasts, matplotlib has the settings of all plots, and ``further`` ones, whatever a user's own are."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # a browser has it, a PNG shows a box
        matplotlib.rcdefaults()
        now: Any = matplotlib.rcParams
        now.update({**RC, **(further or {})})
        yield


def _installed() -> list[str]:
    from matplotlib import font_manager

    there = {entry.name for entry in font_manager.fontManager.ttflist}
    return [name for name in FURTHER_FONTS if name in there]


def texts(figure: Figure) -> list[Any]:
    """Every piece of text in a figure."""
    from matplotlib.text import Text

    return figure.findobj(Text)
