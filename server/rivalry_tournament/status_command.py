"""``rivalry tournament status``: how far a tournament is, also while it is played."""

from __future__ import annotations

from pathlib import Path

import click

from rivalry_engine.counting import counted
from rivalry_server.commands import given, output
from rivalry_tournament import log, outcome, playing, results


@click.command()
@click.argument("folder", metavar="DIR")
@given.json_option
def command(folder: str, as_json: bool) -> int:
    """Tell how far the tournament in DIR is, who leads until now, and what failed.

    Utilities are percents, and with --json fractions, 0 to 1.
    """
    path = Path(folder)
    tournament = results.read(path)
    running = log.in_use(path / log.FILE)
    facts = {**outcome.facts(tournament), "running": running}
    if as_json:
        output.emit(facts)
        return 0
    output.say(f"{facts['name'] or path}: {facts['kind']} of {facts['game']}, {_state(facts['ended'], running, path)}")
    output.say(
        f"{facts['played']} of {counted(facts['matches'], 'match', 'matches')},"
        f" {facts['counted']} of {counted(facts['blocks'], 'block')} whole,"
        f" round {facts['rounds']}"
    )
    outcome.table(tournament)
    outcome.left_out(tournament)
    return 0


def _state(ended: bool, running: bool, path: Path) -> str:
    if ended:
        return "ended"
    return "running" if running else f"stopped; {playing.how(path)}"
