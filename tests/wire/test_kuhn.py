from itertools import permutations

import pytest

from rivalry.games.kuhn.v1 import kuhn_pb2 as pb
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC
from rivalry_engine.kuhn import BET, CARDS, PASS
from rivalry_wire.codec import codec
from rivalry_wire.reading import UnreadableError

KUHN = catalog.game("kuhn")
LINES = [(), (PASS,), (BET,), (PASS, PASS), (PASS, BET), (BET, PASS), (BET, BET), (PASS, BET, PASS), (PASS, BET, BET)]
WORDS = {PASS: "pass", BET: "bet"}


def states():
    """Every state of the game, each with its log."""
    for cards in permutations(CARDS, 2):
        for line in LINES:
            state = KUHN.state_at({"game": "kuhn", "cards": [CARDS[card] for card in cards]})
            state.log = []
            for move in line:
                state.apply(state.movers()[0], move)
            yield state


def test_every_observation_comes_back_equal():
    wire = codec(KUHN)
    for state in states():
        setup = wire.read_setup(wire.setup(state.setup()))
        assert setup == state.setup()
        for audience in (PUBLIC, 0, 1):
            observation = state.observe(audience)
            assert wire.read_observation(wire.observation(observation), setup) == observation


def test_every_choice_and_action_comes_back_equal():
    wire = codec(KUHN)
    for state in states():
        for seat in state.movers():
            read = wire.read_choices(wire.choices(state.choices(seat)), state.observe(seat))
            assert read == tuple(state.choices(seat))
            for choice in read:
                assert wire.read_action(wire.action(choice.action)) == choice.action


def test_every_event_comes_back_equal_and_joined_events_are_all_of_them():
    wire = codec(KUHN)
    for state in states():
        for audience in (PUBLIC, 0, 1):
            told = tuple(seen(event, audience) for event in state.log)
            assert wire.read_events(b"".join(wire.event(event) for event in told)) == told


def test_a_seat_is_sent_the_same_bytes_in_every_state_it_may_be_in():
    wire = codec(KUHN)
    for state in states():
        for seat in (0, 1):
            observation = state.observe(seat)
            for number in range(4):
                other = KUHN.imagine(seat, observation, Stream(b"imagine", str(number)))
                assert wire.observation(other.observe(seat)) == wire.observation(observation)


@pytest.mark.parametrize(
    "message",
    [
        pb.Observation(card=2, moves=[999], seat=0),
        pb.Observation(card=4, seat=0),
        pb.Observation(seat=1),
        pb.Observation(card=1, seat=2),
        pb.Observation(card=1, seat=-1),
        pb.Observation(card=1, shown=[1], seat=0),
        pb.Observation(card=1, shown=[1, 7], seat=0),
    ],
)
def test_an_observation_that_means_nothing_is_unreadable(message):
    wire = codec(KUHN)

    with pytest.raises(UnreadableError):
        wire.read_observation(message.SerializeToString(), KUHN.new_state(b"").setup())


def test_a_move_that_is_not_known_is_no_action():
    wire = codec(KUHN)

    for move in (0, 999):
        with pytest.raises(UnreadableError, match=f"{move} is no move"):
            wire.read_action(pb.Action(move=move).SerializeToString())


def test_an_event_with_a_value_that_is_not_known_is_left_out():
    wire = codec(KUHN)
    events = pb.Events(
        events=[
            pb.Event(moved=pb.Moved(seat=1, move=999)),
            pb.Event(),
            pb.Event(dealt=pb.Dealt(card=77)),
            pb.Event(moved=pb.Moved(seat=1, move=BET)),
        ]
    )

    assert [event.facts for event in wire.read_events(events.SerializeToString())] == [{"seat": 1, "move": BET}]
