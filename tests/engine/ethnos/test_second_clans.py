"""The clans of the second edition (N3)."""

import pytest

from engine.ethnos.table import (
    CLANS,
    asked,
    do,
    face_up,
    glory,
    hand,
    markers,
    numbered,
    offered,
    refusal,
    seat_of,
    second,
)
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC

REST = ("owl", "red panda", "tiger", "deer", "raven")
OTHERS = ("rabbit", "bear", "raccoon", "fox", "dog")


def test_no_ability_is_a_question_whether():
    """N3.0: the turn goes on at once where the first edition asks."""
    koi = second(players=[{"hand": ["red koi"]}])
    assert asked(do(koi, "band red koi", "mark none")) == ("turn", 1)
    assert seat_of(koi, 0)["merfolk"] == 1

    monkey = second(players=[{"hand": ["red monkey"]}])
    assert asked(do(monkey, "band red monkey", "mark none")) == ("turn", 1)
    assert seat_of(monkey, 0)["orc_board"] == ["red"]

    raven = second(clans=REST, players=[{"hand": ["red raven", "blue owl"]}], face_up=[])
    assert asked(do(raven, "band red raven", "mark none")) == ("turn", 1)
    assert (len(hand(raven)), face_up(raven)) == (1, ["blue owl"])


def test_what_is_still_asked_can_be_declined():
    """N3.0: a region or none, a further party or stop, and what a Red Panda keeps."""
    state = second(clans=REST, players=[{"hand": ["red owl", "blue red panda", "green raven"]}])
    do(state, "band red owl", "mark red")
    assert offered(state) >= {"stop", "band blue red panda"}
    do(state, "band blue red panda")
    assert offered(state) == {"mark blue", "mark none"}
    do(state, "mark none")

    assert offered(state) == {"keep none", "keep green raven"}


def test_an_owl_needs_its_marker():
    """N3.1, N3.13"""
    state = second(clans=REST, players=[{"hand": ["red owl", "blue red panda"]}])
    assert asked(do(state.clone(), "band red owl", "mark none")) == ("turn", 1)
    assert asked(do(state, "band red owl", "mark red")) == ("further", 0)

    dogs = ("owl", "red panda", "tiger", "deer", "dog")
    only = second(clans=dogs, players=[{"hand": ["red owl", "dog"]}])
    assert offered(do(only, "band red owl", "mark red")) == {"stop"}


def test_a_red_panda_without_a_card_left_is_not_asked():
    """N3.13"""
    state = second(clans=REST, players=[{"hand": ["blue red panda", "blue tiger"]}])

    assert asked(do(state, "band blue red panda: blue tiger", "mark none")) == ("turn", 1)


def test_a_tiger_counts_one_more_and_a_deer_places_anywhere():
    """N3.1"""
    tiger = second(clans=REST, players=[{"hand": ["red tiger"], "markers": {"red": 1}}])
    assert offered(do(tiger, "band red tiger")) == {"mark red", "mark none"}

    deer = second(clans=REST, players=[{"hand": ["red deer"], "markers": {"red": 1}}])
    assert offered(do(deer, "band red deer")) == {
        "mark blue",
        "mark green",
        "mark yellow",
        "mark black",
        "mark white",
        "mark none",
    }


def test_dogs_are_wild_and_lead_nothing():
    """N3.1, N2.1"""
    state = second(clans=OTHERS, players=[{"hand": ["red fox", "dog"]}])

    assert refusal(state, "band dog") == "leader"
    assert refusal(state, "band red fox: dog") == ""


def test_the_third_dragon_cuts_a_ravens_draw_short():
    """N3.12: the cards drawn are lost, the party stays and scores."""
    hand_of_three = ["red raven", "red owl", "red deer"]
    state = second(
        clans=REST, players=[{"hand": hand_of_three}], dragons=2, deck=["blue owl", "dragon"], age=2, face_up=[]
    )

    do(state, "band red raven: red owl, red deer", "mark none")

    assert not state.movers()
    assert glory(state) == [3, 0, 0]


