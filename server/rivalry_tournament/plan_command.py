"""``rivalry tournament plan``: what would be played, before anything is."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click

from rivalry_engine.counting import counted
from rivalry_report import names
from rivalry_server.commands import given, output
from rivalry_server.time_text import MOST_US, time_us
from rivalry_tournament import flags, making
from rivalry_tournament.schedule import Schedule


@click.command(epilog=flags.EPILOG)
@flags.settings_options
@click.option("--write", "path", metavar="FILE", help="Write the schedule there, for `rivalry tournament check`.")
@click.option("--match-time", metavar="T", help="How long a match takes; then how long the tournament does is told.")
@click.option("--trial", is_flag=True, help="Play a match of the first tables, with other seeds, and tell from that.")
@given.json_option
def command(path: str | None, match_time: str | None, trial: bool, as_json: bool, **arguments: Any) -> int:
    """Show what a tournament would play: rounds, blocks, matches, and what is promised of them."""
    settings = flags.settings(arguments)
    schedule = making.schedule(settings)
    match_us = None if match_time is None else _match_us(match_time)
    if trial:
        if match_us is not None:
            raise click.UsageError("--trial beside --match-time: give one of them")
        from rivalry_tournament.trial import match_us as tried

        match_us = tried(schedule)
    if path is not None:
        schedule.write(Path(path))
    if as_json:
        output.emit(facts(schedule, match_us))
    else:
        told(schedule, match_us)
    return 0


def facts(schedule: Schedule, match_us: int | None = None) -> dict[str, Any]:
    """The plan for programs.  ``seconds`` is None where nobody said how long a match takes."""
    settings = schedule.settings
    matches = sum(len(block.matches) for block in schedule.blocks)
    return {
        "name": settings.name,
        "kind": str(settings.kind),
        "game": settings.game,
        "seats": settings.seats,
        "entrants": list(settings.names()),
        "seed": settings.json()["seed"],
        "rounds": len(schedule.rounds),
        "more_rounds": making.dependent(settings),
        "blocks": len(schedule.blocks),
        "matches": matches,
        "each": _each(schedule),
        "promises": list(schedule.promises),
        "exclusion": schedule.exclusion,
        "seconds": None if match_us is None else matches * match_us / max(1, settings.concurrency) / 1e6,
    }


def told(schedule: Schedule, match_us: int | None = None) -> None:
    """The plan for a person."""
    plan = facts(schedule, match_us)
    settings = schedule.settings
    output.say(f"{settings.name or 'tournament'}: {plan['kind']} of {plan['game']}, {counted(plan['seats'], 'seat')}")
    output.table(
        ("entrant", "spec", "blocks", "matches", "seats"),
        [
            (
                entrant.name,
                names.shown(entrant.spec),
                *(plan["each"][entrant.name][key] for key in ("blocks", "matches", "seats")),
            )
            for entrant in settings.entrants
        ],
        numbers=("blocks", "matches", "seats"),
    )
    more = "; later rounds follow from results" if plan["more_rounds"] else ""
    output.say(f"{counted(plan['blocks'], 'block')}, {counted(plan['matches'], 'match', 'matches')}{more}")
    for promise in plan["promises"]:
        output.say(output.wrapped(f"  {promise}", sys.stdout))
    for key in ("owed", "excluded", "counts"):
        output.say(output.wrapped(f"  {plan['exclusion'][key]}", sys.stdout))
    if plan["seconds"] is not None:
        output.say(f"about {plan['seconds']:.0f} s, {max(1, settings.concurrency)} at once")


def _each(schedule: Schedule) -> dict[str, dict[str, int]]:
    """How many blocks, matches and seats each entrant has in the rounds that are known."""
    blocks: Counter[str] = Counter()
    matches: Counter[str] = Counter()
    seats: Counter[str] = Counter()
    for block in schedule.blocks:
        blocks.update(block.bots)
        for match in block.matches:
            matches.update(set(match.seats))
            seats.update(match.seats)
    return {
        name: {"blocks": blocks[name], "matches": matches[name], "seats": seats[name]}
        for name in schedule.settings.names()
    }


def _match_us(text: str) -> int:
    try:
        return time_us(text)
    except ValueError as error:
        raise click.UsageError(f"--match-time {text}: expected 1ms to {MOST_US // 3_600_000_000}h, as 500ms") from error
