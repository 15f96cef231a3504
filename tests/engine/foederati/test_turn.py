"""A turn: expanding, moving, exchanging, ending, passing; hands and piles (FO6)."""

import pytest

from engine.foederati.table import (
    GRID,
    SQUARES,
    asked,
    at,
    country,
    do,
    hand,
    near,
    numbered,
    offered,
    refusal,
    region,
    seat_of,
    shields,
    supply,
    told,
)
from rivalry_engine.error import IllegalActionError
from rivalry_engine.event import seen

SEA = {square for square in SQUARES if region(square) in "wnbm"}


def fits(card, **keys):
    """The squares to which a card can expand on a board with E4 of seat 0 and J10 of seat 1."""
    state = at("E4", "J10", seats={0: {"hand": [card]}}, **keys)
    return {text.rpartition(" ")[2] for text in offered(state, "expand")}


@pytest.mark.parametrize(
    ("card", "squares"),
    [
        ("row A", {f"A{column}" for column in range(1, 11)}),
        ("row E/F", {f"{row}{column}" for row in "EF" for column in range(1, 11)} - {"E4"}),
        ("row B/F/J", {f"{row}{column}" for row in "BFJ" for column in range(1, 11)} - {"J10"}),
        ("column 1", {f"{row}1" for row in "ABCDEFGHIJ"}),
        ("column 4/7", {f"{row}{column}" for row in "ABCDEFGHIJ" for column in (4, 7)} - {"E4"}),
        ("country Frisia", {"D5", "D6", "E5"}),
        ("sea", SEA - {"J10"}),
        ("neighbour", {"D4", "F4", "E3", "E5"}),
    ],
)
def test_a_card_fits_its_free_squares(card, squares):
    """FO4.2, FO6, FO10.9, FO10.10: lines name sea squares too, a neighbour may be at sea"""
    assert fits(card) == squares


def test_neighbours_are_those_of_own_shields_also_from_the_sea():
    """FO10.10"""
    state = at("C4", "E4", seats={0: {"hand": ["neighbour"]}})

    assert offered(state, "expand") == {f"expand neighbour: {square}" for square in near("C4")}
    assert refusal(state, "expand neighbour: E5") == "CARD_DOES_NOT_FIT"


def test_expanding_costs_a_card_and_a_shield():
    """FO6"""
    state = at("A2", "J1", seats={0: {"hand": ["row C", "row C", "sea"]}}, discard=["sea"])

    do(state, "expand row C: C3")

    assert hand(state) == ["row C", "sea"]
    assert shields(state) == ["A2", "C3"]
    assert supply(state) == [42, 43]
    assert sorted(state.position()["discard"]) == ["row C", "sea"]


def test_a_turn_expands_and_attacks_twice_at_most():
    """FO6, FO10.12: any mix"""
    hands = {0: {"hand": ["row C", "row C", "sea", "neighbour"]}}
    state = at("A2 H4", "J1 H5", founded="U", seats=hands)

    do(state, "expand row C: C3", "expand sea: A1")
    assert refusal(state, "expand neighbour: A3") == "NO_ACTIONS_LEFT"
    assert refusal(state, "attack H5") == "NO_ACTIONS_LEFT"
    assert not offered(state, "expand") | offered(state, "attack")

    mixed = at("A2 H4", "J1 H5", founded="U", seats=hands)
    do(mixed, "attack H5", "yield", "expand row C: C3")
    assert refusal(mixed, "expand sea: A1") == "NO_ACTIONS_LEFT"


def test_equal_cards_are_one_card_to_an_action():
    """FO10.71"""
    state = at("A2", "J1", seats={0: {"hand": ["row C", "row C", "row C/D"]}})
    (seat,) = state.movers()
    texts = [state.game.text(choice.action) for choice in state.choices(seat)]

    assert [text for text in texts if text.startswith("expand")] == ["expand row C: C1", "expand row C/D: C1"]
    actions = list(state.legal_actions(seat))
    assert len(actions) == len(set(actions))
    assert offered(state, "exchange") == {
        "exchange row C", "exchange row C/D", "exchange row C, row C", "exchange row C, row C/D",
    }  # fmt: skip


