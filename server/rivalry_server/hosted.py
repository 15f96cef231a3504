"""The games that can be played in an arena."""

from __future__ import annotations

from collections.abc import Container, Sequence

from rivalry_engine import catalog


class Hosted(Container[str]):
    """The entries that are installed, and by membership also each game of a family by its whole name."""

    def __init__(self) -> None:
        self.names: Sequence[str] = catalog.names()
        """Games and families, sorted."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.names or catalog.is_listed(name))
