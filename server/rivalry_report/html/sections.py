"""The sections of a report: figures, plots with how they are read, and how it all came about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from rivalry_report import figures, headline, tables
from rivalry_report.html import pairs
from rivalry_report.html.inline import inlined
from rivalry_report.html.standing import named, table
from rivalry_report.names import shown
from rivalry_report.spent import duration

if TYPE_CHECKING:
    from rivalry_report.report import Report

MOST_PAIRS = 12
"""So many undecided pairs are named."""


def all_of(report: Report) -> list[tuple[str, str, str]]:
    """The sections: an id, a heading, and HTML, empty where there is nothing to tell."""
    return [
        ("table", "The table", _table(report)),
        ("rating", "Ratings", _plot(report, "rating", "Ratings with intervals", _rating(report))),
        ("pairs", "Head to head", _pairs(report)),
        ("seats", "Seats", _plot(report, "seats", "Utility by seat", SEATS)),
        ("faults", "Faults", _faults(report)),
        ("times", "Time", _times(report)),
        ("played", "How it was played", _played(report)),
        ("method", "Method, and what it does not say", _method(report)),
        ("again", "The same again", _again(report)),
    ]


PAIRS = (
    "<b>How to read it.</b> A row is a bot, a column its opponent; the figure says in how many of a hundred "
    "comparisons, seat against seat at one table, the bot of the row came out above that of the column (draws half). "
    "Blue is above an even score, orange below; an empty field is a pair that never met. The table below has the "
    "interval of each, seen from the bot that stands higher; a pair is decided where it excludes an even score. Each "
    "pair is taken by itself: of twenty pairs of equals one may seem decided."
)
SEATS = (
    "<b>How to read it.</b> A panel is a seat, counted from 0. The grey mark is the bot’s utility over all seats, the "
    "arrow leads to that in this seat: to the right, in blue, the seat was good for it; to the left, in orange, bad. "
    "The mean above a panel is over all bots: away from 50, the seat itself helps or hurts. Since every bot had every "
    "seat equally often, seats do not move the table."
)


def _table(report: Report) -> str:
    if not report.evaluation.standings:
        return "<p>There is no table before a block has been played to its end.</p>"
    level = tables.level(report.evaluation)
    return table(report.evaluation) + (
        "<figcaption><b>How to read it.</b> Bots stand in the order of their ratings. The bar is the interval of a "
        f"rating (a narrow page has it under Ratings): of such bars {level} in 100 hold the true figure; the thin line "
        "is the mean of all bots. Utility is the percent of the others at a table that a bot ranked above, ties half: "
        "50 is an even score. Share is the percent of a table’s points that one seat of the bot made, on average; "
        "there is none where scores are negative or nobody has points. An interval is not known where it excludes "
        "nothing that could have come out. Places are those that the matches do not rule out for a bot by itself, so "
        "several bots may hold the same one.</figcaption>"
    )


def _rating(report: Report) -> str:
    return (
        "<b>How to read it.</b> The dot is the rating, the bar its interval at "
        f"{tables.level(report.evaluation)} percent. A hundred points more mean about 64 wins in 100 against the "
        "other, two hundred 76, four hundred 91. Bars do not tell the order of two bots, apart or not: the "
        "column of places does, which weighs all differences together, and the figures head to head say more."
    )


def _plot(report: Report, name: str, title: str, caption: str) -> str:
    plot = report.plots.get(name)
    if plot is None:
        return ""
    drawn = inlined(plot.svg, name, title)
    return f'<figure><div class="scroll">{drawn}</div><figcaption>{caption}</figcaption></figure>'


def _pairs(report: Report) -> str:
    return (
        _plot(report, "pairs", "Head to head, in percent", PAIRS) + pairs.table(report.evaluation) + _undecided(report)
    )


def _undecided(report: Report) -> str:
    open_ = headline.undecided(report.evaluation)
    if not open_:
        return "<p>Every pair that met is decided, taken by itself: no interval includes an even score.</p>" * bool(
            report.evaluation.pairs
        )
    if len(open_) > MOST_PAIRS:
        met = sum(pair.blocks > 0 for pair in report.evaluation.pairs)
        return f"<p>{len(open_):,} of {met:,} pairs are not decided: their interval includes an even score.</p>"
    told = "; ".join(f"{named(a)} and {named(b)}" for a, b in open_)
    return f"<p>Not decided by these matches, since the interval includes an even score: {told}.</p>"


def _faults(report: Report) -> str:
    if "faults" not in report.plots:
        return "<p>None: every seat of every match that counts ended normally.</p>" * bool(report.evaluation.standings)
    return _plot(report, "faults", "Faults by bot and kind", FAULTS)


FAULTS = (
    "<b>How to read it.</b> In how many seats a bot ended otherwise than normally, by kind; bots that are not here "
    "never did. Such a match counts: whoever falls out ranks below all who did not. Where the policies say so a "
    "stand-in plays on for it, and the points it makes are in the bot’s share."
)


def _times(report: Report) -> str:
    if not report.spent:
        return ""
    rows = [
        (named(each.bot), f"{each.decisions:,}", duration(each.mean_us), duration(each.total_us / each.matches))
        for each in report.spent
    ]
    caption = (
        "<b>How to read it.</b> For each match the mean time that the bot took for a decision, on a scale where each "
        "line is ten times the one before: the thin line is the range over all matches, the box the middle half, the "
        "mark the median, written at the right. A mean in the table below may be far above it: a few slow matches, "
        "such as those in which a program starts, weigh much in a mean and not in a median. It is the bot’s own time, "
        "on the machine and under the load of this "
        "tournament."
    )
    return _plot(report, "times", "Time a decision", caption) + _small_table(
        ("Bot", "Decisions", "Mean of a decision", "Mean of a match"), rows
    )


def _small_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f'<th scope="col" class="{"n" if at else ""}">{text}</th>' for at, text in enumerate(heads))
    body = "".join(
        "<tr>" + "".join(f'<td class="{"n" if at else "name"}">{cell}</td>' for at, cell in enumerate(row)) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _played(report: Report) -> str:
    facts = report.facts
    told = [
        ("Game", facts.game),
        ("Options", ", ".join(f"{name}={value}" for name, value in facts.options) or "all as usual"),
        ("Seats", str(facts.seats)),
        ("Who met whom", facts.kind),
        (
            "Blocks of the schedule",
            f"{facts.blocks_whole:,} played to their end, of {facts.blocks_planned:,} settled; those that have the "
            "same seed count as one block in all figures",
        ),
        ("Seed", facts.seed),
        ("Time control", facts.time),
        *([("First prompts", facts.first)] if facts.first else []),
        ("Policies", ", ".join(f"{name}={value}" for name, value in facts.policies) or "all as usual"),
        ("At once", "as many as a null match allowed" if facts.concurrency == 0 else str(facts.concurrency)),
    ]
    listed = "".join(f"<dt>{escape(name)}</dt><dd>{escape(shown(value))}</dd>" for name, value in told)
    entrants = "".join(
        f"<dt>{named(each.name)}</dt><dd><code>{escape(shown(each.spec))}</code></dd>" for each in facts.entrants
    )
    promises = f"<h3>What the schedule promises</h3>{_points(facts.promises)}" if facts.promises else ""
    return (
        "<p>A block is one seed played with the seats rotated, so that neither luck nor seats favour anybody. All of "
        f"it was settled and written down before the first match.</p><dl>{listed}</dl>"
        f"<h3>The bots</h3><dl>{entrants}</dl>{promises}"
    )


def _method(report: Report) -> str:
    evaluation, facts = report.evaluation, report.facts
    copies = (
        f"{figures.count(evaluation.copies, 'match', 'matches')} of bots that always play alike repeated another move "
        "by move and were not counted again."
        if evaluation.copies
        else "No match was a copy of another."
    )
    caveats = (
        f"Intervals hold at {tables.level(evaluation)} percent each, not all at once: of many bots one or the other "
        "may lie outside of its own.",
        "A rating and a utility belong to this field, these options and this time control; another field gives others.",
        copies,
        "Only whole blocks count; what leaves a block out was written before the first match.",
    )
    rules = f"<h3>What is left out</h3>{_points(facts.rules)}" if facts.rules else ""
    excluded = f"<p>Left out were:</p>{_points(facts.excluded)}" if facts.excluded else ""
    return (
        f"<p>{escape(shown(evaluation.method))}</p><p>{figures.count(evaluation.resamples, 'resample')} of the blocks, "
        f"from the seed <code>{escape(shown(evaluation.seed))}</code>.</p>"
        f"<h3>What it does not say</h3>{_points(caveats)}{rules}{excluded}"
    )


def _again(report: Report) -> str:
    if not report.facts.commands:
        return ""
    lines = "\n".join(escape(shown(command)) if command else "" for command in report.facts.commands)
    return (
        f"<pre>{lines}</pre><p>The same seed gives the same schedule, match ids and luck; bots that decide by their "
        "observation and luck alone, and not by the time, play the same matches again.</p>"
    )


def _points(texts: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(shown(text))}</li>" for text in texts) + "</ul>"
