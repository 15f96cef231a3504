"""Setup and initial placement (FO5)."""

from collections import Counter

import pytest

from engine.foederati.table import (
    ALLOTMENT,
    INITIAL,
    asked,
    at,
    country,
    do,
    game,
    offered,
    played,
    refusal,
    seat_of,
    told,
)
from rivalry_engine.event import seen


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_game_begins_with_supplies_hands_and_leaders_one_per_space(seats):
    """FO5, FO10.5, FO10.6, FO10.8"""
    state = game(seats=seats).new_state(b"setup")
    place = state.position()
    first = place["first_player"]

    assert asked(state) == ("placement", first)
    assert [seat["supply"] for seat in place["seats"]] == [ALLOTMENT[seats]] * seats
    assert [place["seats"][(first + step) % seats]["position"] for step in range(seats)] == list(range(seats))
    assert [len(seat["hand"]) for seat in place["seats"]] == [10] * seats
    assert len(place["draw_pile"]) == 98 - 10 * seats
    assert (place["discard"], place["round"], place["founded"]) == ([], 0, [])


def test_the_leaders_start_one_space_further_where_the_option_says_so():
    """FO5, FO10.5"""
    state = game(seats=3, start_spaces=1, first_player="1").new_state(b"")

    assert state.scores() == (3, 1, 2)


def test_the_first_player_is_named_or_drawn():
    """FO5, FO10.7"""
    assert {game(seats=3, first_player="2").new_state(bytes([n])).movers()[0] for n in range(9)} == {2}
    assert {game(seats=3).new_state(bytes([n])).movers()[0] for n in range(30)} == {0, 1, 2}


def test_deck_and_first_player_are_drawn_from_their_own_labels():
    """FO5: another first player changes nobody's cards"""
    one, two = (game(seats=3, first_player=first).new_state(b"cards").position() for first in ("0", "1"))

    assert [seat["hand"] for seat in one["seats"]] == [seat["hand"] for seat in two["seats"]]
    assert one["draw_pile"] == two["draw_pile"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_places_in_turn_until_all_have_placed_their_number(seats):
    """FO5.1, FO10.1: 12, 8, 5 or 4 shields, one at a time, without cards"""
    state = game(seats=seats, first_player="1").new_state(b"placing")
    order = []
    for seat, _ in played(state, b"placing"):
        if state.question(seat) != "placement":
            break
        order.append(seat)

    assert order == [(1 + step) % seats for step in range(seats * INITIAL[seats])]
    assert asked(state) == ("turn", 1)
    place = state.position()
    assert place["round"] == 1
    for seat in place["seats"]:
        assert (len(seat["shields"]), seat["supply"]) == (INITIAL[seats], ALLOTMENT[seats] - INITIAL[seats])
        assert len(seat["hand"]) == 10
    assert place["stall"] == 0


def placing(*shields):
    """A state in the initial placement, seat 0 first, with so many shields on the board already."""
    total = sum(len(own.split()) for own in shields)
    return at(*shields, round=0, movers=[total % len(shields)])


def test_a_small_country_takes_two_and_a_large_one_four_of_all_players_together():
    """FO5.1, FO10.2, worked example 6"""
    state = placing("F5 H1", "F6 H2", "H3 I1", "A1")
    assert asked(state) == ("placement", 3)

    assert refusal(state, "place G5") == "CAP_EXCEEDED"
    assert refusal(state, "place J1") == "CAP_EXCEEDED"
    assert refusal(state, "place F5") == "SQUARE_OCCUPIED"
    assert refusal(state, "place B1") == ""
    assert offered(state) == {
        f"place {square}"
        for key in "ATSVUFNPGYwnbm"
        for square in country(key)
        if square != "A1"
    }  # fmt: skip


def test_the_limits_are_for_the_initial_placement_alone():
    """FO10.3, worked example 6: a third shield in Raetia and a fifth in Iberia"""
    state = at("F5 H1", "F6 H2", "H3 I1", "A1", seats={0: {"hand": ["row G", "country Iberia"]}})

    assert refusal(state, "expand row G: G5") == ""
    assert refusal(state, "expand country Iberia: J1") == ""


def test_the_sea_takes_any_number_at_first():
    """FO10.4"""
    state = placing("A8 B8", "A9 C8")

    assert offered(state) >= {f"place {square}" for square in country("m")}
    assert not offered(state) & {"place A8"}


def test_each_seat_is_told_its_own_hand_when_the_game_begins():
    """FO10.48"""
    state = game(seats=3, first_player="0").new_state(b"told")

    (begun, placed) = told(state, "place A1")

    assert begun.kind == "begun"
    names = [card["number"] for card in state.setup().json()["cards"].values()]
    for seat in range(3):
        assert len(seen(begun, seat).facts["hand"]) == 10
        assert set(seen(begun, seat).facts["hand"]) <= set(names)
    assert seen(begun, -1).facts == {"first": 0, "positions": (0, 1, 2)}
    assert placed.facts == {"seat": 0, "square": 0}


def test_every_card_is_somewhere():
    """FO4.2, FO5"""
    state = game(seats=5).new_state(b"all")
    place = state.position()
    found = Counter(place["draw_pile"]) + Counter(card for seat in place["seats"] for card in seat["hand"])

    assert found == Counter({name: card["copies"] for name, card in state.setup().json()["cards"].items()})


def test_only_place_is_said_in_the_placement():
    """FO6, FO11"""
    state = placing("", "")

    for text in ("pass", "end turn", "yield", "expand sea: A1", "choose first 0", "sail A1 A2", "exchange sea"):
        assert refusal(state, text) == "WRONG_PHASE"
    do(state, "place A2")
    assert seat_of(state, 0)["shields"] == ["A2"]
