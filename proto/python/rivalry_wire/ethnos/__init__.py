"""Ethnos on the wire, a file a concept; ``EthnosCodec`` is the way in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.error import RivalryError
from rivalry_engine.ethnos.game import Ethnos
from rivalry_engine.ethnos.sight import EthnosObservation, EthnosSetup
from rivalry_engine.event import Seen
from rivalry_engine.game import Action, Choice, Game, Observation, View
from rivalry_wire.codec import Codec
from rivalry_wire.ethnos.choices import action_read, action_written, choices_read, choices_written
from rivalry_wire.ethnos.events import FIELDS, EventBytes
from rivalry_wire.ethnos.seeing import ObservationReader
from rivalry_wire.ethnos.setup import setup_read, setup_written
from rivalry_wire.ethnos.sight import ObservationBytes

V = TypeVar("V", bound=View)


class EthnosCodec(Codec):
    """The messages of ``rivalry.games.ethnos.v1``."""

    package = "rivalry.games.ethnos.v1"
    file = pb.DESCRIPTOR

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        if not isinstance(game, Ethnos):
            raise RivalryError(f"{game.name} was given to the codec of ethnos")
        self._rules = game
        self._observations = ObservationBytes(game.seats)
        self._events = EventBytes()
        self._reader = ObservationReader(game.seats)

    def setup(self, setup: View) -> bytes:
        return setup_written(_as(EthnosSetup, setup))

    def observation(self, observation: Observation) -> bytes:
        assert isinstance(observation, EthnosObservation), observation
        return self._observations.of(observation)

    def choices(self, choices: Sequence[Choice]) -> bytes:
        return choices_written(choices)

    def event(self, seen: Seen) -> bytes:
        return self._events.of(seen)

    def action(self, action: Action) -> bytes:
        return action_written(action)

    def read_setup(self, data: bytes) -> EthnosSetup:
        return setup_read(data, self._rules)

    def read_observation(self, data: bytes, setup: View) -> EthnosObservation:
        return self._reader.of(data, _as(EthnosSetup, setup))

    def read_choices(self, data: bytes, observation: Observation) -> tuple[Choice, ...]:
        return choices_read(data)

    def read_events(self, data: bytes) -> tuple[Seen, ...]:
        return FIELDS.read(data)

    def read_action(self, data: bytes) -> Action:
        return action_read(data)


def _as(kind: type[V], view: View) -> V:
    if not isinstance(view, kind):
        raise RivalryError(f"{view!r} was given to the codec of ethnos; expected an {kind.__name__}")
    return view
