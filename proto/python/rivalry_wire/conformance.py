"""What every codec must do, checked on games played by chance: ``conformance.check(game)`` is a new codec's first test.

Each check raises WireConformanceError that says what was promised, where it did not hold and with which seed.
"""

from __future__ import annotations

from typing import Final

from rivalry_engine.chance import Stream, luck
from rivalry_engine.event import Event, Seen, seen
from rivalry_engine.game import PUBLIC, Action, Game, Objection, Observation, State, View
from rivalry_engine.playout import uniform
from rivalry_engine.prompt import StatePrompt, judged
from rivalry_wire.codec import Codec, codec
from rivalry_wire.generic import GenericCodec, JsonObservation, JsonSetup
from rivalry_wire.json_codec import JsonCodec

MESSAGES: Final = ("Setup", "Observation", "Choices", "Events", "Action")
STRANGE: Final = b"\xfa\xff\x3f\x03abc"
"""A field of a number that no message has."""


class WireConformanceError(AssertionError):
    """A promise of the codec interface that a codec does not keep."""


def check(game: Game, *, games: int = 5, seed: bytes = b"conformance") -> None:
    """Plays ``games`` games by chance; every value that leaves must come back equal, and tell nobody what is secret.

    A game that travels generically comes back as JSON and as notation, and is compared as that; with a ``JsonCodec``
    observations and choices come back equal, and the seat can imagine from what it read.
    """
    kind = type(codec(game))
    for message in MESSAGES:
        if message not in kind.file.message_types_by_name:
            raise WireConformanceError(f"{game.name}: {kind.package} has no message {message}")
    for number in range(games):
        _Trial(game, seed + f"/{number}".encode()).run()


class _Trial:
    """One game, checked at every decision."""

    def __init__(self, game: Game, seed: bytes) -> None:
        self.game = game
        self.seed = seed
        self.decisions = 0
        self.told = 0
        self.wire = codec(game)
        self.client = codec(game)

    def run(self) -> None:
        state = self.game.new_state(self.seed)
        log: list[Event] = []
        state.log = log
        while movers := tuple(state.movers()):
            self._check_views(state)
            answered: list[tuple[int, Action]] = []
            for seat in movers:
                self.decisions += 1
                prompt = StatePrompt(state, seat, number=self.decisions, luck=luck(self.seed, seat))
                self._check_choices(state, seat, prompt)
                action = judged(state, seat, prompt.choices, uniform(prompt))
                assert not isinstance(action, Objection)
                self._is(self.client.read_action(self.wire.action(action)) == action, "an action comes back equal")
                answered.append((seat, action))
            for seat, action in answered:
                state.apply(seat, action)
            self._check_events(log)
        self._check_views(state)

    def _is(self, holds: bool, promise: str) -> None:
        if not holds:
            raise WireConformanceError(
                f"{self.game.name}, seed 0x{self.seed.hex()}, decision {self.decisions}: expected that {promise}"
            )

    def _check_views(self, state: State) -> None:
        setup = state.setup()
        data = self.wire.setup(setup)
        read = self.client.read_setup(data)
        self._is(self._equal(read, setup), "a setup comes back equal")
        self._is(self._equal(self.client.read_setup(data + STRANGE), setup), "an unknown field of a setup is ignored")
        for audience in (PUBLIC, *range(self.game.seats)):
            self._check_observation(state, state.observe(audience), read)

    def _check_observation(self, state: State, observation: Observation, setup: View) -> None:
        audience = observation.seat
        data = self.wire.observation(observation)
        read = self.client.read_observation(data, setup)
        self._is(read.seat == audience, "an observation names its audience")
        self._is(self._equal(read, observation), "an observation comes back equal")
        strange = self.client.read_observation(data + STRANGE, setup)
        self._is(self._equal(strange, observation), "an unknown field of an observation is ignored")
        fresh: Codec = type(self.wire)(self.game)
        self._is(fresh.observation(observation) == data, "bytes that were kept are those of a fresh codec")
        if self.game.imagines and audience != PUBLIC:
            whence = observation if isinstance(read, JsonObservation) else read
            other = self.game.imagine(audience, whence, Stream(self.seed, f"imagine/{self.decisions}/{audience}"))
            self._is(
                self.wire.observation(other.observe(audience)) == data,
                "a seat is sent the same bytes in every state it may be in",
            )
            if audience in state.movers():
                self._is(
                    self.wire.choices(other.choices(audience)) == self.wire.choices(state.choices(audience)),
                    "a seat is offered the same bytes in every state it may be in",
                )

    def _check_choices(self, state: State, seat: int, prompt: StatePrompt) -> None:
        data = self.wire.choices(prompt.choices)
        read = self.client.read_choices(data, prompt.observation)
        if isinstance(self.wire, GenericCodec) and not isinstance(self.wire, JsonCodec):
            self._is(
                [choice.action for choice in read] == [choice.action for choice in prompt.choices]
                and [(len(c.parts), c.least, c.most, c.usual) for c in read] == prompt.shapes(),
                "choices come back with their actions and shapes",
            )
        else:
            self._is(read == tuple(prompt.choices), "choices come back equal")
        self._is(self.client.read_choices(data + STRANGE, prompt.observation) == read, "an unknown field is ignored")

    def _check_events(self, log: list[Event]) -> None:
        for audience in (PUBLIC, *range(self.game.seats)):
            told = tuple(seen(event, audience) for event in log[self.told :])
            data = b"".join([self.wire.event(event) for event in told])
            read: tuple[Seen, ...] = self.client.read_events(data)
            lists = any(_has_list(tuple(event.facts.values())) for event in told)
            hint = "; a fact is a tuple and no list" if lists else ""
            self._is(read == told, f"events that are joined come back equal and in order{hint}")
            self._is(self.client.read_events(data + STRANGE) == told, "an unknown field of events is ignored")
        self.told = len(log)

    def _equal(self, read: View, written: View) -> bool:
        if isinstance(read, JsonSetup | JsonObservation):
            return read.json() == _jsoned(written.json())
        return read == written


def _has_list(value: object) -> bool:
    """True if there is a list in ``value``: what is read of JSON is in tuples."""
    return isinstance(value, list) or (isinstance(value, tuple) and any(map(_has_list, value)))


def _jsoned(value: object) -> object:
    """A value as it is after a passage through JSON: tuples are lists."""
    if isinstance(value, dict):
        return {str(key): _jsoned(item) for key, item in value.items()}
    return [_jsoned(item) for item in value] if isinstance(value, (list, tuple)) else value
