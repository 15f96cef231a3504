"""What is written comes back equal, at the decisions of games played by chance."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.event import seen
from rivalry_wire.codec import codec, reader
from rivalry_wire.reading import UnreadableError
from wire.walk import SEEDS, audiences, decisions, ethnos

SETUP = "type.googleapis.com/rivalry.games.ethnos.v1.Setup"
CHOOSING = ("centaurs", "elves", "merfolk", "orcs", "trolls", "wizards")
GAMES = st.builds(
    lambda seats, bga, need, drawn: ethnos(
        seats,
        ruleset="bga" if bga else "standard",
        centaurs_need_marker=need,
        tribes=None if drawn else list(CHOOSING[: 5 if seats < 4 else 6]),
    ),
    st.integers(2, 6),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=4, deadline=None)
@given(GAMES, SEEDS)
def test_every_value_of_a_game_comes_back_equal(game, seed):
    wire, client = codec(game), reader("ethnos", game.options, SETUP)
    told_until = 0
    for number, (state, mover) in enumerate(decisions(game, seed)):
        if number % 40 == 0:
            setup = client.read_setup(wire.setup(state.setup()))
            assert setup == state.setup()
        for audience in audiences(game) if number % 8 == 0 else (mover,):
            observation = state.observe(audience)
            read = client.read_observation(wire.observation(observation), setup)
            assert read == observation
            assert read.json() == observation.json()
        choices = state.choices(mover)
        assert client.read_choices(wire.choices(choices), observation) == tuple(choices)
        for audience in audiences(game):
            told = tuple(seen(event, audience) for event in state.log[told_until:])
            assert client.read_events(b"".join([wire.event(event) for event in told])) == told
        told_until = len(state.log)


def test_the_end_of_a_game_comes_back_equal():
    game = ethnos(3)
    wire = codec(game)
    state = None
    for state, _ in decisions(game, b"end"):  # noqa: B007
        pass

    for audience in audiences(game):
        told = tuple(seen(event, audience) for event in state.log)
        assert told[-1].kind == "game_ended"
        assert wire.read_events(b"".join([wire.event(event) for event in told])) == told
        assert wire.read_observation(wire.observation(state.observe(audience)), state.setup()) == state.observe(
            audience
        )


@settings(max_examples=3, deadline=None)
@given(SEEDS)
def test_imagining_from_what_was_read_is_imagining_from_what_was_written(seed):
    game = ethnos(4)
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, seed)):
        if number % 24:
            continue
        observation = state.observe(mover)
        read = wire.read_observation(wire.observation(observation), state.setup())

        here = game.imagine(mover, observation, Stream(seed, str(number)))
        there = game.imagine(mover, read, Stream(seed, str(number)))

        assert there.position() == here.position()


def test_every_action_comes_back_equal():
    game = ethnos(4, tribes=list(CHOOSING))
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, b"actions")):
        for action in state.legal_actions(mover)[:: 1 + number % 5]:
            assert wire.read_action(wire.action(action)) == action


@pytest.mark.parametrize(
    "action",
    [
        pb.Action(),
        pb.Action(code=999_999),
        pb.Action(code=-1),
        pb.Action(code=pb.VERB_TAKE),
        pb.Action(code=15),
        pb.Action(code=pb.VERB_DRAW, cards=[9]),
        pb.Action(code=pb.VERB_DRAW | 1 << 4),
        pb.Action(code=pb.VERB_BAND | 9 << 4, cards=[0]),
        pb.Action(code=pb.VERB_BAND | 9 << 4, cards=[9, 9]),
        pb.Action(code=pb.VERB_KEEP, cards=[999]),
        pb.Action(code=pb.VERB_KEEP, cards=[-1]),
        pb.Action(code=pb.VERB_MARK | 7 << 4),
        pb.Action(code=pb.VERB_TOKEN | 7 << 4),
    ],
    ids=str,
)
def test_what_no_notation_means_is_no_action(action):
    with pytest.raises(UnreadableError):
        codec(ethnos()).read_action(action.SerializeToString())


def test_an_action_that_is_not_legal_now_is_read_all_the_same():
    game = ethnos()
    wire = codec(game)

    for text in ("pass", "take red elf", "band red elf: blue elf, skeleton", "keep red orc", "token 4", "mark none"):
        assert wire.read_action(wire.action(game.action(text))) == game.action(text)


def test_a_band_may_be_told_in_any_order():
    game = ethnos()
    action = game.action("band red elf: blue elf, skeleton")
    message = pb.Action.FromString(codec(game).action(action))
    message.cards.reverse()

    assert codec(game).read_action(message.SerializeToString()) == action


@pytest.mark.parametrize(
    "options", [{"ruleset": "bga"}, {"centaurs_need_marker": False}, {"seats": 3}], ids=lambda options: str(options)
)
def test_the_setup_of_a_match_with_other_options_is_unreadable(options):
    game, other = ethnos(), catalog.game("ethnos", {"seats": 4, **options})
    written = codec(other).setup(other.new_state(b"").setup())

    with pytest.raises(UnreadableError, match="a setup of edition"):
        codec(game).read_setup(written)


def test_values_that_are_not_known_are_unreadable_in_views_and_left_out_of_events():
    game = ethnos()
    wire, state = codec(game), game.new_state(b"")
    setup = pb.Setup.FromString(wire.setup(state.setup()))
    setup.edition = 999
    observation = pb.Observation.FromString(wire.observation(state.observe(0)))
    observation.question = 999
    events = pb.Events(events=[pb.Event(declined=pb.Declined(seat=1, kind=999)), pb.Event(taken=pb.Taken(card=9))])

    with pytest.raises(UnreadableError):
        wire.read_setup(setup.SerializeToString())
    with pytest.raises(UnreadableError, match="question 999"):
        wire.read_observation(observation.SerializeToString(), state.setup())
    assert [event.kind for event in wire.read_events(events.SerializeToString())] == ["taken"]


@pytest.mark.parametrize(
    "change",
    [
        lambda message: message.players.pop(),
        lambda message: message.players[0].markers.pop(),
        lambda message: message.players[0].horde.append(7),
        lambda message: message.players[0].trolls.append(0),
        lambda message: message.players[0].known.append(999),
        lambda message: message.players[0].bands.add(leader=3, cards=[9]),
        lambda message: message.hand.extend([9, 9, 9]),
        lambda message: message.movers.append(1),
        lambda message: message.movers.pop(),
        lambda message: message.ClearField("board"),
        lambda message: setattr(message, "seat", 4),
        lambda message: message.ClearField("seat"),
        lambda message: message.hand.append(112),
        lambda message: setattr(message, "question", pb.QUESTION_MARKER),
        lambda message: setattr(message.board, "giant", -1),
        lambda message: setattr(message.board, "safe", 99),
        lambda message: setattr(message.players[1], "glory", -1),
        lambda message: setattr(message.players[1], "merfolk", 19),
    ],
)
def test_an_observation_that_means_nothing_is_unreadable(change):
    game = ethnos()
    wire, state = codec(game), game.new_state(b"")
    message = pb.Observation.FromString(wire.observation(state.observe(0)))
    assert wire.read_observation(message.SerializeToString(), state.setup()) == state.observe(0)

    change(message)

    with pytest.raises(UnreadableError):
        wire.read_observation(message.SerializeToString(), state.setup())


@pytest.mark.parametrize(
    "choices",
    [
        pb.Choices(codes=[2]),
        pb.Choices(codes=[2], parts=[1]),
        pb.Choices(codes=[2], parts=[0], cards=[9]),
        pb.Choices(codes=[6], parts=[1], cards=[9], least=[1]),
        pb.Choices(codes=[6], parts=[1], cards=[9], most=[2]),
        pb.Choices(codes=[6], parts=[1], cards=[9], most=[1], usual=[-1]),
        pb.Choices(codes=[6], parts=[-1], cards=[9]),
        pb.Choices(codes=[6], parts=[1], cards=[0], most=[1]),
        pb.Choices(codes=[6, 6], parts=[1, 0], cards=[9], most=[1]),
    ],
    ids=str,
)
def test_choices_that_mean_nothing_are_unreadable(choices):
    with pytest.raises(UnreadableError):
        codec(ethnos()).read_choices(choices.SerializeToString(), None)
