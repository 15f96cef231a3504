"""E6: the Tribes that bear on where markers go: Halflings, Merfolk, Minotaurs, Orcs, Wingfolk."""

import pytest

from engine.ethnos.table import (
    COLOURS,
    KINGDOMS,
    asked,
    at,
    do,
    face_up,
    glory,
    hand,
    markers,
    numbered,
    offered,
    seat_of,
)

HALFLINGS = ("halflings", "elves", "orcs", "skeletons", "trolls")
MERFOLK = ("merfolk", "elves", "orcs", "skeletons", "trolls")
MINOTAURS = ("minotaurs", "elves", "orcs", "skeletons", "trolls")
WINGFOLK = ("wingfolk", "elves", "orcs", "skeletons", "trolls")


def test_a_halfling_led_band_places_no_marker():
    """E6.5, E5.9"""
    state = at(tribes=HALFLINGS, players=[{"hand": ["red halfling", "red halfling", "red elf", "blue orc"]}])

    do(state, "band red halfling: red halfling, red elf")

    assert asked(state) == ("turn", 1)
    assert markers(state) == {}
    assert face_up(state).count("blue orc") >= 1
    assert len(seat_of(state, 0)["bands"]) == 1


def test_halflings_under_another_leader_are_ordinary_cards():
    """E6.5"""
    state = at(tribes=HALFLINGS, players=[{"hand": ["red halfling", "red elf"], "markers": {"Rhea": 1}}])

    do(state, "band red elf: red halfling")

    assert offered(state) == {"mark Rhea", "mark none"}


@pytest.mark.parametrize(
    ("size", "own", "fits"), [(1, 1, True), (1, 2, False), (2, 2, True), (2, 3, False), (3, 3, True), (1, 0, True)]
)
def test_a_minotaur_led_band_counts_one_more_for_its_marker(size, own, fits):
    """E6.7, worked example 1"""
    cards = ["red minotaur", *["skeleton"] * (size - 1)]
    state = at(tribes=MINOTAURS, players=[{"hand": cards, "markers": {"Rhea": own}}])

    do(state, "band red minotaur" + (": " if size > 1 else "") + ", ".join(cards[1:]))

    assert asked(state) == (("marker", 0) if fits else ("turn", 1))


@pytest.mark.parametrize(("size", "fits"), [(2, False), (3, True)])
def test_a_minotaur_led_band_counts_one_more_with_two_players(size, fits):
    """E6.21: two own markers and one of the other."""
    cards = ["red minotaur", *["skeleton"] * (size - 1)]
    players = [{"hand": cards, "markers": {"Rhea": 2}}, {"markers": {"Rhea": 1}}]
    state = at(2, MINOTAURS, players=players)

    do(state, "band red minotaur: " + ", ".join(cards[1:]))

    assert asked(state) == (("marker", 0) if fits else ("turn", 1))


def test_minotaurs_under_another_leader_add_nothing():
    """E6.7"""
    state = at(tribes=MINOTAURS, players=[{"hand": ["red minotaur", "red elf"], "markers": {"Rhea": 2}}])

    assert asked(do(state, "band red elf: red minotaur")) == ("turn", 1)


def test_a_wingfolk_marker_may_go_wherever_the_size_passes():
    """E6.11, E6.20"""
    own = {"Ithys": 0, "Althea": 1, "Pelagon": 2, "Straton": 3, "Rhea": 1}
    state = at(
        tribes=WINGFOLK, players=[{"hand": ["red wingfolk", "skeleton"], "markers": own}, {"markers": {"Duris": 9}}]
    )

    do(state, "band red wingfolk: skeleton")

    assert offered(state) == {"mark Ithys", "mark Althea", "mark Duris", "mark Rhea", "mark none"}
    do(state, "mark Duris")
    assert markers(state) == {"Althea": 1, "Pelagon": 2, "Straton": 3, "Rhea": 1, "Duris": 1}
    assert asked(state) == ("turn", 1)


def test_a_wingfolk_marker_is_tested_against_both_players():
    """E6.11, E5.4"""
    players = [{"hand": ["red wingfolk", "skeleton"], "markers": {"Ithys": 1}}, {"markers": {"Ithys": 1, "Duris": 1}}]
    state = at(2, WINGFOLK, players=players)

    do(state, "band red wingfolk: skeleton")

    assert offered(state) == {f"mark {name}" for name in KINGDOMS if name != "Ithys"} | {"mark none"}


def test_wingfolk_that_fit_nowhere_are_not_asked():
    """E6.20"""
    state = at(tribes=WINGFOLK, players=[{"hand": ["red wingfolk"], "markers": dict.fromkeys(KINGDOMS, 1)}])

    assert asked(do(state, "band red wingfolk")) == ("turn", 1)


def test_only_wingfolk_leaders_fly():
    """E6.11"""
    state = at(tribes=WINGFOLK, players=[{"hand": ["red wingfolk", "red elf"]}])

    assert offered(do(state, "band red elf: red wingfolk")) == {"mark Rhea", "mark none"}


@pytest.mark.parametrize("colour", COLOURS)
def test_an_orc_marker_goes_to_the_leaders_colour(colour):
    """E6.8"""
    state = at(players=[{"hand": [f"{colour} orc", "skeleton"]}])

    do(state, f"band {colour} orc: skeleton", "mark none")
    assert offered(state) == {"horde", "no horde"}
    do(state, "horde")

    assert seat_of(state, 0)["orc_board"] == [colour]
    assert markers(state) == {}
    assert asked(state) == ("turn", 1)


