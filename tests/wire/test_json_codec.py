"""A game that travels as JSON and reads its own observations from it."""

from __future__ import annotations

import json
from importlib.metadata import EntryPoint

import pytest

from engine.sealed import Sealed, SealedObservation
from rivalry.games.generic.v1 import generic_pb2 as pb
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError
from rivalry_engine.event import Event
from rivalry_wire import codec as codecs
from rivalry_wire import conformance
from rivalry_wire.conformance import WireConformanceError
from rivalry_wire.generic import GenericCodec, JsonObservation
from rivalry_wire.json_codec import JsonCodec
from rivalry_wire.reading import UnreadableError


class SealedCodec(JsonCodec):
    def observed(self, seat, facts):
        return SealedObservation(**{**facts, "done": [list(turn) for turn in facts["done"]]})


class Forgetful(SealedCodec):
    def observed(self, seat, facts):
        return super().observed(seat, {**facts, "done": []})


@pytest.fixture
def named(monkeypatch):
    """Names a codec for the game ``sealed``, as an entry point would."""

    def name(kind):
        monkeypatch.setattr(codecs, "_codec_class", lambda name: kind)
        monkeypatch.setattr(catalog, "is_known", lambda name: True)
        monkeypatch.setattr(catalog, "game", lambda name, options: Sealed(options))

    return name


def written(choice):
    return pb.Choices(choices=[choice]).SerializeToString()


def test_what_comes_back_is_the_games_own_and_can_be_imagined_from(named):
    named(SealedCodec)
    conformance.check(Sealed({"seats": 3}))

    client = codecs.reader("sealed", {"seats": 3}, GenericCodec.url("Setup"))
    state = Sealed({"seats": 3}).new_state(b"")
    state.apply(1, 2)
    read = client.read_observation(GenericCodec(client.game).observation(state.observe(1)), None)

    assert read == state.observe(1)
    assert client.game.imagine(1, read, Stream(b"", "")).observe(1) == read
    assert not codecs.travels_as_json("sealed")


def test_a_codec_that_loses_something_does_not_conform(named):
    named(Forgetful)

    with pytest.raises(WireConformanceError, match="an observation comes back equal"):
        conformance.check(Sealed({"seats": 2}), games=1)


def test_it_is_json_as_before_where_the_game_is_not_installed(named, monkeypatch):
    named(SealedCodec)
    monkeypatch.setattr(catalog, "is_known", lambda name: False)

    client = codecs.reader("sealed", {"seats": 2}, GenericCodec.url("Setup"))
    observation = Sealed({"seats": 2}).new_state(b"").observe(0)
    read = client.read_observation(SealedCodec(Sealed({"seats": 2})).observation(observation), None)

    assert type(read) is JsonObservation
    assert read.json() == json.loads(json.dumps(observation.json()))


def test_json_that_is_no_observation_is_told_with_the_game_and_what_is_missing():
    data = pb.Observation(json='{"bids":1}').SerializeToString()

    with pytest.raises(UnreadableError, match=r"sealed: \"\{'bids': 1\}\" is no observation .*KeyError: 'done'"):
        SealedCodec(Sealed()).read_observation(data, None)


def test_a_codec_that_cannot_be_made_is_told(named):
    class Unmade(SealedCodec):
        def __init__(self, game):
            raise ValueError("no table for it")

    named(Unmade)

    with pytest.raises(RivalryError, match=r"^codec of 'sealed': Unmade cannot be made: ValueError: no table for it$"):
        codecs.codec(Sealed())


@pytest.mark.parametrize(
    ("observed", "told"),
    [
        (lambda seat, facts: facts["done"][7], "IndexError: list index out of range"),
        (lambda seat, facts: None, r"TypeError: observed\(\) gave None; expected an Observation"),
        (
            lambda seat, facts: SealedObservation(**{**facts, "seat": 1 - seat}),
            r"ValueError: observed\(\) gave what seat 1 sees; expected seat 0",
        ),
    ],
)
def test_what_a_codec_gives_that_is_not_what_the_seat_sees_is_told(observed, told, monkeypatch):
    monkeypatch.setattr(SealedCodec, "observed", lambda self, seat, facts: observed(seat, facts))
    codec = SealedCodec(Sealed())
    data = codec.observation(Sealed().new_state(b"").observe(0))

    with pytest.raises(UnreadableError, match=rf"^sealed: .* is no observation for SealedCodec: {told}$"):
        codec.read_observation(data, None)


def test_a_codec_that_reads_no_parts_says_so_when_there_are_some():
    choice = pb.Choice(text="bid 1", parts=["a coin"], most=1)

    with pytest.raises(RivalryError, match=r"SealedCodec reads no parts, and sealed has some: define its part\(\)"):
        SealedCodec(Sealed()).read_choices(written(choice), None)
    with pytest.raises(UnreadableError, match="takes 2 to 1"):
        SealedCodec(Sealed()).read_choices(written(pb.Choice(text="bid 1", least=2, most=1)), None)


def test_a_game_of_a_family_has_the_codec_of_its_family():
    pytest.importorskip("pyspiel")
    from rivalry_wire.openspiel import OpenSpielCodec

    parts = catalog.game("openspiel:blotto(coins=30)")  # 496 actions at once: choices with parts

    assert type(codecs.codec(parts)) is OpenSpielCodec
    assert any(choice.parts for choice in parts.new_state(b"").choices(0))
    conformance.check(parts, games=1)
    with pytest.raises(UnreadableError, match="'fold' is no action"):
        codecs.codec(parts).read_choices(written(pb.Choice(text="x #1", parts=["fold"], most=1)), None)


def test_a_list_among_the_facts_of_an_event_is_told_apart(named, monkeypatch):
    named(SealedCodec)
    game = Sealed({"seats": 2})
    state = type(game.new_state(b""))
    plain = state.apply

    def apply(self, seat, action):
        plain(self, seat, action)
        if self.log is not None:
            self.log.append(Event("lists", {"bids": ([1, 2],)}))

    monkeypatch.setattr(state, "apply", apply)

    with pytest.raises(WireConformanceError, match="in order; a fact is a tuple and no list"):
        conformance.check(game, games=1)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("json:dumps", r"entry point rivalry.codecs: sealed is <function dumps .*; expected a subclass of"),
        ("nobody_has_it:Codec", "codec of 'sealed' cannot be loaded: ModuleNotFoundError: No module named 'nobody_has"),
        (
            "json:Missing",
            "codec of 'sealed' cannot be loaded: AttributeError: .* no attribute 'Missing'",
        ),
        ("rivalry_wire.json_codec:JsonCodec", r"sealed is <class .*JsonCodec'>, which does not define observed$"),
    ],
)
def test_an_entry_point_that_is_no_codec_is_told(value, told, monkeypatch):
    entry = EntryPoint("sealed", value, codecs.GROUP)
    monkeypatch.setattr(codecs, "_entries", lambda: {"sealed": entry})
    codecs._codec_class.cache_clear()

    with pytest.raises(RivalryError, match=told):
        codecs.codec(Sealed())
