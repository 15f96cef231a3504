"""OpenSpiel's own basic tests, and what they cannot ask."""

import pickle

import numpy as np
import pyspiel
import pytest

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.error import OptionError, RivalryError
from rivalry_engine.playout import uniform
from rivalry_environments import openspiel
from rivalry_environments.pettingzoo import env

GAMES = ["rivalry_kuhn(reward=score)", "rivalry_ethnos(players=2)", "rivalry_foederati(players=2)"]


def dealt(game, seed=b"\x01\x02\x03\x04"):
    state = game.new_initial_state()
    for byte in seed:
        state.apply_action(byte)
    return state


def at_random(state, label="openspiel"):
    rng = Stream(b"spiel", label)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        yield state


@pytest.mark.parametrize(
    ("name", "matches"), [(GAMES[0], 20), (GAMES[1], 1), (GAMES[2], 1), ("rivalry_kuhn(seed=x)", 5)]
)
def test_the_basic_tests_pass(name, matches):
    game = pyspiel.load_game(name)

    pyspiel.random_sim_test(game, num_sims=matches, serialize=True, verbose=False)


def test_the_bytes_dealt_are_the_seed_of_the_match():
    game = pyspiel.load_game("rivalry_ethnos(players=3)")
    state = dealt(game)

    made = env("ethnos", seats=3)
    made.reset(options={"seed": "0x01020304"})
    for _ in at_random(state):
        pass
    for word in state.history()[4:]:
        seat = made.unwrapped.play.seat
        assert made.agent_selection == f"seat_{seat}"
        made.step(word)

    assert state.returns() == [made.unwrapped.rewards[agent] for agent in made.possible_agents]
    assert game.max_chance_nodes_in_history() == 4
    assert dict(game.new_initial_state().chance_outcomes()) == dict.fromkeys(range(256), 1 / 256)


def test_a_seed_leaves_no_chance():
    game = pyspiel.load_game("rivalry_kuhn(seed=0x07)")
    state = game.new_initial_state()

    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    assert not state.is_chance_node()
    assert "seed 0x07" in str(state)


def test_kuhn_pays_what_openspiels_kuhn_pays():
    ours, theirs = pyspiel.load_game("rivalry_kuhn(reward=score,seed_bytes=1)"), pyspiel.load_game("kuhn_poker")

    for byte in range(0, 256, 11):
        cards = catalog.game("kuhn").new_state(bytes((byte,))).cards
        pairs = [(dealt(ours, bytes((byte,))), dealt(theirs, [card - 1 for card in cards]))]
        while pairs:
            one, other = pairs.pop()
            assert one.current_player() == other.current_player()
            assert one.legal_actions() == other.legal_actions()
            assert one.returns() == other.returns()
            pairs += [(one.child(action), other.child(action)) for action in one.legal_actions()]


def test_information_states_are_those_of_the_game():
    game = pyspiel.load_game("rivalry_kuhn(seed_bytes=1)")
    known = {}
    states = [dealt(game, bytes((byte,))) for byte in range(40)]
    while states:
        state = states.pop()
        if not state.is_terminal():
            seat = state.current_player()
            play = state.match.play
            facts = (seat, play.state.cards[seat], play.state.moves)
            assert known.setdefault(state.information_state_string(seat), facts) == facts
            states += [state.child(action) for action in state.legal_actions()]

    assert len(known) == 12


def test_a_seat_recalls_what_it_was_shown_and_sees_no_others_cards():
    state = dealt(pyspiel.load_game("rivalry_ethnos(players=2)"))
    before = {0: "", 1: ""}
    for number, _ in enumerate(at_random(state)):
        if number % 9:
            continue
        for seat in (0, 1):
            shown = state.information_state_string(seat).rpartition("\n")[0]
            assert shown.startswith(before[seat])
            before[seat] = shown
    assert '"card"' in before[0]
    assert before[0] != before[1]


@pytest.mark.parametrize("name", GAMES)
def test_the_observer_gives_the_layouts_slices(name):
    game = pyspiel.load_game(name)
    state = dealt(game)
    observer = game.make_py_observer()
    layout = game.encoder.layout
    for number, _ in enumerate(at_random(state)):
        if number % 20 == 0:
            observer.set_from(state, 1)
            assert np.array_equal(observer.tensor, state.match.play.vector(1))
            assert state.observation_tensor(1) == observer.tensor.tolist()
    assert list(observer.dict) == [row.name for row in layout]
    assert game.observation_tensor_shape() == [layout.size]


