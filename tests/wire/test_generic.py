import json

import pytest
from hypothesis import given, settings

from engine.sealed import Sealed
from rivalry.games.generic.v1 import generic_pb2 as pb
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.error import NotationError, RivalryError
from rivalry_engine.event import seen
from rivalry_wire.codec import codec, reader
from rivalry_wire.generic import GenericCodec
from rivalry_wire.reading import UnreadableError
from rivalry_wire.told import told
from wire.walk import SEEDS, audiences, decisions, ethnos

GAMES = {"kuhn": catalog.game("kuhn"), "sealed": Sealed({"seats": 3}), "ethnos": ethnos(3)}


def stranger(game):
    """A codec that reads what is told of a game nobody here has."""
    return reader("nobody-has-it", {"seats": game.seats}, GenericCodec.url("Setup"))


@pytest.mark.parametrize("name", GAMES)
def test_a_client_without_the_game_reads_everything(name):
    game = GAMES[name]
    wire, client = GenericCodec(game), stranger(game)
    seen_until = 0
    for number, (state, seat) in enumerate(decisions(game, b"generic")):
        setup = client.read_setup(wire.setup(state.setup()))
        choices = state.choices(seat)
        read = client.read_choices(wire.choices(choices), state.observe(seat))

        assert setup.json() == json.loads(json.dumps(state.setup().json()))
        for audience in audiences(game) if number % 10 == 0 else (seat,):
            observation = state.observe(audience)
            told = client.read_observation(wire.observation(observation), setup)
            assert told.seat == audience
            assert told.json() == json.loads(json.dumps(observation.json()))
        assert [client.game.text(choice.action) for choice in read] == [game.text(choice.action) for choice in choices]
        assert [[client.game.part_text(part) for part in choice.parts] for choice in read] == [
            [game.part_text(part) for part in choice.parts] for choice in choices
        ]
        assert [(choice.least, choice.most, choice.usual) for choice in read] == [
            (choice.least, choice.most, choice.usual) for choice in choices
        ]
        for audience in audiences(game):
            told = tuple(seen(event, audience) for event in state.log[seen_until:])
            assert client.read_events(b"".join(wire.event(event) for event in told)) == told
        seen_until = len(state.log)
        if number == 120:
            break


@pytest.mark.parametrize("name", GAMES)
def test_actions_are_read_by_notation_where_the_game_is_installed(name):
    game = GAMES[name]
    wire = GenericCodec(game)
    for number, (state, seat) in enumerate(decisions(game, b"notation")):
        for choice in state.choices(seat):
            assert wire.read_action(wire.action(choice.action)) == choice.action
        read = wire.read_choices(wire.choices(state.choices(seat)), state.observe(seat))
        assert [choice.action for choice in read] == [choice.action for choice in state.choices(seat)]
        if number == 120:
            break


@settings(max_examples=3, deadline=None)
@given(SEEDS)
def test_a_seat_is_sent_the_same_bytes_in_every_state_it_may_be_in(seed):
    game = GAMES["ethnos"]
    wire = GenericCodec(game)
    for number, (state, mover) in enumerate(decisions(game, seed)):
        if number % 16:
            continue
        for seat in range(game.seats):
            observation = state.observe(seat)
            other = game.imagine(seat, observation, Stream(seed, str(number)))
            assert wire.observation(other.observe(seat)) == wire.observation(observation)
            if seat == mover:
                assert wire.choices(other.choices(seat)) == wire.choices(state.choices(seat))


def test_a_game_without_a_codec_travels_generically():
    assert isinstance(codec(Sealed({"seats": 2})), GenericCodec)


def test_a_told_action_can_be_said_by_its_text_and_no_other():
    client = stranger(GAMES["kuhn"])
    told = pb.Choices(choices=[pb.Choice(text="fold"), pb.Choice(text="raise")])

    first, second = client.read_choices(told.SerializeToString(), None)

    assert client.game.action("raise") == second.action != first.action
    assert client.read_action(client.action(second.action)) == second.action
    with pytest.raises(NotationError, match="was not told"):
        client.game.action("call")
    with pytest.raises(UnreadableError):
        client.read_action(pb.Action(text="call").SerializeToString())


def test_parts_of_a_told_choice_are_answered_by_number():
    client = stranger(GAMES["kuhn"])
    told = pb.Choices(choices=[pb.Choice(text="keep ace", parts=["ace", "ace", "two"], most=2, usual=1)])

    (choice,) = client.read_choices(told.SerializeToString(), None)

    assert [client.game.part_text(part) for part in choice.parts] == ["ace", "ace", "two"]
    with pytest.raises(RivalryError, match="answer by number and parts"):
        client.game.fill(choice, (0, 1))
    with pytest.raises(RivalryError, match="install its package"):
        client.game.new_state(b"")


@pytest.mark.parametrize(
    "choice",
    [
        pb.Choice(text="keep", parts=["a"], most=2),
        pb.Choice(text="keep", parts=["a"], least=1),
        pb.Choice(text="keep", parts=["a"], least=-1, most=1),
        pb.Choice(text="keep", parts=["a", "b"], most=1, usual=2),
        pb.Choice(text="keep", parts=["a", "b"], most=1, usual=-1),
    ],
)
def test_a_choice_of_an_impossible_shape_is_unreadable(choice):
    with pytest.raises(UnreadableError):
        stranger(GAMES["kuhn"]).read_choices(pb.Choices(choices=[choice]).SerializeToString(), None)


@pytest.mark.parametrize("text", ["", "[]", "1", "{", '{"a":}', "[" * 100_000, "null"])
def test_a_view_that_is_no_json_object_is_unreadable(text):
    client = stranger(GAMES["kuhn"])

    with pytest.raises(UnreadableError):
        client.read_setup(pb.Setup(json=text).SerializeToString())
    with pytest.raises(UnreadableError):
        client.read_observation(pb.Observation(json=text).SerializeToString(), None)


def test_an_observation_of_a_seat_that_is_not_there_is_unreadable():
    with pytest.raises(UnreadableError, match="seat 2"):
        stranger(GAMES["kuhn"]).read_observation(pb.Observation(json="{}", seat=2).SerializeToString(), None)


def test_a_game_that_was_told_lists_the_options_that_were_told_and_the_words_of_its_rules() -> None:
    rules = catalog.game("kuhn")
    known, unknown = told("kuhn", {"seats": 2, "deep": (1, 2)}, rules), told("go", {"seats": 2, "deep": (1, 2)})

    assert known.options_given() == unknown.options_given() == {"seats": 2, "deep": [1, 2]}
    assert known.options_declared() == ()
    assert (known.primer, dict(known.glossary)) == (rules.primer, dict(rules.glossary))
    assert (unknown.primer, dict(unknown.glossary)) == ("", {})
