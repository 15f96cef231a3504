"""The codec of Foederati."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from rivalry.games.foederati.v1 import foederati_pb2 as pb
from rivalry_engine.error import RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.foederati import Foederati
from rivalry_engine.foederati.sight import FoederatiObservation, FoederatiSetup
from rivalry_engine.game import Action, Choice, Game, Observation, View
from rivalry_wire.codec import Codec
from rivalry_wire.event_fields import EventFields
from rivalry_wire.foederati.choices import action_read, action_written, choices_read, choices_written
from rivalry_wire.foederati.seeing import ObservationReader
from rivalry_wire.foederati.setup import setup_read, setup_written
from rivalry_wire.foederati.sight import ObservationBytes

V = TypeVar("V", bound=View)

_EVENTS: Final = EventFields(pb.Events, pb.Event)


class FoederatiCodec(Codec):
    """The messages of ``rivalry.games.foederati.v1``."""

    package = "rivalry.games.foederati.v1"
    file = pb.DESCRIPTOR

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        if not isinstance(game, Foederati):
            raise RivalryError(f"{game.name} was given to the codec of foederati")
        self._rules = game
        self._observations = ObservationBytes()
        self._reader = ObservationReader(game.seats)

    def setup(self, setup: View) -> bytes:
        return setup_written(_as(FoederatiSetup, setup))

    def observation(self, observation: Observation) -> bytes:
        assert isinstance(observation, FoederatiObservation), observation
        return self._observations.of(observation)

    def choices(self, choices: Sequence[Choice]) -> bytes:
        return choices_written(choices)

    def event(self, seen: Seen) -> bytes:
        return _EVENTS.written(seen)

    def action(self, action: Action) -> bytes:
        return action_written(action)

    def read_setup(self, data: bytes) -> FoederatiSetup:
        return setup_read(data, self._rules)

    def read_observation(self, data: bytes, setup: View) -> FoederatiObservation:
        return self._reader.of(data, _as(FoederatiSetup, setup))

    def read_choices(self, data: bytes, observation: Observation) -> tuple[Choice, ...]:
        return choices_read(data, self._rules.board)

    def read_events(self, data: bytes) -> tuple[Seen, ...]:
        return _EVENTS.read(data)

    def read_action(self, data: bytes) -> Action:
        return action_read(data, self._rules.board)


def _as(kind: type[V], view: View) -> V:
    if not isinstance(view, kind):
        raise RivalryError(f"{view!r} was given to the codec of foederati; expected a {kind.__name__}")
    return view
