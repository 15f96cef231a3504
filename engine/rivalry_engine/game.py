"""The interface of a game.

A ``Game`` is the rules at one number of seats and one set of options; it never changes.  A ``State`` is one playing of
it, changed in place, one action at a time.  How to add one: ``engine/README.md``.
"""

from __future__ import annotations

from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from rivalry_engine.chance import Stream
from rivalry_engine.error import PositionError, RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.option import Option, OptionValue, resolved
from rivalry_engine.state import State as State
from rivalry_engine.viewing import outline

Action = int
"""What a seat does, as one integer of the game's own; read and written as text by ``Game.text`` and ``Game.action``."""

PUBLIC: Final = -1
"""The audience that holds no seat.  It sees least, not all."""


class Choice(NamedTuple):
    """One of the numbered things a prompt offers: an action, or an action with a hole.

    The hole is filled with ``least`` to ``most`` of the ``parts``; equal pieces stand as often as there are copies.
    ``action`` is what the choice's number alone means: the hole filled with the first ``usual`` parts.
    A tuple, since games make their choices once and hand the same ones to every bot.
    """

    action: Action
    parts: tuple[int, ...] = ()
    least: int = 0
    most: int = 0
    usual: int = 0

    def __repr__(self) -> str:
        return f"Choice({self.action}, {self.parts}, {self.least}, {self.most}, {self.usual})"


class Objection:
    """Why an action is not legal: a stable ``code`` for programs and a ``text`` for people."""

    __slots__ = ("code", "text")

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        self.text = text

    def __repr__(self) -> str:
        return f"Objection({self.code!r}, {self.text!r})"


class View(ABC):
    """An immutable value that leaves the engine: what a setup or an observation is."""

    __slots__ = ()

    @abstractmethod
    def json(self) -> dict[str, Any]:
        """The value as JSON objects, lists, texts, integers, flags and null."""


class Observation(View):
    """All that an audience may know: made of public parts and the seat's own, never a state with secrets deleted."""

    __slots__ = ()

    seat: int
    """The audience: a seat, or PUBLIC."""


class _Made(ABCMeta):
    """Seals a game once all its constructors are done."""

    def __call__(cls, *args: Any, **named: Any) -> Any:
        game = super().__call__(*args, **named)
        object.__setattr__(game, "_sealed", True)
        return game


class Game(metaclass=_Made):
    """The rules of one game at one number of seats and options.

    Immutable: attributes are set by constructors only, ``options`` and ``glossary`` are read-only, since one game
    serves all bots of a match.  Values kept for speed belong into a dictionary or a ``cached_property``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    """Raised only when a legal play or score of options that existed before changes."""
    seat_counts: ClassVar[range]
    usual_seats: ClassVar[int]
    declared: ClassVar[tuple[Option, ...]] = ()
    """The game's own options; ``seats`` is declared for every game by ``options_declared``."""
    score_unit: ClassVar[int] = 1
    """How many units of a score make a point."""
    imagines: ClassVar[bool] = False
    """True if ``imagine`` works."""
    has_positions: ClassVar[bool] = False
    """True if ``State.position`` and ``Game.state_at`` work."""
    echoes: ClassVar[frozenset[str]] = frozenset()
    """The kinds of events that say no more than the action that made them: a replay leaves them out."""

    glossary: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The words of the game and what they mean, for people and language models."""
    primer: ClassVar[str] = ""
    """The rules in short, a page at most: what somebody reads who is to play and knows only the notation's look."""
    heavy: ClassVar[bool] = False
    """True if a step may take a millisecond or more: an arena then takes the steps in a worker thread."""

    seats: int
    options: Mapping[str, OptionValue]
    """Every option with its value, ``seats`` included; read-only."""

    _sealed = False

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        if "glossary" in vars(cls):
            cls.glossary = MappingProxyType(dict(cls.glossary))

    def __setattr__(self, name: str, value: object) -> None:
        if self._sealed:
            raise AttributeError(f"{name} cannot be set: the game {self.name} does not change")
        if name == "options":
            value = MappingProxyType(dict(value))  # type: ignore[call-overload]
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} cannot be deleted: the game {self.name} does not change")

    def __init__(self, options: Mapping[str, OptionValue] | None = None) -> None:
        """Raises OptionError on an unknown option or a value that is not allowed."""
        values = resolved(self.name, self.options_declared(), options or {})
        self.options = values
        self.seats = int(values["seats"])

    @classmethod
    def options_declared(cls) -> tuple[Option, ...]:
        """All options, ``seats`` first."""
        seats = Option("seats", "integer", cls.usual_seats, tuple(cls.seat_counts), "how many bots play")
        return (seats, *cls.declared)

    def options_given(self) -> dict[str, OptionValue]:
        """``seats`` and the options that are not at their default: what a record and its digest hold."""
        defaults = {option.name: option.default for option in self.options_declared()}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in self.options.items()
            if name == "seats" or value != defaults[name]
        }

    @abstractmethod
    def new_state(self, seed: bytes) -> State:
        """The state before the first decision; equal seeds give equal states."""

    @abstractmethod
    def text(self, action: Action) -> str:
        """The notation of an action."""

    @abstractmethod
    def action(self, text: str) -> Action:
        """The action of a notation; raises NotationError when it is none.  Inverse of ``text``."""

    def part_text(self, part: int) -> str:
        """The notation of one part of a choice.  A game whose choices have parts defines it."""
        raise RivalryError(f"{self.name} has no choices with parts")

    def event_text(self, seen: Seen) -> str:
        """An event in words; a game whose facts are numbers that stand for something defines it."""
        facts = ", ".join(f"{key} {value}" for key, value in seen.facts.items())
        return f"{seen.kind}: {facts}" if facts else seen.kind

    def is_echo(self, seen: Seen) -> bool:
        """True if an event, as its audience sees it, says no more than the action that made it: a replay leaves it out.

        A game whose event is an echo to some audiences only, since the rest of it is secret, defines it.
        """
        return seen.kind in self.echoes

    def view(self, observation: Observation) -> str:
        """An observation as plain text of some lines, from which a person or a language model can play.

        It is made from ``observation`` alone and holds all that it holds.  The choices and the question stand beside
        it and not in it.
        """
        return outline(observation.json())

    def fill(self, choice: Choice, chosen: Sequence[int]) -> Action:
        """The action of ``choice`` with its hole filled by the parts at the indices ``chosen``.

        ``chosen`` is ascending without repeats and ``least`` to ``most`` long; the caller has checked that.
        """
        assert not chosen and not choice.parts
        return choice.action

    def imagine(self, seat: int, observation: Observation, rng: Stream) -> State:
        """Some state in which ``seat`` would observe ``observation``, with a seed of its own drawn from ``rng``."""
        raise RivalryError(f"{self.name} cannot imagine states")

    def state_at(self, position: Mapping[str, Any]) -> State:
        """The state of a position; raises PositionError naming the key that is impossible."""
        raise PositionError(f"{self.name} has no positions")


def ranked(keys: Sequence[Any]) -> tuple[int, ...]:
    """Ranks from comparable keys, greatest first: equals share a rank and the ranks after it are skipped (1, 1, 3)."""
    order = sorted(keys, reverse=True)
    return tuple(order.index(key) + 1 for key in keys)
