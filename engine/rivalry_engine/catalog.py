"""The games that are installed: found by entry point ``rivalry.games``, ours and everybody's in the same way.

An entry is a game, a subclass of ``Game``, or a ``Family`` of them: many games of one origin, each of which is called
ENTRY:NAME.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.metadata import EntryPoint
from typing import Any

from rivalry_engine import entries
from rivalry_engine.answering import answering
from rivalry_engine.error import GameFailedError, OptionError, PositionError, RivalryError, UnknownGameError
from rivalry_engine.formed import is_line, trouble
from rivalry_engine.game import Game, State
from rivalry_engine.loading import fault
from rivalry_engine.option import OptionValue

GROUP = "rivalry.games"
KEPT = 4_096
"""So many games are kept: a family may have more of them than anybody asks for."""


class Family(ABC):
    """Many games under one entry point, made when they are asked for."""

    title: str
    """What they are, for people."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """What may follow ENTRY and the colon, sorted; raises RivalryError when the package they need is missing."""

    @abstractmethod
    def rules(self, name: str) -> type[Game]:
        """The class of one of them, always the same, whose ``name`` is ENTRY:NAME.

        Raises UnknownGameError for a name that is none, RivalryError when the package it needs is missing.
        """


@cache
def _entries() -> dict[str, EntryPoint]:
    return entries.installed(GROUP)


@cache
def _loaded(name: str) -> type[Game] | Family:
    """What the entry ``name`` gives; raises RivalryError, which says what is wrong with it, for one that is no game."""
    entries.refuse_rivals(GROUP, name)
    if ":" in name or not is_line(name):
        raise RivalryError(f"entry point {GROUP}: {name!r} is no name of a game: a colon follows that of a family")
    try:
        loaded = _entries()[name].load()
    except (Exception, SystemExit) as error:
        raise RivalryError(f"game {name!r} cannot be loaded: {fault(error)}") from error
    if isinstance(loaded, Family):
        if not is_line(getattr(loaded, "title", None)):
            raise RivalryError(f"family {name!r} cannot be loaded: its title is no text of one line")
        return loaded
    if isinstance(loaded, type) and issubclass(loaded, Game):
        _whole(name, loaded)
        return loaded
    expected = "a subclass of rivalry_engine.game.Game, or a rivalry_engine.catalog.Family"
    raise RivalryError(f"entry point {GROUP}: {name} is {loaded!r}; expected {expected}")


def _whole(name: str, rules: type[Game]) -> None:
    """Raises RivalryError for a class that is not all that a game must be."""
    wrong = trouble(rules)
    if wrong:
        raise RivalryError(f"game {name!r} cannot be loaded: {wrong}")


def names() -> list[str]:
    """The names of all entries, sorted: games and families, whether or not they can be loaded."""
    return sorted(_entries())


def family(name: str) -> Family | None:
    """The family ``name``; None where that is no entry or one game.  Raises RivalryError when it cannot be loaded."""
    loaded = _loaded(name) if name in _entries() else None
    return loaded if isinstance(loaded, Family) else None


@cache
def _listed(family: str) -> frozenset[str]:
    """What the entry ``family`` lists; nothing where it is none or cannot be had, which is found out once."""
    try:
        loaded = _loaded(family)
        with answering(family):
            return frozenset(loaded.names()) if isinstance(loaded, Family) else frozenset()
    except RivalryError:
        return frozenset()


def is_listed(name: str) -> bool:
    """True if ``name`` is that of an entry, or FAMILY:NAME of a game that its family lists; makes no game."""
    entry, colon, rest = name.partition(":")
    return entry in _entries() and (not colon or rest in _listed(entry))


def whole_names(name: str) -> list[str]:
    """FAMILY:NAME for each family that has a game ``name``, parameters left aside; each family imports what it needs.

    For people who leave out the family: on a command line and not in an arena, where nothing is imported for a name
    that is none.
    """
    bare = name.partition("(")[0]
    return [f"{entry}:{name}" for entry in names() if bare in _listed(entry)]


@lru_cache(maxsize=KEPT)
def rules(name: str) -> type[Game]:
    """The class of the game ``name``; raises UnknownGameError that lists what there is, RivalryError when its package
    cannot be imported.
    """
    if name in _entries() and ":" in name:
        _loaded(name)  # which says what is wrong with it
    entry, colon, rest = name.partition(":")
    if entry not in _entries():
        from difflib import get_close_matches

        near = "".join(f"did you mean {close}? " for close in get_close_matches(entry, names(), 1))
        raise UnknownGameError(f"there is no game {name!r}; {near}installed are {', '.join(names())}", name=name)
    loaded = _loaded(entry)
    if isinstance(loaded, Family):
        if not rest:
            raise UnknownGameError(
                f"{entry} is many games; name one as {entry}:NAME; `rivalry games {entry}` lists them"
            )
        with answering(name):
            one = loaded.rules(rest)
        _whole(name, one)
        return one
    if colon:
        raise UnknownGameError(f"there is no game {name!r}; {entry} is one game")
    if loaded.name != name:
        raise RivalryError(
            f"entry point {GROUP}: {name} gives a game whose name is {loaded.name!r}; both have to be the same"
        )
    return loaded


def is_known(name: str) -> bool:
    """True if ``rules`` gives the game."""
    try:
        rules(name)
    except RivalryError:
        return False
    return True


def game(name: str, options: Mapping[str, OptionValue] | None = None) -> Game:
    """The game ``name`` with ``options``; raises UnknownGameError, OptionError, or RivalryError where it cannot be."""
    made = rules(name)
    with answering(name):
        return made(options)


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
    try:
        state = made.state_at(position)
    except (RivalryError, MemoryError):
        raise
    except (
        Exception,
        SystemExit,
    ) as error:  # whatever somebody else's game does with a position that it does not foresee
        raise PositionError(f"{name} cannot read this position: {type(error).__name__}: {error}") from error
    if not isinstance(state, State):
        raise GameFailedError(f"the game {name} failed: state_at gave {state!r:.80}; expected a state")
    return state