MOVES = {
    "alone": ("E5", "A1", "E5", near("E5")),
    "a chain with bends": ("E5 E6 F6 G6", "A1", "E5", {"D5", "D6", "E4", "E7", "F5", "F7", "G5", "G7", "H6"}),
    "over coast and sea": ("C4 C5 D4", "A1", "C5", {"B4", "B5", "C3", "C6", "D3", "D5", "E4"}),
    "others do not carry": ("E5", "E6 E7", "E5", {"D5", "E4", "F5"}),
    "a gap does not carry": ("E5 E7", "A1", "E5", near("E5")),
    "diagonals do not carry": ("E5 F6", "A1", "E5", near("E5")),
}


@pytest.mark.parametrize("name", MOVES)
def test_a_shield_goes_to_a_free_square_next_to_its_group(name):
    """FO6.1, FO10.11, FO10.15"""
    own, theirs, origin, squares = MOVES[name]
    state = at(own, theirs)
    verb = "sail" if region(origin) in "wnbm" else "migrate"

    found = {text.split()[2] for text in offered(state, f"{verb} {origin} ")}

    assert found == squares


def test_migrations_start_on_land_and_sailings_at_sea():
    """FO6.1, FO10.16, FO10.17: a ship is any shield at sea, from the start, and may go ashore"""
    state = at("C4 E5", "A1")

    assert refusal(state, "migrate C4 C3") == "NOT_ON_LAND"
    assert refusal(state, "sail E5 E6") == "NOT_A_SHIP"
    assert refusal(state, "sail C4 C3") == ""
    assert refusal(state, "sail C4 D4") == ""
    assert refusal(state, "migrate E5 E4") == ""
    assert refusal(state, "migrate A1 A2") == "NOT_YOUR_SHIELD"
    assert refusal(state, "sail A1 A2") == "NOT_YOUR_SHIELD"
    assert refusal(state, "migrate D1 D2") == "NOT_YOUR_SHIELD"
    assert refusal(state, "migrate E5 E5") == "SQUARE_OCCUPIED"
    assert refusal(state, "migrate E5 F6") == "UNREACHABLE"


def test_a_turn_migrates_or_exchanges_once():
    """FO6, FO10.13"""
    state = at("E5 E6", "A1", seats={0: {"hand": ["sea", "row A"]}})

    migrated = do(state.clone(), "migrate E5 E4")
    assert refusal(migrated, "migrate E6 D6") == "MOVE_ALREADY_USED"
    assert refusal(migrated, "exchange sea") == "MOVE_ALREADY_USED"

    exchanged = do(state.clone(), "exchange sea")
    assert refusal(exchanged, "migrate E5 E4") == "MOVE_ALREADY_USED"
    assert refusal(exchanged, "exchange row A") == "MOVE_ALREADY_USED"
    assert not offered(exchanged, "migrate") | offered(exchanged, "exchange")


def test_each_ship_sails_once_and_any_number_of_ships():
    """FO6, FO6.1"""
    state = at("J3 J7 H4", "A1")

    do(state, "sail J3 J4", "sail J7 J8", "sail H4 H3")

    assert refusal(state, "sail J4 J5") == "SHIP_ALREADY_MOVED"
    assert offered(state, "sail") == set()
    assert offered(state) >= {"end turn"}


def test_a_shield_moves_once_a_turn_whatever_it_becomes():
    """FO6.1, FO10.18, FO10.66"""
    into_the_sea = do(at("C6", "A1"), "migrate C6 C5")
    assert refusal(into_the_sea, "sail C5 B5") == "SHIP_ALREADY_MOVED"

    ashore = do(at("C5", "A1"), "sail C5 C6")
    assert refusal(ashore, "migrate C6 C7") == "SHIP_ALREADY_MOVED"


def test_another_shield_on_the_square_that_one_left_may_move():
    """FO10.66: the ship from J4 is gone; the one that comes to J4 with a card may sail"""
    state = at("J4", "A1", seats={0: {"hand": ["row J"]}})

    do(state, "sail J4 J5", "expand row J: J4")

    assert refusal(state, "sail J5 J6") == "SHIP_ALREADY_MOVED"
    assert refusal(state, "sail J4 J3") == ""


def test_a_shield_placed_in_the_turn_moves_in_it():
    """FO6"""
    state = at("A2", "J1", seats={0: {"hand": ["row E", "sea"]}})

    do(state, "expand row E: E5", "migrate E5 E6", "expand sea: J5", "sail J5 J6")

    assert shields(state) == ["A2", "E6", "J6"]


