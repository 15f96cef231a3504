"""Round robin: all against all, two at a table or more; every two bots meet equally often."""

from __future__ import annotations

from rivalry_tournament import blocks, design
from rivalry_tournament.schedule import Round
from rivalry_tournament.settings import Settings


def tables(settings: Settings) -> list[tuple[str, ...]]:
    """Who sits together, each table once; raises RivalryError where there is no such design."""
    names = settings.names()
    return [tuple(names[bot] for bot in table) for table in design.tables(len(names), settings.bots, settings.tables)]


def rounds(settings: Settings) -> tuple[Round, ...]:
    """The only round."""
    return (Round(1, "round robin", blocks.tabled(settings, tables(settings), round_=1)),)
