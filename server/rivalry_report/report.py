"""A report: what it is made from, its plots, and its files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rivalry_report import head_to_head, tables
from rivalry_report.facts import Facts, Timing
from rivalry_report.spent import Spent, by_bot
from rivalry_server import files

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation
    from rivalry_report.plots.drawing import Plot


@dataclass(frozen=True)
class Report:
    """What a report tells.  ``spent`` holds the time of those bots that decided anything, in the table's order."""

    evaluation: Evaluation
    facts: Facts
    spent: tuple[Spent, ...]

    @cached_property
    def plots(self) -> dict[str, Plot]:
        """The plots for which there is something to draw, by name."""
        from rivalry_report.plots import drawing, faults, pairs, rating, seats, times

        standings = self.evaluation.standings
        if not standings:
            return {}
        bots = [standing.bot for standing in standings]
        drawn = {"rating": drawing.Plot("rating", lambda: rating.draw(standings))}
        if shares := pairs.means(self.evaluation.pairs):
            drawn["pairs"] = drawing.Plot("pairs", lambda: pairs.draw(bots, shares))
        if seats.seats(standings):
            drawn["seats"] = drawing.Plot("seats", lambda: seats.draw(standings))
        if faults.kinds(standings):
            drawn["faults"] = drawing.Plot("faults", lambda: faults.draw(standings))
        if self.spent:
            drawn["times"] = drawing.Plot("times", lambda: times.draw(self.spent))
        return drawn

    def files(self) -> dict[str, bytes]:
        """Every file of the report by its name: the table in four forms, pairs, the plots in two, and the page."""
        from rivalry_report.html.page import page

        made = {name: text.encode() for name, text in table_files(self.evaluation).items()}
        for plot in self.plots.values():
            made[f"{plot.name}.svg"] = plot.svg.encode()
            made[f"{plot.name}.png"] = plot.png
        made["report.html"] = page(self).encode()
        return made

    def write(self, folder: Path) -> list[Path]:
        """Writes the files into ``folder``, each whole or not at all; returns their paths.  Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        made = self.files()
        for name, content in made.items():
            files.replaced(folder / name, content)
        return [folder / name for name in made]


def report(evaluation: Evaluation, facts: Facts, timings: Iterable[Timing] = ()) -> Report:
    """The report of an evaluation, with what ``facts`` says of how it came about."""
    spent = by_bot(timings)
    known = [standing.bot for standing in evaluation.standings]
    return Report(evaluation, facts, tuple(spent[bot] for bot in known if bot in spent))


def table_files(evaluation: Evaluation) -> dict[str, str]:
    """The final table as files, which depend on the results alone."""
    return {
        "table.txt": tables.text(evaluation),
        "table.csv": tables.as_csv(evaluation),
        "table.json": tables.json_text(evaluation),
        "table.md": tables.markdown(evaluation),
        "pairs.csv": head_to_head.as_csv(evaluation),
    }
