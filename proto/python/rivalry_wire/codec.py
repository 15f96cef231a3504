"""How one game's values travel: the interface of a codec, and how codecs are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.metadata import EntryPoint
from typing import ClassVar

from google.protobuf.descriptor import FileDescriptor

from rivalry_engine import catalog, entries
from rivalry_engine.error import OptionError, RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.game import Action, Choice, Game, Observation, View
from rivalry_engine.option import OptionValue
from rivalry_wire.reading import UnreadableError

__all__ = ["GROUP", "TYPE_URL", "Codec", "UnreadableError", "codec", "reader"]

GROUP = "rivalry.codecs"
TYPE_URL = "type.googleapis.com/"


class Codec(ABC):
    """One game's values as the bytes of its own messages.

    Made for one match, so that it may keep what it encoded: the writing half for the match that the arena runs, the
    reading half for the match that a bot sits in.  The bytes are the ``value`` of a ``google.protobuf.Any`` whose type
    is the message named in ``package``.
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
    return entries.installed(GROUP)


@lru_cache(maxsize=catalog.KEPT)
def _codec_class(name: str) -> type[Codec]:
    entry = _entries().get(name) or _entries().get(name.partition(":")[0])
    if entry is None:
        from rivalry_wire.generic import GenericCodec

        return GenericCodec
    entries.refuse_rivals(GROUP, entry.name)
    try:
        loaded = entry.load()
    except Exception as error:  # whatever a package of somebody else's does when it is imported
        raise RivalryError(f"codec of {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    if not (isinstance(loaded, type) and issubclass(loaded, Codec)):
        raise RivalryError(
            f"entry point {GROUP}: {name} is {loaded!r}; expected a subclass of rivalry_wire.codec.Codec"
        )
    if lacking := sorted(loaded.__abstractmethods__):
        raise RivalryError(f"entry point {GROUP}: {name} is {loaded!r}, which does not define {', '.join(lacking)}")
    return loaded


def travels_as_json(name: str) -> bool:
    """True if the game ``name`` has no codec of its own: a bot over the wire then gets JSON and no typed values."""
    from rivalry_wire.generic import GenericCodec

    return _codec_class(name) is GenericCodec


def reads_own_json(name: str) -> bool:
    """True if the game ``name`` travels as JSON and its package makes its own values of it."""
    from rivalry_wire.json_codec import JsonCodec

    return issubclass(_codec_class(name), JsonCodec)


def codec(game: Game) -> Codec:
    """A codec for one match of ``game``: the game's own, or the generic one.  Raises RivalryError where it fails."""
    kind = _codec_class(game.name)
    try:
        return kind(game)
    except Exception as error:  # whatever a package of somebody else's does
        raise RivalryError(
            f"codec of {game.name!r}: {kind.__name__} cannot be made: {type(error).__name__}: {error}"
        ) from error


def reader(name: str, options: Mapping[str, OptionValue], setup_url: str) -> Codec:
    """The codec that reads a match of the game ``name`` whose setup came as ``setup_url``.

    ``options`` are those of MatchStarted.  The generic messages are read without the game's package; the ``game`` of
    that codec then knows the texts it read and not the rules.  Where it is installed and reads its own JSON
    (``JsonCodec``), they are read as its own values.  Raises UnreadableError that names the missing package.
    """
    from rivalry_wire.generic import GenericCodec
    from rivalry_wire.told import told

    game: Game | None = None
    if catalog.is_known(name):
        try:
            game = catalog.game(name, options)
        except OptionError as error:
            if setup_url != GenericCodec.url("Setup"):
                raise UnreadableError(f"this version of {name} does not know the match's options: {error}") from error
    if setup_url == GenericCodec.url("Setup") and (game is None or not reads_own_json(name)):
        return GenericCodec(told(name, options, game))
    if game is not None and setup_url == _codec_class(name).url("Setup"):
        return codec(game)
    raise UnreadableError(
        f"{name} came as {setup_url.removeprefix(TYPE_URL)}, which no package installed here reads;"
        " install the game's package, or answer by number"
    )