def test_bears_pay_four_at_once_and_the_holder_at_the_end_of_the_age():
    """N3.3, N3.14, N4.4, worked example 1"""
    players = [{"hand": ["red bear", "red bear"]}, {"hand": ["blue bear", "blue bear"]}]
    players += [{"hand": ["green bear", "green bear", "white bear"]}]
    state = second(players=players, dragons=2, deck=["dragon"], face_up=[])

    do(state, "band red bear: red bear", "mark none")
    assert (glory(state), seat_of(state, 0)["giant_token"]) == ([4, 0, 0], True)
    do(state, "band blue bear: blue bear", "mark none")
    assert (glory(state), seat_of(state, 0)["giant_token"]) == ([4, 0, 0], True)
    do(state, "band green bear: green bear, white bear", "mark none")
    assert (glory(state), seat_of(state, 2)["giant_token"]) == ([4, 0, 4], True)

    do(state, "draw")
    assert glory(state) == [4 + 1, 1, 4 + 4 + 3]


@pytest.mark.parametrize(("seats", "age", "paid"), [(2, 1, 4), (3, 2, 6), (4, 1, 4), (4, 2, 6), (6, 3, 8)])
def test_the_bear_token_pays_by_the_age_alone(seats, age, paid):
    """N3.3: the same with 2 or 3 players."""
    state = second(seats, age=age, players=[{"giant_token": True}], dragons=2, deck=["dragon"], face_up=[])

    assert glory(do(state, "draw"))[0] == paid


def test_bears_of_equal_size_pay_their_holder_nothing():
    """N3.14"""
    players = [{"hand": ["red bear"], "bands": [{"leader": "blue bear"}], "giant_token": True}]
    state = second(players=players)

    assert glory(do(state, "band red bear", "mark none")) == [0, 0, 0]


def test_a_raccoon_puts_the_lowest_coin_on_the_region_of_its_colour():
    """N3.4: wherever the marker went, and without one."""
    state = second(players=[{"hand": ["red raccoon", "red koi"]}, {"hand": ["blue raccoon"]}], coins={"red": [1]})
    assert state.position()["coins_left"] == 13

    do(state, "band red raccoon: red koi", "mark none")
    assert state.position()["coins"]["red"] == [1, 1]
    assert state.position()["coins_left"] == 12
    do(state, "band blue raccoon", "mark blue")

    assert state.position()["coins"]["blue"] == [1]
    board = state.observe(PUBLIC).json()["board"]
    assert board["coins"]["red"] == [1, 1]
    assert board["coins_in_supply"] == [1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3]


def test_the_fourteen_coins_come_lowest_first_and_then_no_more():
    """N3.4, N3.11"""
    state = second(clans=OTHERS, age=1)
    placed = []
    for left in range(14, -1, -1):
        place = {**state.position(), "coins": {}, "coins_left": left, "movers": [0], "pending": None}
        place["seats"] = [{**seat, "hand": [], "bands": []} for seat in place["seats"]]
        place["seats"][0]["hand"] = ["red raccoon"]
        del place["deck"]
        place["face_up"] = []
        again = state.game.state_at(place)
        do(again, "band red raccoon", "mark none")
        placed += again.position()["coins"]["red"]
        assert asked(again) == ("turn", 1)

    assert placed == [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3]


@pytest.mark.parametrize(
    ("seats", "start", "steps", "space", "free"),
    [(4, 6, 6, 12, 2), (3, 3, 6, 9, 2), (4, 0, 3, 3, 1), (4, 10, 6, 12, 1), (2, 3, 1, 4, 1), (3, 9, 6, 12, 0)],
)
def test_koi_advance_and_give_a_marker_for_each_symbol(seats, start, steps, space, free):
    """N3.5, N3.9, worked examples 3, 7"""
    cards = ["red koi", "red koi", "blue koi", "blue koi", "green koi", "green koi"][:steps]
    state = second(seats, players=[{"hand": cards, "merfolk": start}])
    rest = ", ".join(cards[1:])

    do(state, "band red koi" + (f": {rest}" if rest else ""), "mark none")

    assert seat_of(state, 0)["merfolk"] == space
    for _ in range(free):
        assert asked(state) == ("bonus", 0)
        assert len(offered(state)) == 7
        do(state, "mark white")
    assert asked(state) == ("turn", 1)
    assert markers(state) == ({"white": free} if free else {})


