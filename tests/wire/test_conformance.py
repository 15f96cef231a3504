"""The conformance check passes what holds and notices every promise that is broken: one broken codec a promise."""

import dataclasses

import pytest

from engine.sealed import Sealed
from rivalry.arena.v1 import time_pb2
from rivalry_engine import catalog
from rivalry_engine.kuhn import Kuhn, KuhnSetup, KuhnState
from rivalry_wire import conformance
from rivalry_wire.conformance import WireConformanceError
from rivalry_wire.kuhn import KuhnCodec
from wire.walk import ethnos

KUHN = catalog.game("kuhn")


@pytest.mark.parametrize("game", [KUHN, Sealed({"seats": 3})], ids=lambda game: game.name)
def test_a_codec_that_keeps_its_promises_passes(game):
    conformance.check(game)


def test_the_codec_of_ethnos_passes():
    conformance.check(ethnos(2), games=1)


def check(monkeypatch, **attributes):
    """The check of Kuhn poker with a codec that does something else."""
    broken = type("BrokenCodec", (KuhnCodec,), attributes)
    monkeypatch.setattr(conformance, "codec", lambda game: broken(game))
    conformance.check(KUHN)


def test_the_frame_of_these_tests_breaks_nothing(monkeypatch):
    check(monkeypatch)


def leaky(self, observation):
    self.count = getattr(self, "count", 0) + 1
    return KuhnCodec.observation(self, observation) + b"\xf0\x3f" + bytes([self.count & 127])


@pytest.mark.parametrize(
    "promise, attributes",
    [
        ("a setup comes back equal", {"read_setup": lambda self, data: KuhnSetup(7)}),
        (
            "an observation comes back equal",
            {
                "read_observation": lambda self, data, setup: KuhnCodec.read_observation(
                    self, data + bytes([0x12, 1, 1]), setup
                )
            },
        ),
        ("bytes that were kept are those of a fresh codec", {"observation": leaky}),
        ("choices come back equal", {"choices": lambda self, choices: KuhnCodec.choices(self, choices[:1])}),
        ("an action comes back equal", {"read_action": lambda self, data: 3}),
        (
            "events that are joined come back equal and in order",
            {"read_events": lambda self, data: KuhnCodec.read_events(self, data)[::-1]},
        ),
    ],
)
def test_a_broken_promise_is_named(monkeypatch, promise, attributes):
    with pytest.raises(WireConformanceError, match=promise):
        check(monkeypatch, **attributes)


def test_a_seat_that_is_told_a_secret_is_noticed(monkeypatch):
    observe = KuhnState.observe

    def telling(self, audience):
        seen = observe(self, audience)
        return dataclasses.replace(seen, shown=self.cards)

    monkeypatch.setattr(KuhnState, "observe", telling)
    monkeypatch.setattr(Kuhn, "imagine", lambda self, seat, seen, rng: KuhnState(self, b"", (1, 2), seen.moves))

    with pytest.raises(WireConformanceError, match="the same bytes in every state it may be in"):
        conformance.check(Kuhn())


def test_a_schema_without_a_message_is_named(monkeypatch):
    with pytest.raises(WireConformanceError, match="has no message Setup"):
        check(monkeypatch, file=time_pb2.DESCRIPTOR)