def test_leaving_a_founded_country_leaves_it_founded():
    """FO6.1, FO10.31, FO10.60"""
    state = at("E4 E5 D5 D6", "J1", founded="F", seats={0: {"hand": ["row F", "country Frisia"]}})
    before = state.scores()

    do(state, "migrate E4 E3", "expand country Frisia: E4")

    place = state.position()
    assert [each["country"] for each in place["founded"]] == ["Frisia"]
    assert state.scores() == before


def test_a_turn_ends_only_by_its_end():
    """FO6: nothing is left to do, and it is asked all the same"""
    state = at("A2", "J1", seats={0: {"hand": []}})

    do(state, "migrate A2 A3")

    assert asked(state) == ("turn", 0)
    assert offered(state) == {"end turn"}
    do(state, "end turn")
    assert asked(state) == ("turn", 1)


def test_end_turn_needs_a_deed_and_pass_needs_none():
    """FO6, FO10.14, FO10.63"""
    state = at("A2", "J1", seats={0: {"hand": ["sea", "row A"]}})
    assert refusal(state, "end turn") == "NOTHING_DONE"
    assert refusal(state, "pass") == ""

    do(state, "exchange sea")

    assert refusal(state, "pass") == "ALREADY_ACTED"
    assert refusal(state, "end turn") == ""
    do(state, "end turn")
    assert state.position()["passed"] == []


def test_the_hand_is_refilled_when_the_turn_ends_and_not_before():
    """FO6.2, FO10.59"""
    state = at("A2", "J1", seats={0: {"hand": ["row C", "row D"]}})

    do(state, "expand row C: C3", "expand row D: D5")
    assert hand(state) == []
    log = told(state, "end turn")

    assert len(hand(state)) == 10
    (drew,) = [event for event in log if event.kind == "drew"]
    assert drew.facts == {"seat": 0, "count": 10}
    assert len(seen(drew, 0).facts["cards"]) == 10
    assert "cards" not in seen(drew, 1).facts


def test_an_exchange_draws_at_once():
    """FO6.1"""
    pile = ["row I", "row H", "row G"]
    state = at("A2", "J1", seats={0: {"hand": ["sea", "row A"]}, 1: {"hand": []}}, draw_pile=pile)

    do(state, "exchange row A, sea")

    assert sorted(hand(state)) == ["row H", "row I"]
    assert state.position()["draw_pile"] == ["row G"]


def test_an_exchange_is_of_one_or_two_cards_that_are_in_hand():
    """FO6.1, FO10.77"""
    state = at("A2", "J1", seats={0: {"hand": ["sea", "row A", "row B"]}})
    assert refusal(state, "exchange row A, row B, sea") == "BAD_COUNT"
    assert refusal(state, "exchange none") == "BAD_COUNT"
    assert refusal(state, "exchange row C") == "NO_SUCH_CARD"
    assert refusal(state, "exchange sea, sea") == "NO_SUCH_CARD"

    one = at("A2", "J1", seats={0: {"hand": ["sea"]}})
    assert refusal(one, "exchange row A, sea") == "BAD_COUNT"
    none = at("A2", "J1", seats={0: {"hand": []}})
    assert refusal(none, "exchange sea") == "BAD_COUNT"
    assert not offered(none, "exchange")


def test_a_hand_emptied_by_battles_exchanges_nothing_and_is_full_when_the_turn_ends():
    """FO10.77"""
    state = at("H4", "H5", founded="U", seats={0: {"hand": ["row H"]}, 1: {"hand": []}})

    do(state, "attack H5: row H", "yield")

    assert hand(state) == []
    assert refusal(state, "exchange sea") == "BAD_COUNT"
    do(state, "end turn")
    assert len(hand(state, 0)) == 10
    assert len(hand(state, 1)) == 10


def test_two_cards_out_of_a_pile_of_one_shuffle_the_discards_in_between():
    """FO10.29, FO10.57, FO10.58, worked example 9"""
    names = [f"row {row}" for row in "ABCDEFGHI"] * 2 + [f"column {column}" for column in range(2, 8)] * 2
    own = ["sea"] * 5 + ["neighbour"] * 5
    state = at("A2", "J1", seats={0: {"hand": own}}, draw_pile=["row J"], discard=names[:30], reshuffles=0)
    assert len(state.position()["discard"]) == 30

    log = told(state, "exchange neighbour, sea")

    place = state.position()
    assert (len(place["draw_pile"]), place["discard"], place["reshuffles"]) == (31, [], 1)
    assert "row J" in hand(state)
    assert [event.kind for event in log] == ["exchanged", "drew", "reshuffled", "drew"]
    assert log[2].facts == {"number": 1, "count": 32}


