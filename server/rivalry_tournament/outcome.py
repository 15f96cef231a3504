"""What a tournament came to, for people and programs."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from typing import Any

from rivalry_report import drawn, names
from rivalry_report.figures import NONE, percent
from rivalry_report.tables import UTILITY
from rivalry_server.commands import output
from rivalry_tournament.progress import Tally
from rivalry_tournament.results import Tournament


def facts(tournament: Tournament) -> dict[str, Any]:
    """How far a tournament is and what it came to until now, as programs read it: utilities are fractions, 0 to 1."""
    tally = Tally(tournament)
    settings = tournament.schedule.settings
    return {
        "dir": str(tournament.folder),
        "name": settings.name,
        "kind": str(settings.kind),
        "game": settings.game,
        "ended": tournament.ended,
        "matches": tournament.matches,
        "played": len(tournament.results),
        "rounds": len(tournament.rounds),
        "blocks": sum(1 for _ in tournament.blocks),
        "counted": len(tournament.counted()),
        "left_out": [{"block": block.id, "why": why} for block, why in tournament.left_out()],
        "owed": tally.owed,
        "void": tally.void,
        "faults": {bot: dict(sorted(ends.items())) for bot, ends in tally.ends.items()},
        "places": _places(tournament),
        "standing": [
            {"bot": bot, "matches": tally.matches[bot], "utility": None if mean is None else round(mean, 6)}
            for bot, mean in tally.standing()
        ],
    }


def _places(tournament: Tournament) -> list[dict[str, Any]] | None:
    places = tournament.places()
    return None if places is None else [{"place": place, "bot": bot} for place, bot in places]


def places(tournament: Tournament) -> None:
    """Who won as rounds go, where a tournament has rounds that depend on results, and what follows below it."""
    won = tournament.places()
    if won is not None:
        output.say("Places as the rounds went:")
        _table(("place", "bot"), [(str(place), names.shown(bot)) for place, bot in won], right=(0,))
        output.say("\nAll matches together, by rating:")


def table(tournament: Tournament) -> None:
    """The standing of all matches until now, for a person."""
    tally = Tally(tournament)
    _table(
        ("bot", "matches", "utility", "faults"),
        [
            (
                names.shown(bot),
                str(tally.matches[bot]),
                percent(mean),
                ", ".join(f"{count} {end}" for end, count in sorted(tally.ends[bot].items())) or NONE,
            )
            for bot, mean in tally.standing()
        ],
        right=(1, 2),
    )
    output.say(output.wrapped(f"{UTILITY}  All matches until now count.", sys.stdout))


def room() -> int | None:
    """How wide the terminal is on which a table is shown; None where there is none."""
    return output.width_of(sys.stdout) if output.on_terminal(sys.stdout) else None


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: Collection[int]) -> None:
    """Prints a table as the final one is printed."""
    bot = heads.index("bot")
    for line in drawn.text(heads, rows, right, drawn.Narrow(room(), (bot,), ()))[0]:
        output.say(line)


def left_out(tournament: Tournament) -> None:
    """The blocks that do not count, and why."""
    for block, why in tournament.left_out():
        output.say(f"block {block.id} is left out: {names.shown(why)}")
