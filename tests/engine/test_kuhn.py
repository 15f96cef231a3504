"""Kuhn poker, and the conformance check on it."""

import itertools

import pytest

from rivalry_engine import conformance
from rivalry_engine.chance import Stream
from rivalry_engine.error import NotationError, OptionError, PositionError
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC
from rivalry_engine.kuhn import Kuhn


def position(cards="king queen", moves=""):
    return Kuhn().state_at({"game": "kuhn", "cards": cards.split(), "moves": moves.split()})


def test_kuhn_poker_keeps_every_promise_of_the_interface():
    conformance.check(Kuhn(), games=60)


@pytest.mark.parametrize(
    ("cards", "moves", "scores"),
    [
        ("king queen", "pass pass", (1, -1)),
        ("jack queen", "pass pass", (-1, 1)),
        ("king queen", "bet pass", (1, -1)),
        ("jack queen", "bet pass", (1, -1)),
        ("jack queen", "bet bet", (-2, 2)),
        ("king queen", "bet bet", (2, -2)),
        ("king queen", "pass bet pass", (-1, 1)),
        ("king queen", "pass bet bet", (2, -2)),
        ("jack king", "pass bet bet", (-2, 2)),
        ("jack king", "pass", (0, 0)),
    ],
)
def test_every_line_of_play_pays_as_kuhn_says(cards, moves, scores):
    state = position(cards, moves)

    assert state.scores() == scores
    assert bool(state.movers()) == (moves == "pass")


def test_all_deals_come_and_each_card_goes_to_one_seat():
    deals = {Kuhn().new_state(bytes([number])).cards for number in range(120)}

    assert deals == set(itertools.permutations((1, 2, 3), 2))


def test_a_fold_shows_no_card_and_a_showdown_shows_both():
    assert position("king queen", "bet pass").observe(PUBLIC).shown == ()
    assert position("king queen", "bet bet").observe(PUBLIC).shown == (3, 2)
    assert position("king queen", "bet").observe(1).card == 2
    assert position("king queen", "bet").observe(PUBLIC).card == 0


def test_imagining_reaches_every_card_the_other_may_hold():
    observation = position("king queen", "bet").observe(1)

    imagined = {Kuhn().imagine(1, observation, Stream(bytes([n]), "x")).cards for n in range(30)}

    assert imagined == {(1, 2), (3, 2)}


def test_a_dealt_card_is_told_to_its_seat_alone():
    state = position("king queen")
    state.log = []

    state.apply(0, 2)

    dealt, moved = state.log
    assert (seen(dealt, 0).facts, seen(dealt, 1).facts, seen(dealt, PUBLIC).facts) == ({"card": 3}, {"card": 2}, {})
    assert seen(moved, PUBLIC).facts == {"seat": 0, "move": 2}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cards": ["king", "king"]}, "position key cards"),
        ({"cards": "king"}, "position key cards"),
        ({"moves": ["raise"]}, "position key moves: 'raise' is no action"),
        ({"moves": ["bet", "bet", "bet"]}, "position key moves: .*over before the last"),
        ({"moves": "bet"}, "position key moves"),
        ({"seed": 1}, "position key seed"),
        ({"pot": 1}, "position key pot: unknown"),
    ],
)
def test_an_impossible_position_is_refused_by_its_key(change, message):
    with pytest.raises(PositionError, match=message):
        Kuhn().state_at({"game": "kuhn", **change})


def test_three_seats_are_refused():
    with pytest.raises(OptionError, match="option seats: 3 is not allowed; expected one of 2"):
        Kuhn({"seats": 3})


def test_notation_ignores_case_and_blanks_and_nothing_else():
    assert Kuhn().action(" BET ") == 2
    with pytest.raises(NotationError, match="'fold' is no action of Kuhn poker; expected pass or bet"):
        Kuhn().action("fold")


def test_its_events_are_told_in_words():
    state = position("king queen")
    state.log = []
    for text in ("bet", "bet"):
        state.apply(state.movers()[0], state.game.action(text))

    assert [state.game.event_text(seen(event, 0)) for event in state.log] == [
        "dealt: king",
        "seat 0: bet",
        "seat 1: bet",
        "shown: king, queen",
        "seat 0 wins 2",
    ]
    assert state.game.event_text(seen(state.log[0], PUBLIC)) == "dealt"


def test_the_view_tells_a_seat_its_own_card_and_what_was_said_and_nobody_else_a_card():
    state = position("queen king", "pass bet")

    own, public = state.game.view(state.observe(0)), state.game.view(state.observe(PUBLIC))

    assert own.splitlines() == [
        "Kuhn poker: you are seat 0",
        "Your card: queen",
        "Pot: 3 chips, 1 from each seat before the deal",
        "So far: seat 0 pass, seat 1 bet",
    ]
    assert public.splitlines() == ["Kuhn poker, seen by nobody's seat", *own.splitlines()[2:]]


def test_the_view_shows_both_cards_when_they_were_shown():
    state = position("queen king", "bet bet")

    for audience in (PUBLIC, 0, 1):
        assert state.game.view(state.observe(audience)).endswith("\nShown: seat 0 queen, seat 1 king")
