"""A family of games as somebody's package would bring it, and one whose package needs another that is missing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import EntryPoint

import pytest

from rivalry_engine import catalog
from rivalry_engine.catalog import Family
from rivalry_engine.error import RivalryError, UnknownGameError
from rivalry_engine.game import Game
from server.tally import Tally


class Tallies(Family):
    """``short`` and ``long``."""

    title = "Tallies of two lengths"

    def names(self) -> Sequence[str]:
        return ["long", "short"]

    @cache  # noqa: B019 - one family lives as long as the program
    def rules(self, name: str) -> type[Game]:
        if name not in self.names():
            raise UnknownGameError(f"there is no game many:{name}; there are long and short")
        return type(f"{name.title()}Tally", (Tally,), {"name": f"many:{name}", "heavy": name == "long"})


class Missing(Family):
    """Its games need a package that is not here."""

    title = "Tallies that need more"

    def names(self) -> Sequence[str]:
        raise RivalryError("its games need the package tallies, which is not installed: pip install tallies")

    def rules(self, name: str) -> type[Game]:
        raise RivalryError("its games need the package tallies, which is not installed: pip install tallies")


MANY = Tallies()
MISSING = Missing()


def entries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry points ``many`` and ``missing`` beside those that are installed."""
    made = {name: EntryPoint(name, f"server.many:{name.upper()}", catalog.GROUP) for name in ("many", "missing")}
    found = {**catalog._entries(), **made}
    monkeypatch.setattr(catalog, "_entries", lambda: found)
