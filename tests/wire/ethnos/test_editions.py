"""The second edition and Fairies on the wire."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.event import seen
from rivalry_wire import conformance
from rivalry_wire.codec import codec, reader
from rivalry_wire.reading import UnreadableError
from wire.ethnos.test_round_trips import SETUP
from wire.walk import SEEDS, audiences, decisions, ethnos

SMALL = ["koi", "monkey", "fox", "raccoon", "bear"]
FAIRIES = ["fairies", "giants", "centaurs", "elves", "orcs"]
GAMES = st.sampled_from(
    [
        {"seats": 2, "edition": "second", "ruleset": "literal", "clans": SMALL},
        {"seats": 3, "edition": "second", "clans": SMALL},
        {"seats": 4, "edition": "second", "clans": "first-game"},
        {"seats": 6, "edition": "second"},
        {"seats": 3, "fairies": True, "tribes": FAIRIES},
        {"seats": 5, "fairies": True, "tribes": [*FAIRIES, "trolls"]},
    ]
).map(lambda options: ethnos(**options))


@settings(max_examples=4, deadline=None)
@given(GAMES, SEEDS)
def test_every_value_of_a_game_comes_back_equal(game, seed):
    wire, client = codec(game), reader("ethnos", game.options, SETUP)
    told_until = 0
    setup = None
    for number, (state, mover) in enumerate(decisions(game, seed)):
        if number % 40 == 0:
            setup = client.read_setup(wire.setup(state.setup()))
            assert setup == state.setup()
            assert setup.json() == state.setup().json()
        for audience in audiences(game) if number % 8 == 0 or state.answers else (mover,):
            observation = state.observe(audience)
            data = wire.observation(observation)
            assert data == codec(game).observation(observation)
            read = client.read_observation(data, setup)
            assert read == observation
            assert read.json() == observation.json()
        choices = state.choices(mover)
        assert client.read_choices(wire.choices(choices), observation) == tuple(choices)
        for action in state.legal_actions(mover)[:20]:
            assert client.read_action(wire.action(action)) == action
        for audience in audiences(game):
            told = tuple(seen(event, audience) for event in state.log[told_until:])
            assert client.read_events(b"".join([wire.event(event) for event in told])) == told
        told_until = len(state.log)


def test_a_setup_says_what_the_edition_is():
    game = ethnos(2, edition="second", ruleset="literal", clans=SMALL)
    message = pb.Setup.FromString(codec(game).setup(game.new_state(b"").setup()))

    assert (message.edition, message.ruleset) == (pb.EDITION_SECOND, pb.RULESET_UNSPECIFIED)
    assert (message.dragons_to_end, message.small_game_tokens, message.two_player_exceptions) == (2, 3, False)
    assert {tribe.name: tribe.type for tribe in message.tribes} == {
        "bear": 4,
        "koi": 6,
        "monkey": 8,
        "fox": 9,
        "raccoon": 13,
    }
    assert [kingdom.name for kingdom in message.kingdoms] == ["red", "blue", "green", "yellow", "black", "white"]
    assert (message.merfolk_board.last, list(message.merfolk_board.symbols)) == (12, [4, 9])
    assert list(message.coins) == [1] * 5 + [2] * 5 + [3] * 4


@pytest.mark.parametrize(
    "options",
    [
        {"ruleset": "literal"},
        {"small_game_tokens": 3},
        {"dragons_to_end": "literal"},
        {"two_player_exceptions": False},
        {"edition": "first", "clans": None},
    ],
    ids=str,
)
def test_the_setup_of_a_match_with_other_options_is_unreadable(options):
    ours = {"edition": "second", "clans": SMALL}
    game, other = ethnos(2, **ours), ethnos(2, **{**ours, **options})
    written = codec(other).setup(other.new_state(b"").setup())

    with pytest.raises(UnreadableError, match="a setup of edition"):
        codec(game).read_setup(written)


def boards():
    """A state in which seats 0 and 2 are asked about their settlement boards."""
    game = ethnos(3, edition="second", clans=SMALL)
    players = [{"orc_board": ["red"]}, {}, {"orc_board": ["blue"]}]
    options = dict(game.options_given())
    return game, game.state_at({"options": options, "pending": {"kind": "empty"}, "seats": players})


def test_an_answer_that_waits_changes_no_byte():
    """N3.6"""
    game, state = boards()
    wire = codec(game)
    before = [wire.observation(state.observe(audience)) for audience in audiences(game)]

    state.apply(0, game.action("empty"))

    assert [codec(game).observation(state.observe(audience)) for audience in audiences(game)] == before
    assert list(pb.Observation.FromString(before[0]).movers) == [0, 2]


@pytest.mark.parametrize("movers", [[], [0], [0, 1], [2, 0], [0, 2, 2]])
def test_a_question_to_others_than_the_owners_of_boards_is_unreadable(movers):
    game, state = boards()
    wire = codec(game)
    message = pb.Observation.FromString(wire.observation(state.observe(0)))
    del message.movers[:]
    message.movers.extend(movers)

    with pytest.raises(UnreadableError):
        wire.read_observation(message.SerializeToString(), state.setup())


@pytest.mark.parametrize(
    "change",
    [
        lambda board: board.coins.add(kingdom=7, values=[1]),
        lambda board: board.coins.add(kingdom=1, values=[4]),
        lambda board: board.given.add(seat=0, band=0),
        lambda board: board.given.add(seat=9, band=0),
        lambda board: setattr(board, "coins_left", 15),
        lambda board: setattr(board, "giant_band", 0),
    ],
)
def test_a_board_that_cannot_be_is_unreadable(change):
    game = ethnos(3, edition="second", clans=SMALL)
    wire, state = codec(game), game.new_state(b"")
    message = pb.Observation.FromString(wire.observation(state.observe(0)))
    assert wire.read_observation(message.SerializeToString(), state.setup()) == state.observe(0)
    change(message.board)

    with pytest.raises(UnreadableError):
        wire.read_observation(message.SerializeToString(), state.setup())


@pytest.mark.parametrize(
    "action", [pb.Action(code=13 | 7 << 4), pb.Action(code=13 | 8 << 4), pb.Action(code=13, cards=[9])]
)
def test_a_swap_that_no_notation_means_is_no_action(action):
    with pytest.raises(UnreadableError):
        codec(ethnos(3, fairies=True)).read_action(action.SerializeToString())


def test_a_swap_names_a_seat_and_a_band():
    game = ethnos(3, fairies=True)

    for text, code in (("swap none", 13), ("swap 0 0", 13 | 1 << 4), ("swap 5 41", 13 | (6 + 8 * 41) << 4)):
        message = pb.Action.FromString(codec(game).action(game.action(text)))
        assert (message.code, list(message.cards)) == (code, [])
        assert codec(game).read_action(message.SerializeToString()) == game.action(text)


@pytest.mark.parametrize("options", [{"seats": 2, "edition": "second", "clans": SMALL}], ids=str)
def test_the_codec_keeps_its_promises_for_the_second_edition(options):
    conformance.check(ethnos(**options), games=1)
