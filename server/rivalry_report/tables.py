"""The final table as text, CSV, JSON and Markdown.  Each depends on the results alone: same results, same bytes.

Rounded are, half to even: in text and Markdown utilities and shares to 0.1 percent, ratings to whole points; in CSV and
JSON utilities and shares to 0.0001, ratings to 0.1.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final

from rivalry_report import drawn, figures, head_to_head, known
from rivalry_report.names import cell, shown

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation, Standing

COLUMNS: Final = ("place", "bot", "matches", "blocks", "rating", "interval", "utility", "interval", "share", "places")
NUMBERS: Final = (0, 2, 3, 4, 6, 8)
"""The columns that are set to the right."""
LESS: Final = (8, 3, 7, 2)
"""Share, blocks, the interval of the utility, matches: what a narrow terminal has no room for, in this order."""
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


def right(evaluation: Evaluation) -> tuple[int, ...]:
    """The columns that are set to the right."""
    return (*NUMBERS, *range(len(COLUMNS), len(columns(evaluation))))


def faults(standing: Standing) -> int:
    """How many of a bot's matches ended other than normally by its doing."""
    return sum(standing.faults.values())


def text(evaluation: Evaluation, room: int | None = None) -> str:
    """As text, every line ended: the table, head to head, and lines that say what the figures are.

    For a terminal of ``room`` columns the least important columns are left out, and that is said.
    """
    heads = columns(evaluation)
    cells = [[*row[:1], shown(row[1]), *row[2:]] for row in rows(evaluation)]
    table, left_out = drawn.text(heads, cells, right(evaluation), drawn.Narrow(room, (1,), LESS))
    found, more = head_to_head.below(evaluation)
    met = ["", *head_to_head.text(found, room)] if found else []
    told = [more, _narrow([f"interval of {heads[6]}" if at == 7 else heads[at] for at in left_out])]
    return "\n".join((*table, *met, "", *notes(evaluation), *filter(None, told))) + "\n"


def _narrow(left_out: list[str]) -> str:
    """What a narrow terminal has no room for, in words."""
    if not left_out:
        return ""
    verb = "is" if len(left_out) == 1 else "are"
    return f"left out here {verb} {figures.listed(left_out)}: a wider terminal, --markdown and --csv have all."


def markdown(evaluation: Evaluation) -> str:
    """Tables of GitHub's Markdown with the same cells, and the same notes; every pair is there."""
    table = [[*row[:1], drawn.marked(row[1]), *row[2:]] for row in rows(evaluation)]
    found = head_to_head.pairs(evaluation)
    met = ["", *head_to_head.markdown(found)] if found else []
    lines = (*drawn.markdown(columns(evaluation), table, right(evaluation)), *met, "", *notes(evaluation))
    return "\n".join(lines) + "\n"


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
        *(head_to_head.NOTES if any(pair.blocks for pair in evaluation.pairs) else ()),
        *_unknown(evaluation),
        *evaluation.notes,
    ]


def _unknown(evaluation: Evaluation) -> list[str]:
    """Why intervals are not known, where more blocks than one do not tell them."""
    wide = [not (known.rating(each) and known.utility(each)) for each in evaluation.standings if each.blocks > 1]
    wide += [not known.score(pair) for pair in evaluation.pairs if pair.blocks > 1]
    return ["not known: an interval so wide that it excludes nothing that could have come out."] * any(wide)


def _share(evaluation: Evaluation) -> list[str]:
    """What the share is, or why there is none."""
    if any(standing.share is None for standing in evaluation.standings):
        return ["share: of the table's points; there is none in a game where scores are negative or nobody has any."]
    return ["share: percent of the table's points that one seat of the bot made, on average."]


def rating_span(standing: Standing) -> str:
    """The interval of a rating as text; one block tells none, and two may tell none."""
    if not known.rating(standing):
        return figures.UNKNOWN
    return figures.interval(figures.rating(standing.rating_low), figures.rating(standing.rating_high))


def utility_span(standing: Standing) -> str:
    """The interval of a utility as text, in percent; one block tells none, and two may tell none."""
    if not known.utility(standing):
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
