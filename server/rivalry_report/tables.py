"""The final table as text, CSV, JSON and Markdown.  Each depends on the results alone: same results, same bytes.

Rounded are, half to even: in text and Markdown utilities and shares to 0.1 percent, ratings to whole points; in CSV and
JSON utilities and shares to 0.0001, ratings to 0.1.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from rivalry_report import figures
from rivalry_report.names import cell, padded, shown, width

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation, Standing

COLUMNS: Final = ("place", "bot", "matches", "blocks", "rating", "interval", "utility", "interval", "share", "places")
NUMBERS: Final = (0, 2, 3, 4, 6, 8)
"""The columns that are set to the right."""
CSV_COLUMNS: Final = (
    *("place", "place_low", "place_high", "bot", "matches", "blocks", "rating", "rating_low", "rating_high"),
    *("utility", "utility_low", "utility_high", "share", "faults"),
)
UTILITY: Final = "utility: percent of the others at the table ranked below, ties half."
"""What a utility is, wherever people read one; for programs it is a fraction, 0 to 1."""
FORMAT: Final = 1
"""The version of the JSON table's form."""


def columns(evaluation: Evaluation) -> tuple[str, ...]:
    """The columns: faults have one where there are any."""
    return (*COLUMNS, "faults") if any(faults(standing) for standing in evaluation.standings) else COLUMNS


def rows(evaluation: Evaluation) -> list[list[str]]:
    """The cells of the table, best bot first, under ``columns``."""
    wide = len(columns(evaluation)) > len(COLUMNS)
    return [_cells(standing)[: len(COLUMNS) + wide] for standing in evaluation.standings]


def to_the_right(column: int) -> bool:
    """True if a column holds figures that are set to the right."""
    return column in NUMBERS or column >= len(COLUMNS)


def faults(standing: Standing) -> int:
    """How many of a bot's matches ended other than normally by its doing."""
    return sum(standing.faults.values())


def text(evaluation: Evaluation) -> str:
    """For a terminal, every line ended; a line below the table says what the figures are."""
    lines = [list(columns(evaluation)), *([*row[:1], shown(row[1]), *row[2:]] for row in rows(evaluation))]
    widths = [max(width(line[at]) for line in lines) for at in range(len(lines[0]))]
    drawn = [
        "  ".join(padded(text, widths[at], right=to_the_right(at)) for at, text in enumerate(line)).rstrip()
        for line in lines
    ]
    return "\n".join((*drawn, "", *notes(evaluation))) + "\n"


def markdown(evaluation: Evaluation) -> str:
    """A table of GitHub's Markdown with the same cells, and the same notes."""
    heads = columns(evaluation)
    rule = ["---:" if to_the_right(at) else "---" for at in range(len(heads))]
    body = [[*row[:1], _marked(shown(row[1])), *row[2:]] for row in rows(evaluation)]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rule, *body)]
    return "\n".join((*lines, "", *notes(evaluation))) + "\n"


def as_csv(evaluation: Evaluation) -> str:
    """CSV (RFC 4180, but lines end in LF) with CSV_COLUMNS; a figure that there is not is an empty cell.

    Names stand as ``names.cell`` has them, so that a spreadsheet takes none for a formula.
    """
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for standing in evaluation.standings:
        facts = figures_of(standing)
        facts["faults"] = faults(standing)
        facts["bot"] = cell(standing.bot)
        writer.writerow(["" if facts[key] is None else facts[key] for key in CSV_COLUMNS])
    return target.getvalue()


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """One object: what was counted, the bots best first, every pair that met, and how it was computed."""
    return {
        "format": FORMAT,
        "matches": evaluation.matches,
        "blocks": evaluation.blocks,
        "copies": evaluation.copies,
        "bots": [_described(standing) for standing in evaluation.standings],
        "pairs": [
            {
                "a": pair.a,
                "b": pair.b,
                "blocks": pair.blocks,
                "wins": pair.wins,
                "draws": pair.draws,
                "losses": pair.losses,
                **{key: figures.rounded(getattr(pair, key), 4) for key in ("mean", "low", "high")},
            }
            for pair in evaluation.pairs
        ],
        "alpha": evaluation.alpha,
        "resamples": evaluation.resamples,
        "seed": evaluation.seed,
        "method": evaluation.method,
        "notes": list(evaluation.notes),
    }


