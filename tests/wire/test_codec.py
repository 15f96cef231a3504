"""Promises of every codec: what is not known is ignored or unreadable, and nothing else ever happens."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.sealed import Sealed
from rivalry.games.kuhn.v1 import kuhn_pb2
from rivalry_engine import catalog
from rivalry_engine.error import RivalryError
from rivalry_engine.event import seen
from rivalry_wire.codec import codec, reader
from rivalry_wire.generic import GenericCodec
from rivalry_wire.reading import UnreadableError
from wire.walk import decisions, ethnos

GAMES = [catalog.game("kuhn"), ethnos(4), Sealed({"seats": 2})]
READERS = ("setup", "observation", "choices", "events", "action")
STRANGE_FIELD = b"\xfa\xff\x3f\x03abc"
"""A field of a number that no message has, 131,071, holding three bytes."""


def sample(game):
    """The bytes of one of each message, from the middle of a game, and the codec that wrote them."""
    wire = codec(game)
    found = None
    for number, (state, seat) in enumerate(decisions(game, b"middle")):
        found = {
            "setup": wire.setup(state.setup()),
            "observation": wire.observation(state.observe(seat)),
            "choices": wire.choices(state.choices(seat)),
            "events": b"".join(wire.event(seen(event, seat)) for event in state.log),
            "action": wire.action(state.choices(seat)[0].action),
        }
        setup, observation = state.setup(), state.observe(seat)
        if number == 150:
            break
    return wire, found, setup, observation


SAMPLES = [sample(game) for game in GAMES]


def read(wire, what, data, setup, observation):
    """What the codec reads from ``data``; views as JSON."""
    if what == "setup":
        return wire.read_setup(data).json()
    if what == "observation":
        return wire.read_observation(data, setup).json()
    if what == "choices":
        return wire.read_choices(data, observation)
    return wire.read_events(data) if what == "events" else wire.read_action(data)


@pytest.mark.parametrize("wire, found, setup, observation", SAMPLES, ids=[game.name for game in GAMES])
@pytest.mark.parametrize("what", READERS)
def test_a_field_that_is_not_known_is_ignored(wire, found, setup, observation, what):
    data = found[what]

    assert read(wire, what, data + STRANGE_FIELD, setup, observation) == read(wire, what, data, setup, observation)


@pytest.mark.parametrize("wire, found, setup, observation", SAMPLES, ids=[game.name for game in GAMES])
@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=60), what=st.sampled_from(READERS))
def test_garbage_is_unreadable_or_read(wire, found, setup, observation, data, what):
    with contextlib.suppress(UnreadableError):
        read(wire, what, data, setup, observation)


@pytest.mark.parametrize("wire, found, setup, observation", SAMPLES, ids=[game.name for game in GAMES])
@settings(max_examples=250, deadline=None)
@given(draw=st.data(), what=st.sampled_from(READERS))
def test_damaged_bytes_are_unreadable_or_read(wire, found, setup, observation, draw, what):
    data = bytearray(found[what])
    for _ in range(draw.draw(st.integers(1, 3))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    data = bytes(data[: draw.draw(st.integers(len(data) // 2, len(data)))])

    with contextlib.suppress(UnreadableError):
        read(wire, what, data, setup, observation)


@pytest.mark.parametrize("wire, found, setup, observation", SAMPLES, ids=[game.name for game in GAMES])
def test_a_text_that_is_no_utf_8_is_unreadable_or_read(wire, found, setup, observation):
    for what in READERS:
        with contextlib.suppress(UnreadableError):
            read(wire, what, b"\x0a\x02\xff\xfe", setup, observation)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_codec_names_its_five_messages(game):
    kind = type(codec(game))

    for message in ("Setup", "Observation", "Choices", "Events", "Action"):
        assert kind.url(message) == f"type.googleapis.com/{kind.package}.{message}"
        assert message in kind.file.message_types_by_name
    assert kind.file.package == kind.package


def test_the_reader_of_a_match_follows_its_setup():
    kuhn, name = catalog.game("kuhn"), "type.googleapis.com/rivalry.games.kuhn.v1.Setup"

    own = reader("kuhn", kuhn.options, name)
    generic = reader("kuhn", kuhn.options, GenericCodec.url("Setup"))

    assert type(own) is type(codec(kuhn))
    assert isinstance(generic, GenericCodec)
    assert generic.game.name == "kuhn"
    assert generic.game.action("bet") == kuhn.action("bet")


def test_a_setup_that_nobody_here_reads_is_named():
    with pytest.raises(UnreadableError, match=r"chess came as chess\.v1\.Setup.*install the game's package"):
        reader("chess", {"seats": 2}, "type.googleapis.com/chess.v1.Setup")
    with pytest.raises(UnreadableError, match=r"kuhn came as rivalry\.games\.kuhn\.v2\.Setup"):
        reader("kuhn", {"seats": 2}, "type.googleapis.com/rivalry.games.kuhn.v2.Setup")


def test_options_of_a_newer_game_are_named():
    with pytest.raises(UnreadableError, match="does not know the match's options"):
        reader("kuhn", {"seats": 2, "jokers": 4}, "type.googleapis.com/rivalry.games.kuhn.v1.Setup")


def test_a_newer_game_is_still_read_generically():
    client = reader("kuhn", {"seats": 2, "jokers": 4}, GenericCodec.url("Setup"))

    assert client.game.options["jokers"] == 4


def test_options_without_seats_are_refused():
    with pytest.raises(RivalryError, match="seats is None"):
        reader("chess", {}, GenericCodec.url("Setup"))


def test_a_value_of_another_game_is_the_callers_fault():
    wire = codec(catalog.game("ethnos"))

    with pytest.raises(RivalryError, match="expected an EthnosSetup"):
        wire.setup(catalog.game("kuhn").new_state(b"").setup())


def test_a_message_of_another_game_is_unreadable_or_read():
    data = kuhn_pb2.Observation(card=3, moves=[1, 2], seat=0).SerializeToString()
    wire, _, setup, _ = SAMPLES[1]

    with pytest.raises(UnreadableError):
        wire.read_observation(data, setup)
