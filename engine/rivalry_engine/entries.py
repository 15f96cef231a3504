"""What packages offer by entry points: each name of a group is one package's alone."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from rivalry_engine.error import RivalryError


@cache
def _offered(group: str) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def installed(group: str) -> dict[str, EntryPoint]:
    """What is offered, by name."""
    return {entry.name: entry for entry in _offered(group)}


def refuse_rivals(group: str, name: str) -> None:
    """Raises RivalryError where several packages have an entry of that name: which of them is meant, nobody knows."""
    those = [entry for entry in _offered(group) if entry.name == name]
    if len(those) < 2:
        return
    packages = {"a package without a name" if it.dist is None else f"{it.dist.name} ({it.value})" for it in those}
    if len(packages) > 1:
        several = ", ".join(sorted(packages))
        raise RivalryError(f"entry point {group}: {name} is in several packages, {several}; remove all but one")
