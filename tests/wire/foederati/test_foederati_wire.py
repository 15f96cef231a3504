"""What is written comes back equal, and what means nothing is unreadable."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rivalry.games.foederati.v1 import foederati_pb2 as pb
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.event import Seen, seen
from rivalry_engine.playout import picked
from rivalry_engine.prompt import judged
from rivalry_wire import conformance
from rivalry_wire.codec import codec, reader
from rivalry_wire.reading import UnreadableError
from wire.walk import SEEDS, audiences

SETUP = "type.googleapis.com/rivalry.games.foederati.v1.Setup"
PRESETS = ("seed", "red-only")


def foederati(seats=4, **options):
    return catalog.game("foederati", {"seats": seats, **options})


def decisions(game, seed):
    """Each decision of a game played by chance: the state before it and the seat asked."""
    state = game.new_state(seed)
    state.log = []
    stream = Stream(seed, "walk")
    while state.movers():
        (seat,) = state.movers()
        yield state, seat
        choices = state.choices(seat)
        answer = picked([(len(choice.parts), choice.least, choice.most, choice.usual) for choice in choices], stream)
        state.apply(seat, judged(state, seat, choices, answer))


GAMES = st.builds(lambda seats, preset: foederati(seats, preset=preset), st.integers(2, 5), st.sampled_from(PRESETS))


@pytest.mark.parametrize("seats", (3,))
def test_the_codec_keeps_every_promise_of_a_codec(seats):
    conformance.check(foederati(seats, preset=PRESETS[seats % 2]), games=1)


@settings(max_examples=3, deadline=None)
@given(GAMES, SEEDS)
def test_every_value_of_a_game_comes_back_equal(game, seed):
    wire, client = codec(game), reader("foederati", game.options, SETUP)
    told_until = 0
    for number, (state, mover) in enumerate(decisions(game, seed)):
        if number % 40 == 0:
            setup = client.read_setup(wire.setup(state.setup()))
            assert setup == state.setup()
        for audience in audiences(game) if number % 16 == 0 else (mover,):
            observation = state.observe(audience)
            data = wire.observation(observation)
            read = client.read_observation(data, setup)
            assert read == observation
            assert read.json() == observation.json()
            assert codec(game).observation(observation) == data
        choices = state.choices(mover)
        assert client.read_choices(wire.choices(choices), observation) == tuple(choices)
        for audience in audiences(game):
            told = tuple(seen(event, audience) for event in state.log[told_until:])
            assert client.read_events(b"".join([wire.event(event) for event in told])) == told
        told_until = len(state.log)


@settings(max_examples=2, deadline=None)
@given(SEEDS)
def test_imagining_from_what_was_read_is_imagining_from_what_was_written(seed):
    game = foederati(3)
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, seed)):
        if number % 24:
            continue
        observation = state.observe(mover)
        read = wire.read_observation(wire.observation(observation), state.setup())

        here = game.imagine(mover, observation, Stream(seed, str(number)))
        there = game.imagine(mover, read, Stream(seed, str(number)))

        assert [there.observe(seat) for seat in audiences(game)] == [here.observe(seat) for seat in audiences(game)]


def test_what_a_seat_must_not_know_changes_no_byte_that_it_is_sent():
    game = foederati(3)
    wire = codec(game)
    others = 0
    for number, (state, mover) in enumerate(decisions(game, b"secret")):
        if number % 12:
            continue
        seat = (mover + number) % game.seats
        other = game.imagine(seat, state.observe(seat), Stream(b"other", str(number)))
        others += [other.observe(each) for each in range(3)] != [state.observe(each) for each in range(3)]

        assert wire.observation(other.observe(seat)) == wire.observation(state.observe(seat))

    assert others > 10


def test_every_action_comes_back_equal():
    game = foederati(2)
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, b"actions")):
        for action in state.legal_actions(mover)[:: 1 + number % 7]:
            assert wire.read_action(wire.action(action)) == action


def test_an_action_that_is_not_legal_now_is_read_all_the_same():
    game = foederati()
    wire = codec(game)

    for text in ("pass", "yield", "place J10", "expand row A: J1", "attack H5: column 5, neighbour", "choose first 9"):
        assert wire.read_action(wire.action(game.action(text))) == game.action(text)


@pytest.mark.parametrize(
    "action",
    [
        pb.Action(),
        pb.Action(code=-1),
        pb.Action(code=15),
        pb.Action(code=1 << 18),
        pb.Action(code=8, cards=[0]),
        pb.Action(code=8 | 3 << 4),
        pb.Action(code=1 | 126 << 4),
        pb.Action(code=2 | 120 << 11),
        pb.Action(code=6, cards=[120]),
        pb.Action(code=6, cards=[-1]),
        pb.Action(code=6, cards=[0] * 90),
    ],
    ids=str,
)
def test_what_no_notation_means_is_no_action(action):
    with pytest.raises(UnreadableError):
        codec(foederati()).read_action(action.SerializeToString())


@pytest.mark.parametrize(
    "change",
    [
        lambda message: message.players.pop(),
        lambda message: message.players[0].shields.append(100),
        lambda message: message.players[0].shields.extend([5]) or message.players[1].shields.extend([5]),
        lambda message: setattr(message.players[1], "supply", -1),
        lambda message: setattr(message.players[0], "hand", 9),
        lambda message: message.players[2].since.append(999),
        lambda message: message.hand.append(3),
        lambda message: message.hand.append(999),
        lambda message: message.movers.append(1),
        lambda message: message.movers.pop(),
        lambda message: setattr(message, "seat", 4),
        lambda message: message.ClearField("seat"),
        lambda message: setattr(message, "question", 999),
        lambda message: setattr(message, "question", pb.QUESTION_BATTLE),
        lambda message: setattr(message.turn.battle, "target", 7),
        lambda message: setattr(message.turn, "active", 4),
        lambda message: message.turn.moved.append(-1),
        lambda message: message.turn.attacked.append(4),
        lambda message: message.turn.discard.extend([0] * 99),
        lambda message: setattr(message.turn, "pile", 99),
        lambda message: message.board.foundings.add(country=12),
        lambda message: message.board.foundings.add(country=1, seat=4),
        lambda message: message.board.triggers.append(5),
        lambda message: setattr(message.board, "stall", -1),
        lambda message: setattr(message.board, "end_trigger", 5),
        lambda message: setattr(message.board, "first", 4),
    ],
)
def test_an_observation_that_means_nothing_is_unreadable(change):
    game = foederati()
    wire, state = codec(game), game.new_state(b"")
    message = pb.Observation.FromString(wire.observation(state.observe(0)))
    assert wire.read_observation(message.SerializeToString(), state.setup()) == state.observe(0)

    change(message)

    with pytest.raises(UnreadableError):
        wire.read_observation(message.SerializeToString(), state.setup())


@pytest.mark.parametrize(
    "choices",
    [
        pb.Choices(codes=[8]),
        pb.Choices(codes=[0], parts=[0]),
        pb.Choices(codes=[8], parts=[1]),
        pb.Choices(codes=[1], parts=[1], part_numbers=[100], least=[1], most=[1], usual=[1]),
        pb.Choices(codes=[1], parts=[1], part_numbers=[3], least=[1]),
        pb.Choices(codes=[6], parts=[1], part_numbers=[250], most=[1], usual=[1]),
        pb.Choices(codes=[6], parts=[-1], part_numbers=[3]),
    ],
    ids=str,
)
def test_choices_that_mean_nothing_are_unreadable(choices):
    with pytest.raises(UnreadableError):
        codec(foederati()).read_choices(choices.SerializeToString(), None)


@pytest.mark.parametrize("other", [{"seats": 3}, {"map": "tilted"}], ids=str)
def test_the_setup_of_another_table_or_map_is_unreadable(other):
    game = foederati()
    if "map" in other:
        other = {"map": {**game.board.json, "battleCardBonus": 3}}
    written = catalog.game("foederati", {"seats": 4, **other})
    data = codec(written).setup(written.new_state(b"").setup())

    with pytest.raises(UnreadableError, match="a setup of map"):
        codec(game).read_setup(data)


def test_a_hand_of_none_is_not_a_hand_that_is_not_seen():
    wire = codec(foederati())
    none, unseen = Seen("drew", {"seat": 1, "count": 0, "cards": ()}), Seen("drew", {"seat": 1, "count": 2})
    nobody = Seen("end_triggered", {"trigger": 4, "seat": -1})

    told = (none, unseen, nobody)
    assert wire.read_events(b"".join(map(wire.event, told))) == told


def test_events_that_are_not_known_are_left_out():
    wire = codec(foederati())
    strange = pb.Events(events=[pb.Event(), pb.Event(passed=pb.Passed(seat=2))])

    assert wire.read_events(strange.SerializeToString()) == (Seen("passed", {"seat": 2}),)
