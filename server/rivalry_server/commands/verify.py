"""``rivalry verify``: is a record true?"""

from __future__ import annotations

import click

from rivalry_engine import record
from rivalry_engine.error import DamagedRecordError
from rivalry_server.commands import given, output
from rivalry_server.commands.failure import FailedError


@click.command()
@click.argument("file", metavar="FILE")
@given.json_option
def command(file: str, as_json: bool) -> int:
    """Play the record in FILE (- for stdin) again and compare.

    Exit status: 0 true; 1 damaged, or another result than it says; 2 not a record that can be read here.
    """
    try:
        read = record.read(given.content(file))
        record.verified(read)
    except DamagedRecordError as error:
        if not as_json:
            raise FailedError(f"{file}: {error}") from error
        output.emit({"true": False, "difference": str(error)})
        return 1
    assert read.tail is not None
    if as_json:
        output.emit({"true": True, "game_digest": read.tail["game_digest"], "actions": len(read.actions)})
    else:
        digest = read.tail["game_digest"] or "none, the match is void"
        output.say(f"{file}: true, {len(read.actions)} actions, game digest {digest}")
    return 0
