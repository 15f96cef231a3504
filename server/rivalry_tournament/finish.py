"""The end of a tournament: its outcome is shown and written."""

from __future__ import annotations

from rivalry_server.commands import output
from rivalry_tournament import outcome
from rivalry_tournament.results import Tournament


def finish(tournament: Tournament, *, as_json: bool) -> int:
    """Shows what a tournament that has ended came to; returns the exit status, 1 if nothing counts."""
    if as_json:
        output.emit(outcome.facts(tournament))
    else:
        outcome.table(tournament)
        outcome.left_out(tournament)
    return 0 if tournament.counted() else 1
