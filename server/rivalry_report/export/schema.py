"""The tables that are exported, and their columns: the one place that says so.

``make test`` holds the table in ``server/README.md`` against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

VERSION: Final = 1
"""Raised when a column changes its meaning or goes; new ones may come."""


class Kind(StrEnum):
    """What a column holds; in Parquet string, int64, bool and lists of them."""

    TEXT = "text"
    INTEGER = "integer"
    FLAG = "flag"
    TEXTS = "texts"
    INTEGERS = "integers"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, what it holds, what that is, and whether it may be null."""

    name: str
    kind: Kind
    meaning: str
    null: bool = False


BOT: Final = "the entrant's name in a tournament, the SPEC in a comparison (a second of it has #2), else the bot's own"
COUNTED: Final = "whole and not left out, and in a comparison not behind its verdict"
MATCH: Final = (
    Column("match", Kind.TEXT, "match id, 32 hex digits"),
    Column("tournament", Kind.TEXT, "name of the tournament, or its folder's; of a comparison its folder's", null=True),
    Column("block", Kind.TEXT, "id of the block", null=True),
    Column("place", Kind.INTEGER, "place of the match in its block, from 1", null=True),
    Column("seed", Kind.TEXT, "0x and hex; matches with one seed share their luck: the unit of an analysis"),
    Column("counted", Kind.FLAG, f"whether its block is in the analysis: {COUNTED}", null=True),
)
"""What ``results`` and ``seats`` begin with.  What is of a tournament or a comparison is null outside of one."""

RESULTS: Final = (
    *MATCH,
    Column("game", Kind.TEXT, "name of the game"),
    Column("rules_version", Kind.INTEGER, "version of its rules"),
    Column("options", Kind.TEXT, "its options, as canonical JSON"),
    Column("time", Kind.TEXT, "time control"),
    Column("seats", Kind.INTEGER, "number of seats"),
    Column("bots", Kind.TEXTS, f"by seat: {BOT}"),
    Column("scores", Kind.INTEGERS, "by seat, in units of the game; null for a void match", null=True),
    Column("ranks", Kind.INTEGERS, "by seat, from 1, equals share one; null for a void match", null=True),
    Column("ends", Kind.TEXTS, "by seat: normal, illegal, timeout, disconnect, crash, no_show, resigned, …"),
    Column("decisions", Kind.INTEGER, "number of actions"),
    Column("us", Kind.INTEGER, "microseconds that all decisions took"),
    Column("void", Kind.TEXT, "why there is no result", null=True),
    Column("digest", Kind.TEXT, "game digest; equal for the same game played the same way", null=True),
    Column("package", Kind.TEXT, "version of rivalry that played it"),
)
SEATS: Final = (
    *MATCH,
    Column("game", Kind.TEXT, "name of the game"),
    Column("seat", Kind.INTEGER, "from 0"),
    Column("bot", Kind.TEXT, BOT),
    Column("name", Kind.TEXT, "what the bot calls itself"),
    Column("version", Kind.TEXT, "the version it gives"),
    Column("score", Kind.INTEGER, "in units of the game; null for a void match", null=True),
    Column("rank", Kind.INTEGER, "from 1, equals share one; null for a void match", null=True),
    Column("below", Kind.INTEGER, "half points: two for each other seat ranked below, one for each equal", null=True),
    Column("others", Kind.INTEGER, "number of other seats; below / (2 × others) is the utility"),
    Column("end", Kind.TEXT, "normal, illegal, timeout, disconnect, crash, no_show, resigned, …"),
    Column("fell", Kind.INTEGER, "after how many actions of the match it ended other than normally", null=True),
    Column("retries", Kind.INTEGER, "how often the bot was started or awaited again"),
    Column("decisions", Kind.INTEGER, "actions of the bot"),
    Column("stand_ins", Kind.INTEGER, "actions of its stand-in"),
    Column("us", Kind.INTEGER, "microseconds that the bot's actions took, with network and arena"),
    Column("network_us", Kind.INTEGER, "of these, the network's"),
    Column("arena_us", Kind.INTEGER, "of these, the arena's"),
)
DECISIONS: Final = (
    *MATCH[:2],
    Column("n", Kind.INTEGER, "number of the action in its match, from 1"),
    Column("seat", Kind.INTEGER, "who acted, from 0"),
    Column("bot", Kind.TEXT, BOT),
    Column("action", Kind.TEXT, "in the game's notation"),
    Column("stand_in", Kind.FLAG, "whether a stand-in chose it"),
    Column("us", Kind.INTEGER, "microseconds it took, with network and arena"),
    Column("network_us", Kind.INTEGER, "of these, the network's"),
    Column("arena_us", Kind.INTEGER, "of these, the arena's"),
    Column("note", Kind.TEXT, "what the bot noted", null=True),
)
TABLES: Final[Mapping[str, tuple[Column, ...]]] = {"results": RESULTS, "seats": SEATS, "decisions": DECISIONS}
"""The tables, by what ``rivalry records export --what`` calls them."""


def markdown() -> str:
    """All tables as one of Markdown, as ``server/README.md`` holds it."""
    lines = ["| table | column | holds | what it is |", "|---|---|---|---|"]
    for table, columns in TABLES.items():
        for column in columns:
            holds = f"{column.kind} or null" if column.null else str(column.kind)
            lines.append(f"| {table} | `{column.name}` | {holds} | {column.meaning} |")
    return "\n".join(lines) + "\n"
