"""Playing OpenSpiel's games as ours: chance, secrets, moves at once, positions."""

from __future__ import annotations

import pytest

from rivalry_engine import catalog, playout
from rivalry_engine.chance import Stream
from rivalry_engine.error import PositionError, RivalryError
from rivalry_engine.event import Event, seen
from rivalry_engine.game import PUBLIC, Choice, State
from rivalry_openspiel.game import OpenSpielGame
from rivalry_openspiel.state import OpenSpielState

pytest.importorskip("pyspiel")


def begun(name: str, seed: bytes = b"x") -> State:
    return catalog.game(f"openspiel:{name}").new_state(seed)


def texts(state: State, seat: int) -> list[str]:
    return [state.game.text(choice.action) for choice in state.choices(seat)]


def test_choices_are_openspiels_words_with_its_numbers() -> None:
    assert texts(begun("tic_tac_toe"), 0)[:2] == ["x(0,0) #0", "x(0,1) #1"]
    assert texts(begun("kuhn_poker"), 0) == ["Pass #0", "Bet #1"]


def test_an_action_under_other_words_is_refused_with_the_right_ones() -> None:
    state = begun("tic_tac_toe")

    objection = state.objection(0, state.game.action("o(0,0) #0"))

    assert objection is not None
    assert (objection.code, objection.text) == ("words", "'o(0,0) #0' is written 'x(0,0) #0' here")


def test_many_actions_are_parts_of_some_choices() -> None:
    state = begun("go")

    choices = state.choices(0)

    assert len(choices) == 2
    assert {(choice.least, choice.most, choice.usual) for choice in choices} == {(1, 1, 1)}
    assert sum(len(choice.parts) for choice in choices) == 362
    assert state.game.fill(choices[1], [3]) == choices[1].parts[3]
    assert state.game.text(choices[0].action) == "B a1 #0"
    assert isinstance(choices[0], Choice)


def test_equal_seeds_draw_equal_chance_and_others_other() -> None:
    deals = {seed: begun("hearts", seed).observe(0).json()["memory"] for seed in (b"a", b"b")}

    assert deals[b"a"] == begun("hearts", b"a").observe(0).json()["memory"]
    assert deals[b"a"] != deals[b"b"]


@pytest.mark.parametrize("name", ["tarok", "negotiation"])
def test_a_game_that_draws_chance_itself_follows_from_the_seed_too(name: str) -> None:
    game = catalog.game(f"openspiel:{name}")
    bots = [playout.uniform] * game.seats

    one, two, other = (playout.play(game, bots, seed) for seed in (b"a", b"a", b"b"))

    assert one.moves == two.moves
    assert one.moves != other.moves


def test_the_clone_of_a_game_that_draws_chance_itself_takes_nothing_from_it() -> None:
    game = catalog.game("openspiel:tarok")
    assert isinstance(game, OpenSpielGame)
    state = game.at_beginning(b"x")  # OpenSpiel has not dealt yet

    twin = state.clone()
    assert isinstance(twin, OpenSpielState)
    twin.settle()

    assert state.settle().observe(0) == game.new_state(b"x").observe(0)


def test_moves_at_once_are_hidden_until_the_last_is_in() -> None:
    state = begun("goofspiel")
    state.log = []
    before = [state.observe(audience).json() for audience in (PUBLIC, 0, 1)]

    state.apply(1, state.choices(1)[3].action)

    assert state.movers() == (0,)
    assert [state.observe(audience).json() for audience in (PUBLIC, 0, 1)] == before
    assert state.log == []
    state.apply(0, state.choices(0)[5].action)
    assert [event.facts["seat"] for event in state.log if event.kind == "moved"] == [0, 1]
    assert state.movers() == (0, 1)


def test_nobody_sees_anothers_card() -> None:
    game = catalog.game("openspiel:kuhn_poker")
    told = {game.new_state(b"%d" % n).observe(PUBLIC).json()["text"] for n in range(12)}
    own = {
        (str(s.observe(0).json()), s.observe(1).json()["memory"])
        for s in (game.new_state(b"%d" % n) for n in range(30))
    }

    assert len(told) == 1
    assert len({mine for mine, _ in own}) < len(own)


def test_a_game_with_secrets_tells_nothing_of_its_moves() -> None:
    game = catalog.game("openspiel:phantom_ttt")
    state = game.new_state(b"x")
    log: list[Event] = []
    state.log = log
    while state.movers():
        (seat,) = state.movers()
        assert set(state.observe(PUBLIC).json()) == {"seat", "to_move", "over"}
        state.apply(seat, state.choices(seat)[0].action)

    assert [seen(event, PUBLIC).kind for event in log] == ["over"]


@pytest.mark.parametrize("name", ["backgammon", "goofspiel", "kuhn_poker"])
def test_a_position_goes_on_as_the_match_would_have(name: str) -> None:
    game = catalog.game(f"openspiel:{name}")
    state = game.new_state(b"x")
    stream = Stream(b"y", "moves")
    for _ in range(2):
        seat = state.movers()[-1]
        state.apply(seat, stream.choice(state.legal_actions(seat)))

    again = catalog.state_at(state.position())

    for each in (state, again):
        while each.movers():
            each.apply(each.movers()[0], each.legal_actions(each.movers()[0])[0])
    assert again.position() == state.position()
    assert again.scores() == state.scores()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"history": [0, 0]}, "history: 0 at place 1 is not legal there"),
        ({"history": "0"}, "expected a list"),
        ({"moves": []}, "moves: unknown"),
        ({"seed": 3}, "seed: 3; expected a text"),
        ({"pending": [[0, 1]]}, "pending"),
    ],
)
def test_a_position_that_is_none_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(PositionError, match=words):
        catalog.state_at({"game": "openspiel:tic_tac_toe", **given})


def test_a_state_is_imagined_from_what_the_seat_sees_alone() -> None:
    state = begun("kuhn_poker")
    seen_by_1 = state.observe(1)
    stream = Stream(b"z", "imagine")

    others = {state.game.imagine(1, seen_by_1, stream).observe(0).json()["memory"] for _ in range(20)}

    assert len(others) == 2


def test_a_game_that_openspiel_does_not_resample_says_so() -> None:
    state = begun("hearts")

    assert not state.game.imagines
    with pytest.raises(RivalryError, match="does not resample"):
        state.game.imagine(0, state.observe(0), Stream(b"z", "imagine"))


def test_scores_are_millionths_of_openspiels_points() -> None:
    played = playout.play(catalog.game("openspiel:kuhn_poker"), [playout.first] * 2, b"x")

    assert sorted(played.state.scores()) == [-1_000_000, 1_000_000]
    assert played.state.game.score_unit == 1_000_000


def test_the_view_tells_whose_turn_it_is_and_all_that_is_seen() -> None:
    state = begun("tic_tac_toe")

    assert state.game.view(state.observe(0)).startswith("You are seat 0; it is your turn.\n\nObserved now:\n...")
    assert state.game.view(state.observe(1)).startswith("To move: seat 0.")
    both = begun("matrix_rps")
    assert "at the same time as seat 1" in both.game.view(both.observe(0))


def test_colours_of_a_terminal_are_left_out_of_a_view():
    game = catalog.game("openspiel:twixt")

    assert "\x1b" not in game.view(game.new_state(b"").observe(0))
