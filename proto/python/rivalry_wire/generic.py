"""Any game on the wire: JSON, text and numbered choices.

What it writes is read without the game's package: views hold JSON, choices hold texts and are answered by number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rivalry.games.generic.v1 import generic_pb2 as pb
from rivalry_engine.error import NotationError
from rivalry_engine.event import Seen
from rivalry_engine.game import PUBLIC, Action, Choice, Game, Observation, View
from rivalry_wire.codec import Codec
from rivalry_wire.reading import UnreadableError, audience_read, parsed
from rivalry_wire.told import ToldGame, told


@dataclass(frozen=True, slots=True)
class JsonSetup(View):
    """A setup known by its JSON."""

    facts: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        return dict(self.facts)


@dataclass(frozen=True, slots=True)
class JsonObservation(Observation):
    """An observation known by its JSON; ``facts`` holds it."""

    seat: int
    facts: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        return dict(self.facts)


class GenericCodec(Codec):
    """The messages of ``rivalry.games.generic.v1``.

    ``game`` is the game itself on the writing side.  On the reading side it is a ``ToldGame``, which knows the texts of
    the choices and parts that were read (``codec.reader`` makes one, and so does reading with the game itself).
    """

    package = "rivalry.games.generic.v1"
    file = pb.DESCRIPTOR

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.told = game if isinstance(game, ToldGame) else told(game.name, game.options, game)

    def setup(self, setup: View) -> bytes:
        return pb.Setup(json=_written(setup.json())).SerializeToString()

    def observation(self, observation: Observation) -> bytes:
        seat = None if observation.seat == PUBLIC else observation.seat
        return pb.Observation(json=_written(observation.json()), seat=seat).SerializeToString()

    def choices(self, choices: Sequence[Choice]) -> bytes:
        game = self.game
        message = pb.Choices()
        for choice in choices:
            message.choices.add(
                text=game.text(choice.action),
                parts=[game.part_text(part) for part in choice.parts],
                least=choice.least,
                most=choice.most,
                usual=choice.usual,
            )
        return message.SerializeToString()

    def event(self, seen: Seen) -> bytes:
        facts = _written(seen.facts) if seen.facts else ""
        return pb.Events(events=[pb.Event(kind=seen.kind, json=facts)]).SerializeToString()

    def action(self, action: Action) -> bytes:
        return pb.Action(text=self.game.text(action)).SerializeToString()

    def read_setup(self, data: bytes) -> JsonSetup:
        return JsonSetup(_read(parsed(pb.Setup, data).json))

    def read_observation(self, data: bytes, setup: View) -> Observation:
        message = parsed(pb.Observation, data)
        return JsonObservation(audience_read(message, self.game.seats), _read(message.json))

    def read_choices(self, data: bytes, observation: Observation) -> tuple[Choice, ...]:
        return tuple(self._choice(choice) for choice in parsed(pb.Choices, data).choices)

    def read_events(self, data: bytes) -> tuple[Seen, ...]:
        return tuple(
            Seen(event.kind, {key: _fact(value) for key, value in _read(event.json).items()} if event.json else {})
            for event in parsed(pb.Events, data).events
        )

    def read_action(self, data: bytes) -> Action:
        return self._action(parsed(pb.Action, data).text)

    def _choice(self, choice: pb.Choice) -> Choice:
        shaped(choice)
        parts = tuple(self.told.number(part) for part in choice.parts)
        if self.told.rules is None:
            self.told.number(choice.text)
        return Choice(self._action(choice.text), parts, choice.least, choice.most, choice.usual)

    def _action(self, text: str) -> Action:
        try:
            return self.told.action(text)
        except NotationError as error:
            raise UnreadableError(str(error)) from error


def shaped(choice: pb.Choice) -> None:
    """Raises UnreadableError where a choice takes more parts than there are, or fewer than none."""
    if not 0 <= choice.least <= choice.usual <= choice.most <= len(choice.parts):
        raise UnreadableError(
            f"choice {choice.text!r} takes {choice.least} to {choice.most}, usually {choice.usual}, of"
            f" {len(choice.parts)} parts"
        )


def _written(facts: Mapping[str, Any]) -> str:
    if not isinstance(facts, dict):  # what is read is an object
        raise TypeError(f"{facts!r:.80} is no dictionary")
    return json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _read(text: str) -> dict[str, Any]:
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{text[:80]!r} is no JSON: {error}") from error
    if not isinstance(facts, dict):
        raise UnreadableError(f"{text[:80]!r} is no JSON object")
    return facts


def _fact(value: Any) -> Any:
    """A fact as events hold it: lists are tuples."""
    return tuple(_fact(item) for item in value) if isinstance(value, list) else value