def test_an_orc_marker_may_be_declined():
    """E6.8, E5.6"""
    state = do(at(players=[{"hand": ["red orc"]}]), "band red orc", "mark Rhea", "no horde")

    assert seat_of(state, 0)["orc_board"] == []
    assert markers(state) == {"Rhea": 1}


def test_an_orc_marker_needs_no_kingdom_marker_and_no_size():
    """E6.8, E5.6: a Band of one where nine own markers stand."""
    state = at(players=[{"hand": ["red orc"], "markers": {"Rhea": 9}}])

    do(state, "band red orc", "horde")

    assert seat_of(state, 0)["orc_board"] == ["red"]


def test_a_taken_space_asks_nothing():
    """E6.18"""
    state = at(players=[{"hand": ["red orc"], "orc_board": ["red"]}])

    do(state, "band red orc", "mark Rhea")

    assert asked(state) == ("turn", 1)
    assert seat_of(state, 0)["orc_board"] == ["red"]


def test_the_last_marker_goes_to_the_kingdom_or_to_the_orc_board():
    """E6.18, E5.10"""
    full = {"Ithys": 20, "Althea": 4}
    placed = do(at(players=[{"hand": ["red orc"], "markers": full}]), "band red orc", "mark Rhea")
    assert asked(placed) == ("turn", 1)

    kept = do(at(players=[{"hand": ["red orc"], "markers": full}]), "band red orc", "mark none", "horde")
    assert seat_of(kept, 0)["orc_board"] == ["red"]


def merfolk(start: int, size: int, **seat):
    cards = ["red merfolk", *["skeleton"] * (size - 1)]
    state = at(tribes=MERFOLK, players=[{"hand": cards, "merfolk": start, **seat}])
    return do(state, "band red merfolk" + (": " if size > 1 else "") + ", ".join(cards[1:]))


SYMBOLS = (3, 7, 12, 18)


@pytest.mark.parametrize("start", range(18))
@pytest.mark.parametrize("size", [1, 2, 4, 5, 10])
def test_merfolk_advance_and_each_symbol_brings_a_marker(start, size):
    """E6.6, E6.14, E6.15, E1.7"""
    state = do(merfolk(start, size), "mark none")
    assert offered(state) == {"advance", "stay"}

    do(state, "advance")

    reached = min(start + size, 18)
    assert seat_of(state, 0)["merfolk"] == reached
    passed = [symbol for symbol in SYMBOLS if start < symbol <= reached]
    for _ in passed:
        assert asked(state) == ("bonus", 0)
        assert offered(state) == {f"mark {name}" for name in KINGDOMS} | {"mark none"}
        do(state, "mark Ithys")
    assert asked(state) == ("turn", 1)
    assert markers(state) == ({"Ithys": len(passed)} if passed else {})


def test_merfolk_may_stay():
    """E6.6, E5.6"""
    state = do(merfolk(2, 4), "mark Rhea", "stay")

    assert seat_of(state, 0)["merfolk"] == 2
    assert asked(state) == ("turn", 1)
    assert markers(state) == {"Rhea": 1}


def test_a_bonus_marker_goes_anywhere_without_regard_to_size():
    """E6.6"""
    state = do(merfolk(2, 1, markers={"Rhea": 9}), "advance")

    do(state, "mark Rhea")

    assert markers(state) == {"Rhea": 10}


def test_a_bonus_marker_may_be_declined_and_the_next_symbol_asks_again():
    """E6.15"""
    state = do(merfolk(2, 5), "mark none", "advance", "mark none")

    assert asked(state) == ("bonus", 0)
    do(state, "mark Duris")

    assert markers(state) == {"Duris": 1}
    assert asked(state) == ("turn", 1)


@pytest.mark.parametrize(("supply", "questions"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_symbols_beyond_the_supply_lapse(supply, questions):
    """E6.13: the advance is whole; of 24 markers 24 - supply stand already, too many in Rhea to place one there."""
    state = merfolk(2, 5, markers={"Rhea": 24 - supply})

    do(state, "advance")

    assert seat_of(state, 0)["merfolk"] == 7
    for _ in range(questions):
        assert asked(state) == ("bonus", 0)
        do(state, "mark Ithys")
    assert asked(state) == ("turn", 1)


def test_the_bands_own_marker_uses_the_supply_first():
    """E6.13, E6.6"""
    state = do(merfolk(2, 5, markers={"Ithys": 22}), "mark Rhea", "advance", "mark Duris")

    assert asked(state) == ("turn", 1)
    assert markers(state) == {"Ithys": 22, "Rhea": 1, "Duris": 1}


def test_on_eighteen_nothing_is_asked():
    """E6.14"""
    state = do(merfolk(18, 3), "mark none")

    assert asked(state) == ("turn", 1)
    assert seat_of(state, 0)["merfolk"] == 18


def test_overshoot_is_lost_and_the_last_symbol_pays():
    """E6.14"""
    state = do(merfolk(17, 10), "mark none", "advance")

    assert seat_of(state, 0)["merfolk"] == 18
    assert asked(do(state, "mark none")) == ("turn", 1)


def test_the_cards_left_over_are_discarded_after_the_last_bonus():
    """E5.3, E6.6"""
    cards = ["red merfolk", "skeleton", "skeleton", "blue elf"]
    state = at(tribes=MERFOLK, players=[{"hand": cards}], face_up=[])

    do(state, "band red merfolk: skeleton, skeleton", "mark none", "advance")
    assert hand(state) == ["blue elf"]
    do(state, "mark none")

    assert face_up(state) == ["blue elf"]
    assert glory(state) == [0, 0, 0]
    assert numbered(state)[0] in ("draw", "take blue elf")
