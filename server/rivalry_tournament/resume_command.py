"""``rivalry tournament resume``: goes on where a tournament was stopped or killed."""

from __future__ import annotations

from pathlib import Path

import click

from rivalry_server.commands import given
from rivalry_tournament import finish, playing, results


@click.command()
@click.argument("folder", metavar="DIR")
@click.option("--concurrency", type=click.IntRange(1, 256), metavar="N", help="Matches at once, other than scheduled.")
@click.option("--address", default="127.0.0.1:0", show_default=True, metavar="TARGET", help="Where bots dial.")
@finish.report_option
@given.json_option
def command(folder: str, concurrency: int | None, address: str, no_report: bool, as_json: bool) -> int:
    """Go on with the tournament in DIR: what was played stays, what was under way is played from its beginning.

    The outcome is the same as if it had not been stopped.  One that has ended is told again.
    """
    path = Path(folder)
    tournament = results.read(path)
    if not tournament.ended:  # in the folder of one that has, nothing need be written
        finish.forewarn(path, no_report=no_report)
        tournament = playing.go_on(path, concurrency=concurrency, address=address)
    return finish.finish(tournament, as_json=as_json, no_report=no_report)
