"""How one game's values travel: the interface of a codec, and how codecs are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import ClassVar

from google.protobuf.descriptor import FileDescriptor

from rivalry_engine.error import RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.game import Action, Choice, Game, Observation, View

GROUP = "rivalry.codecs"
TYPE_URL = "type.googleapis.com/"


class UnreadableError(RivalryError):
    """Bytes that are not the message they should be, or a message that means nothing in its game."""


class Codec(ABC):
    """One game's values as the bytes of its own messages.

    Made for one match, so that it may keep what it encoded: the writing half for the match that the arena runs, the
    reading half for the match that a bot sits in.  The bytes are the ``value`` of a ``google.protobuf.Any`` whose type is
    the message named in ``package``.
    """

    package: ClassVar[str]
    """The proto package that holds Setup, Observation, Choices, Events and Action."""
    file: ClassVar[FileDescriptor]
    """The file of that package."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def url(cls, message: str) -> str:
        """The type URL of one of the five messages: ``Setup``, ``Observation``, ``Choices``, ``Events``, ``Action``."""
        return f"{TYPE_URL}{cls.package}.{message}"

    @abstractmethod
    def setup(self, setup: View) -> bytes:
        """Setup."""

    @abstractmethod
    def observation(self, observation: Observation) -> bytes:
        """Observation; may be the kept bytes of public parts followed by the private part (concatenation merges)."""

    @abstractmethod
    def choices(self, choices: Sequence[Choice]) -> bytes:
        """Choices."""

    @abstractmethod
    def event(self, seen: Seen) -> bytes:
        """Events that holds this one; the concatenation of several is Events that holds them all."""

    @abstractmethod
    def action(self, action: Action) -> bytes:
        """Action."""

    @abstractmethod
    def read_setup(self, data: bytes) -> View:
        """The setup; raises UnreadableError."""

    @abstractmethod
    def read_observation(self, data: bytes, setup: View) -> Observation:
        """The observation in the match of ``setup``; raises UnreadableError."""

    @abstractmethod
    def read_choices(self, data: bytes, observation: Observation) -> tuple[Choice, ...]:
        """The choices offered to whoever sees ``observation``, with their actions; raises UnreadableError."""

    @abstractmethod
    def read_events(self, data: bytes) -> tuple[Seen, ...]:
        """The events in order; kinds that are not known are left out.  Raises UnreadableError."""

    @abstractmethod
    def read_action(self, data: bytes) -> Action:
        """The action, which may be illegal; raises UnreadableError when it is no action at all."""


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


@cache
def _codec_class(name: str) -> type[Codec]:
    entry = _entries().get(name)
    if entry is None:
        from rivalry_wire.generic import GenericCodec

        return GenericCodec
    loaded = entry.load()
    if not (isinstance(loaded, type) and issubclass(loaded, Codec)):
        raise RivalryError(f"entry point {GROUP}: {name} is {loaded!r}; expected a subclass of rivalry_wire.codec.Codec")
    return loaded


def codec(game: Game) -> Codec:
    """A codec for one match of ``game``: the game's own, or the generic one."""
    return _codec_class(game.name)(game)
