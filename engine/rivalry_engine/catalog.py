"""The games that are installed: found by entry point ``rivalry.games``, ours and everybody's in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from rivalry_engine.error import OptionError, PositionError, RivalryError, UnknownGameError
from rivalry_engine.game import Game, State
from rivalry_engine.loading import fault
from rivalry_engine.option import OptionValue

GROUP = "rivalry.games"


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted(_entries())


@cache
def rules(name: str) -> type[Game]:
    """The class of the game ``name``; raises UnknownGameError that lists what there is, RivalryError when its package
    cannot be imported.
    """
    entry = _entries().get(name)
    if entry is None:
        raise UnknownGameError(f"there is no game {name!r}; installed are {', '.join(names())}")
    try:
        loaded = entry.load()
    except (Exception, SystemExit) as error:
        raise RivalryError(f"game {name!r} cannot be loaded: {fault(error)}") from error
    if not (isinstance(loaded, type) and issubclass(loaded, Game)):
        expected = "a subclass of rivalry_engine.game.Game"
        raise RivalryError(f"entry point {GROUP}: {name} is {loaded!r}; expected {expected}")
    return loaded


def game(name: str, options: Mapping[str, OptionValue] | None = None) -> Game:
    """The game ``name`` with ``options``; raises UnknownGameError or OptionError."""
    return rules(name)(options)


def state_at(position: Mapping[str, Any]) -> State:
    """The state of a position, whose key ``game`` names the game; raises PositionError or UnknownGameError."""
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a JSON object; {type(position).__name__} was given")
    name = position.get("game")
    if not isinstance(name, str):
        raise PositionError(f"position key game: {name!r}; expected the name of a game, one of {', '.join(names())}")
    options = position.get("options", {})
    if not isinstance(options, Mapping):
        raise PositionError(f"position key options: {options!r}; expected a JSON object")
    try:
        made = game(name, options)
    except OptionError as error:
        raise PositionError(f"position key options: {error}") from error
    return made.state_at(position)