def test_an_observer_without_private_parts_sees_what_the_public_sees():
    game = pyspiel.load_game("rivalry_kuhn")
    public = game.make_py_observer(
        pyspiel.IIGObservationType(public_info=True, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    )
    state = dealt(game)

    public.set_from(state, 0)

    assert not public.tensor.any()
    assert '"card":null' in public.string_from(state, 0)


@pytest.mark.parametrize("name", GAMES)
def test_copies_pickles_and_texts_of_a_state_play_on_alike_and_apart(name):
    game = pyspiel.load_game(name)
    state = dealt(game)
    for number, _ in enumerate(at_random(state)):
        if number > 40 and len(state.match.play.said) == 1:
            break
    if state.is_terminal():
        state = dealt(game)
    text = str(state)
    others = [
        state.clone(),
        pickle.loads(pickle.dumps(state)),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
    ]

    ends = []
    for other in others:
        assert str(other) == text
        assert other.match.play.said == state.match.play.said
        for _ in at_random(other, "on"):
            pass
        ends.append(str(other))

    assert len(set(ends)) == 1
    assert ends[0] != text
    assert str(state) == text
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_options_are_parameters():
    game = pyspiel.load_game("rivalry_ethnos(players=2,tribes=orcs+elves+trolls+giants+skeletons,ruleset=bga)")

    assert game.game.options["ruleset"] == "bga"
    assert game.game.options["tribes"] == ("elves", "giants", "orcs", "trolls", "skeletons")
    assert game.game.options["centaurs_need_marker"] is True
    assert game.num_players() == 2


def test_the_second_edition_is_a_parameter():
    game = pyspiel.load_game("rivalry_ethnos(players=2,edition=second,clans=red panda+bear+koi+fox+raccoon)")
    again = pyspiel.load_game(str(game))

    assert again.game.options == game.game.options
    assert game.game.options["dragons_to_end"] == "3"
    assert "raccoon" in game.game.options["clans"]


def test_a_preset_is_not_undone_by_parameters_that_were_not_given():
    game = pyspiel.load_game("rivalry_foederati(preset=red-only,final_tribal=if-red)")

    assert game.game.options["scoring_scope"] == "red-only"
    assert game.game.options["attack_full_seas"] is True


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("rivalry_ethnos(players=9)", OptionError, "option seats: 9"),
        ("rivalry_ethnos(tribes=elves)", OptionError, "option tribes: 1 were given"),
        ("rivalry_kuhn(reward=money)", RivalryError, "expected one of rank, score"),
        ("rivalry_kuhn(seed_bytes=0)", RivalryError, "expected at least 1"),
    ],
)
def test_parameters_that_cannot_be_used_are_refused(name, error, said):
    with pytest.raises(error, match=said):
        pyspiel.load_game(name)


def test_a_bots_answers_are_actions():
    state = dealt(pyspiel.load_game("rivalry_ethnos(players=2)"))

    for _ in range(30):
        play = state.match.play
        for word in play.words(uniform(play.prompt())):
            assert word in state.legal_actions()
            state.apply_action(word)


def test_words_that_look_like_numbers_stand_in_quotes():
    game = pyspiel.load_game("rivalry_foederati", {"first_player": "1", "seed": "7"})
    again = pyspiel.load_game(str(game))

    assert "first_player='1'" in str(game)
    assert game.game.options["first_player"] == again.game.options["first_player"] == "1"
    assert game.seed == again.seed == b"7"


@pytest.mark.parametrize(
    ("name", "utility"),
    [
        ("rivalry_kuhn(reward=score)", pyspiel.GameType.Utility.ZERO_SUM),
        ("rivalry_ethnos(reward=rank)", pyspiel.GameType.Utility.ZERO_SUM),
        ("rivalry_ethnos(reward=score)", pyspiel.GameType.Utility.GENERAL_SUM),
    ],
)
def test_a_game_says_whether_its_rewards_sum_to_nothing(name, utility):
    assert pyspiel.load_game(name).get_type().utility == utility


def test_registering_twice_changes_nothing():
    names = pyspiel.registered_names()

    openspiel.register("kuhn")

    assert pyspiel.registered_names() == names
