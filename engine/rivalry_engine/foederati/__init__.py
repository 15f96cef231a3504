"""Foederati: tribes share out a fallen empire on a map.  The rules, id by id, stand in ``RULES.md``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rivalry_engine.foederati.game import Foederati

__all__ = ["Foederati"]


def __getattr__(name: str) -> object:
    """The game, imported when it is first asked for, so that the map can be read without the rules."""
    if name == "Foederati":
        from rivalry_engine.foederati.game import Foederati

        return Foederati
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
