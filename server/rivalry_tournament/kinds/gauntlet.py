"""Gauntlet: the subjects against each of the others, two at a table; the others do not meet."""

from __future__ import annotations

from rivalry_tournament import blocks
from rivalry_tournament.schedule import Round
from rivalry_tournament.settings import Settings


def rounds(settings: Settings) -> tuple[Round, ...]:
    """The only round."""
    tables = [(subject, other) for subject in settings.subjects for other in settings.opponents()]
    return (Round(1, "gauntlet", blocks.tabled(settings, tables, round_=1)),)
