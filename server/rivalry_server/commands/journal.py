"""``rivalry journal``: what an arena keeps in its folder, looked at while it runs or after."""

from __future__ import annotations

from pathlib import Path

import click

from rivalry_server.commands import given, output
from rivalry_server.commands.failure import FailedError

data_option = click.option(
    "--data", "folder", required=True, metavar="DIR", help="The folder that `rivalry serve --data` is given."
)


@click.group()
def command() -> None:
    """Look at the matches that an arena keeps, while it runs or after."""


@command.command("list", short_help="List the matches.")
@data_option
@given.json_option
def listed(folder: str, as_json: bool) -> None:
    """List the matches of a journal, oldest first: those that wait, run and have ended.

    Exit status: 0 these are all, 1 the journal is damaged and these are those that can be read, 2 there is none here.
    """
    from rivalry_server.journal import inspection

    found = inspection.listed(Path(folder))
    if as_json:
        output.emit({"matches": [match.json() for match in found.matches], "troubles": list(found.troubles)})
    else:
        rows = [
            (match.match_id, match.game, str(match.phase), match.decisions, match.attempt, match.end or None)
            for match in found.matches
        ]
        output.table(("match", "game", "phase", "decisions", "attempt", "end"), rows)
    if found.troubles:
        raise FailedError(f"{folder}: damaged, and listed is what can be read: {'; '.join(found.troubles)}")


@command.command(short_help="Check that all of it can be read and goes on.")
@data_option
@given.json_option
def check(folder: str, as_json: bool) -> int:
    """Read all of a journal: its form, every action, every match that goes on, the record of every one that ended.

    Exit status: 0 all of it holds, 1 something does not, 2 there is no journal that can be read here.
    """
    from rivalry_server.journal import inspection

    found = inspection.checked(Path(folder))
    if as_json:
        output.emit(
            {
                "whole": not found.troubles,
                "going_on": found.going_on,
                "ended": found.ended,
                "sessions": found.sessions,
                "blobs": found.blobs,
                "troubles": list(found.troubles),
            }
        )
        return 1 if found.troubles else 0
    for trouble in found.troubles:
        output.say(trouble)
    if found.troubles:
        raise FailedError(f"{folder}: {len(found.troubles)} of what the journal holds is not as it was written")
    output.say(f"{folder}: matches that go on: {found.going_on}, that have ended: {found.ended}; all of it holds")
    return 0