def test_an_empty_pile_is_left_alone_until_a_card_is_drawn():
    """FO10.58"""
    names = [f"row {row}" for row in "ABCDEFGHI"] * 2
    state = at("A2", "J1", seats={0: {"hand": ["sea"] * 5}, 1: {"hand": ["neighbour"] * 10}},
               draw_pile=names[:2])  # fmt: skip

    do(state, "exchange sea, sea")

    assert state.position()["draw_pile"] == []
    assert state.position()["reshuffles"] == 0


def every_other(*used):
    """All cards but those."""
    from engine.foederati.test_map import cards

    left = cards()
    for names in used:
        for name in names:
            left[name] -= 1
    return [name for name, count in left.items() for _ in range(count)]


def test_a_reshuffle_follows_from_its_number_and_the_seed_alone():
    """FO5, FO10.29"""

    def drawn(discard):
        state = at("A2", "J1", seed="same", draw_pile=[], discard=discard,
                   seats={0: {"hand": ["sea"] * 5}, 1: {"hand": ["neighbour"] * 10}})  # fmt: skip
        do(state, "exchange sea")
        return state.position()["draw_pile"]

    discard = every_other(["sea"] * 5 + ["neighbour"] * 10)
    assert drawn(discard) == drawn(discard[::-1])


def test_a_player_without_supply_still_moves_exchanges_and_defends():
    """FO10.53"""
    state = at("H4 F5 J5", "H5 G4", founded="U",
               seats={0: {"hand": ["row A", "row H"], "supply": 0, "lost": 41}})  # fmt: skip

    assert refusal(state, "expand row A: A1") == "NO_SUPPLY"
    assert refusal(state, "attack H5") == "NO_SUPPLY"
    assert not offered(state, "expand") | offered(state, "attack")
    for text in ("migrate F5 F6", "sail J5 J6", "exchange row A", "pass"):
        assert refusal(state, text) == ""


def test_a_player_with_no_shield_on_the_board_expands_and_exchanges():
    """FO10.47, FO10.62"""
    state = at("", "H5", founded="U", seats={0: {"hand": ["row A", "neighbour"]}})

    verbs = {text.split()[0] for text in offered(state)}

    assert verbs == {"expand", "exchange", "pass"}
    assert refusal(state, "expand neighbour: A1") == "CARD_DOES_NOT_FIT"
    assert refusal(state, "expand row A: A1") == ""


def test_a_full_sea_takes_no_more_shields():
    """FO10.61"""
    state = at("A8 A9 B8", "C8", seats={0: {"hand": ["sea"]}})

    assert not offered(state, "expand") & {f"expand sea: {square}" for square in country("b")}
    assert len(offered(state, "expand")) == len(SEA) - 4


def test_the_choices_of_a_turn_come_in_their_order():
    """FO11"""
    state = at("C4 D5 E5 H4", "H5 J1", founded="U", seats={0: {"hand": ["sea", "row A", "neighbour"]}})

    assert numbered(state) == [
        "expand row A: A1", "expand neighbour: B4", "expand sea: A1", "attack H5", "migrate D5 C5",
        "migrate E5 C5", "sail C4 B4", "sail H4 G4", "exchange row A", "pass",
    ]  # fmt: skip


def test_a_card_that_is_not_in_hand_is_no_card():
    """FO11"""
    state = at("A2", "J1", seats={0: {"hand": ["row A"]}})

    assert refusal(state, "expand row B: B1") == "NO_SUCH_CARD"
    assert refusal(state, "expand row A: A2") == "SQUARE_OCCUPIED"
    assert refusal(state, "expand row A: B1") == "CARD_DOES_NOT_FIT"
    with pytest.raises(IllegalActionError, match="CARD_DOES_NOT_FIT"):
        do(state, "expand row A: B1")


def test_the_grid_of_these_tests_is_that_of_the_game():
    """FO4.1"""
    assert at("A2", "J1").setup().json()["map"]["grid"] == GRID
    assert seat_of(at("A2", "J1"), 0)["shields"] == ["A2"]