def test_koi_on_twelve_do_nothing():
    """N3.9, worked example 7"""
    state = second(4, players=[{"hand": ["red koi"], "merfolk": 12}])
    state.log = []

    assert asked(do(state, "band red koi", "mark none")) == ("turn", 1)
    assert "advanced" not in [event.kind for event in state.log]


def test_koi_markers_last_while_the_supply_does():
    """N3.9: with one marker left, of two symbols one is asked for."""
    players = [{"hand": ["red koi"] * 2 + ["blue koi"] * 2 + ["green koi"] * 2, "merfolk": 6, "markers": {"white": 23}}]
    state = second(4, players=players)
    do(state, "band red koi: red koi, blue koi, blue koi, green koi, green koi", "mark none", "mark black")

    assert asked(state) == ("turn", 1)


def test_a_monkey_without_space_or_supply_does_nothing():
    """N3.11"""
    taken = second(players=[{"hand": ["red monkey"], "orc_board": ["red"]}])
    assert asked(do(taken, "band red monkey", "mark none")) == ("turn", 1)
    assert seat_of(taken, 0)["orc_board"] == ["red"]

    empty = second(players=[{"hand": ["red monkey"], "markers": {"white": 24}}])
    assert asked(do(empty, "band red monkey")) == ("turn", 1)
    assert seat_of(empty, 0)["orc_board"] == []


def test_of_several_fox_tokens_one_is_chosen_and_none_is_not():
    """N3.0, N3.7"""
    state = second(players=[{"hand": ["red fox", "red koi", "red bear"]}, {"troll_tokens": [2]}])
    do(state, "band red fox: red koi, red bear", "mark none")

    assert numbered(state) == ["token 3", "token 1"]
    assert refusal(state, "token none") == "no_choice"
    assert refusal(state, "token 2") == "no_token"
    assert seat_of(do(state, "token 1"), 0)["troll_tokens"] == [1]


def test_one_fox_token_alone_is_taken_without_a_question():
    """N3.0"""
    state = second(players=[{"hand": ["red fox", "red koi"]}, {"troll_tokens": [2]}])

    assert asked(do(state, "band red fox: red koi", "mark none")) == ("turn", 1)
    assert seat_of(state, 0)["troll_tokens"] == [1]


def test_no_fox_token_that_fits_is_no_question():
    """N3.11"""
    state = second(players=[{"hand": ["red fox"]}, {"troll_tokens": [1]}])

    assert asked(do(state, "band red fox", "mark none")) == ("turn", 1)
    assert seat_of(state, 0)["troll_tokens"] == []


def test_ten_dogs_are_a_forced_pass():
    """N3.8"""
    state = second(4, CLANS, players=[{"hand": ["dog"] * 10}])

    assert offered(state) == {"pass"}
    assert seat_of(do(state, "pass"), 0)["known"] == ["dog"] * 10


def test_events_are_told_in_the_words_of_the_edition():
    """N1"""
    state = second(4, players=[{"hand": ["red bear", "dog"]}, {"hand": ["blue raccoon"]}, {"hand": ["green monkey"]}])
    state.log = []
    do(state, "band red bear: dog", "mark red", "band blue raccoon", "mark none", "band green monkey", "mark none")

    words = [state.game.event_text(seen(event, PUBLIC)) for event in state.log]
    assert words == [
        "seat 0 plays a party under red bear: red bear, dog",
        "seat 0 places a marker in red",
        "seat 0 takes the Bear token with a party of 2 and gains 4 prestige",
        "seat 1 plays a party under blue raccoon: blue raccoon",
        "seat 1 places no marker",
        "seat 1 puts a coin of 1 on blue",
        "seat 2 plays a party under green monkey: green monkey",
        "seat 2 places no marker",
        "seat 2 marks green on its settlement board",
    ]
    assert "horde" not in state.game.echoes
