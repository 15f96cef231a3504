"""``rivalry ladder table``: the official table for people and for programs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import click

from rivalry_ladder import people
from rivalry_ladder.calls import answer
from rivalry_ladder.names import label
from rivalry_report import figures
from rivalry_server.commands import given, output
from rivalry_server.commands.arena_where import Where, where_options


@click.command(epilog="JSON has more: owners, utilities, online ratings, kinds of faults, the digest of the results.")
@click.option("--queue", default="", metavar="QUEUE", help="The queue; may be left out where there is one.")
@click.option("--season", default="", metavar="SEASON", help="A season of the past; the one that runs where not given.")
@where_options
def command(where: Where, queue: str, season: str, as_json: bool) -> None:
    """Show the official table: fitted to all results that count, in whatever order they came."""
    from rivalry_ladder.facts import facts

    given.utf8("--queue", queue)
    given.utf8("--season", season)
    found = facts(answer(where, "GetTable", queue=queue, season=season).table)
    if as_json:
        output.emit(found)
    else:
        show(found)


def show(table: Mapping[str, Any]) -> None:
    """Prints a table for a person, and below it what its columns are; faults have one where there are any."""
    faulty = any(row["faults"] for row in table["rows"])
    ratings = [people.rating(row) for row in table["rows"]]
    unknown = any(span == figures.UNKNOWN for _, span, _ in ratings)
    columns = ("place", "bot", "matches", "rating", "interval", "places", *(["faults"] * faulty))
    rows = [
        (
            row["rank"],
            label(row["bot"], row["version"]) + ("" if row["current"] else " (past)"),
            row["matches"],
            *rating,
            *([sum(row["faults"].values())] * faulty),
        )
        for row, rating in zip(table["rows"], ratings, strict=True)
    ]
    output.table(columns, rows, numbers=[column for column in columns if column != "bot"])
    for line in (_counted(table), *notes(table, faulty=faulty, unknown=unknown)):
        output.say(output.wrapped(line, sys.stdout))


def notes(table: Mapping[str, Any], *, faulty: bool, unknown: bool) -> list[str]:
    """What the columns are, and who is not in the table."""
    level = figures.fixed((1 - table["alpha"]) * 100, 1).removesuffix(".0")
    faults = ["faults: matches that ended by the bot's own fault; `rivalry ladder show BOT` has the newest."]
    return [
        f"rating: Elo-like points around 0, from all these matches; intervals: {level} percent.",
        "places: those that the matches do not rule out, so several bots may hold the same one.",
        *faults * faulty,
        *["not known: an interval so wide that it excludes nothing that could have come out."] * unknown,
        "Probe matches do not count, and the built-in bot that is met there is not in the table.",
    ]


def _counted(table: Mapping[str, Any]) -> str:
    return f"queue {table['queue']}, season {table['season']}, {figures.count(table['matches'], 'match', 'matches')}"
