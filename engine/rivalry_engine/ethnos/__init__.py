"""Ethnos: bands of allies fight for six kingdoms.  The rules, id by id, stand in ``RULES.md``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rivalry_engine.ethnos.game import Ethnos

__all__ = ["Ethnos"]


def __getattr__(name: str) -> object:
    """The game, imported when it is first asked for, so that the data tables can be read without the rules."""
    if name == "Ethnos":
        from rivalry_engine.ethnos.game import Ethnos

        return Ethnos
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