def json_text(evaluation: Evaluation) -> str:
    """The JSON table as a file holds it: a key a line, sorted, in UTF-8."""
    return json.dumps(as_json(evaluation), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def figures_of(standing: Standing) -> dict[str, Any]:
    """The rounded figures of a bot by name, faults left out; one block gives no bounds."""
    facts: dict[str, Any] = {"place": standing.rank, "bot": standing.bot}
    facts |= {"matches": standing.matches, "blocks": standing.blocks}
    facts |= {key: figures.rounded(getattr(standing, key), 4) for key in ("utility", "utility_low", "utility_high")}
    if standing.blocks < 2:
        facts |= {"utility_low": None, "utility_high": None}
    facts["share"] = figures.rounded(standing.share, 4)
    facts |= {key: figures.rounded(getattr(standing, key), 1) for key in ("rating", "rating_low", "rating_high")}
    if standing.blocks < 2:
        facts |= {"rating_low": None, "rating_high": None}
    return facts | {"place_low": standing.rank_low, "place_high": standing.rank_high}


def notes(evaluation: Evaluation) -> list[str]:
    """What stands below a table: what was counted, and what the columns are."""
    counted = f"{figures.count(evaluation.matches, 'match', 'matches')} in {figures.count(evaluation.blocks, 'block')}"
    counted += " (all matches of one seed are one block)"
    if evaluation.copies:
        counted += f"; {figures.count(evaluation.copies, 'copy', 'copies')} of matches not counted again"
    return [
        f"{counted}.",
        f"rating: Elo-like points around 0, the table's order; intervals: {level(evaluation)} percent, over blocks.",
        UTILITY,
        *_share(evaluation),
        "places: those that the matches do not rule out for a bot by itself, so several may hold the same one.",
        *evaluation.notes,
    ]


def _share(evaluation: Evaluation) -> list[str]:
    """What the share is, or why there is none."""
    if any(standing.share is None for standing in evaluation.standings):
        return ["share: of the table's points; there is none in a game where scores are negative or nobody has any."]
    return ["share: percent of the table's points that one seat of the bot made, on average."]


def rating_span(standing: Standing) -> str:
    """The interval of a rating as text; one block tells none."""
    if standing.blocks < 2:
        return figures.UNKNOWN
    return figures.interval(figures.rating(standing.rating_low), figures.rating(standing.rating_high))


def utility_span(standing: Standing) -> str:
    """The interval of a utility as text, in percent; one block tells none."""
    if standing.blocks < 2:
        return figures.UNKNOWN
    return figures.interval(figures.percent(standing.utility_low), figures.percent(standing.utility_high))


def level(evaluation: Evaluation) -> str:
    """The level of the intervals, in percent."""
    return figures.fixed((1 - evaluation.alpha) * 100, 1).removesuffix(".0")


def _described(standing: Standing) -> dict[str, Any]:
    return {
        **figures_of(standing),
        "faults": dict(sorted(standing.faults.items())),
        "by_seat": [
            {"seat": seat, "matches": matches, "utility": figures.rounded(utility, 4)}
            for seat, (matches, utility) in sorted(standing.by_seat.items())
        ],
    }


def _cells(standing: Standing) -> list[str]:
    rate, percent = figures.rating, figures.percent
    return [
        str(standing.rank),
        standing.bot,
        str(standing.matches),
        str(standing.blocks),
        rate(standing.rating),
        rating_span(standing),
        percent(standing.utility),
        utility_span(standing),
        percent(standing.share),
        figures.places(standing.rank_low, standing.rank_high),
        str(faults(standing)),
    ]


def _marked(name: str) -> str:
    """A name in a cell of Markdown, where its signs mean nothing."""
    signs = "\\`*_{}[]()<>#+!|~&$@:"
    return "".join(f"\\{character}" if character in signs else character for character in name)
