"""E1, E2: what is in the box, and how a game begins."""

from collections import Counter

import pytest

from engine.ethnos.table import COLOURS, FIVE, KINGDOMS, SIX, TRIBES, asked, at, do, glory, markers, offered, seat_of
from rivalry_engine.ethnos import Ethnos

TABLE = {
    2: {"tribes": 5, "tokens": 2, "face_up": 4},
    3: {"tribes": 5, "tokens": 2, "face_up": 6},
    4: {"tribes": 6, "tokens": 3, "face_up": 8},
    5: {"tribes": 6, "tokens": 3, "face_up": 10},
    6: {"tribes": 6, "tokens": 3, "face_up": 12},
}
ALL_TOKENS = [0, 0, 2, 2, 2, 4, 4, 4, 4, 6, 6, 6, 6, 8, 8, 8, 10, 10]
TOKENS_WITHOUT_FOUR_PLUS = [0, 2, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10]


def all_cards(place: dict) -> list[str]:
    """Every card that a position shows, Dragons aside."""
    cards = [card for card in place["deck"] if card != "dragon"] + list(place["face_up"])
    for seat in place["seats"]:
        cards += seat["hand"]
        for band in seat["bands"]:
            cards += band["cards"]
    return cards


def test_two_to_six_players_and_no_other_number_play():
    """E1.1"""
    assert list(Ethnos.seat_counts) == [2, 3, 4, 5, 6]


@pytest.mark.parametrize(("kingdom", "colour"), list(KINGDOMS.items()))
def test_every_kingdom_has_its_colour(kingdom, colour):
    """E1.2"""
    state = at(players=[{"hand": [f"{colour} elf"]}])

    do(state, f"band {colour} elf")

    assert offered(state) == {f"mark {kingdom}", "mark none"}


@pytest.mark.parametrize("tribe", TRIBES)
def test_a_tribe_has_its_cards_in_their_colours(tribe):
    """E1.3"""
    five = [tribe, *[other for other in TRIBES if other != tribe]][:5]
    place = Ethnos({"seats": 3, "tribes": five}).new_state(b"cards").position()

    dealt = Counter(card for card in all_cards(place) if card.split()[-1] == TRIBES[tribe])

    if tribe == "skeletons":
        assert dealt == {"skeleton": 12}
    else:
        copies = 4 if tribe == "halflings" else 2
        assert dealt == {f"{colour} {TRIBES[tribe]}": copies for colour in COLOURS}


@pytest.mark.parametrize("seats", TABLE)
def test_three_dragons_lie_in_the_deck_and_none_has_come(seats):
    """E1.4"""
    place = Ethnos({"seats": seats}).new_state(b"dragons").position()

    assert place["deck"].count("dragon") == 3
    assert place["dragons"] == 0


@pytest.mark.parametrize("seats", TABLE)
def test_the_glory_tokens_are_dealt_to_the_kingdoms_in_ascending_order(seats):
    """E1.5, E2.1: with 2 and 3 players the six tokens marked 4+ are out."""
    deals = set()
    for number in range(20):
        tokens = Ethnos({"seats": seats}).new_state(f"tokens {number}".encode()).position()["glory_tokens"]
        deals.add(str(tokens))
        assert list(tokens) == list(KINGDOMS)
        assert all(len(row) == TABLE[seats]["tokens"] and row == sorted(row) for row in tokens.values())
        expected = TOKENS_WITHOUT_FOUR_PLUS if seats < 4 else ALL_TOKENS
        assert sorted(value for row in tokens.values() for value in row) == expected

    assert len(deals) == 20


@pytest.mark.parametrize(("tribes", "usable"), [(FIVE, 25), (("merfolk", "orcs", "trolls", "elves", "giants"), 24)])
def test_a_player_places_25_markers_or_24_with_merfolk(tribes, usable):
    """E1.6: with the last marker placed the supply is empty and no marker is asked for."""
    full = {"Rhea": usable - 2, "Ithys": 1}
    state = at(tribes=tribes, players=[{"hand": ["blue elf", "green elf"], "markers": full}])

    do(state, "band blue elf", "mark Straton")

    assert markers(state) == {**full, "Straton": 1}
    last = at(tribes=tribes, players=[{"hand": ["green elf"], "markers": {**full, "Straton": 1}}])
    assert asked(do(last, "band green elf")) == ("turn", 1)
    assert markers(last) == {**full, "Straton": 1}


def test_troll_tokens_are_worth_one_to_six():
    """E1.7"""
    cards = ["red troll", "red elf", "red orc", "red troll", "red elf", "red orc", "skeleton"]
    state = at(players=[{"hand": cards}])

    do(state, "band red troll: red elf, red elf, red orc, red orc, red troll, skeleton", "mark none")

    assert offered(state) == {f"token {value}" for value in range(1, 7)} | {"token none"}


def test_an_orc_board_has_a_space_of_every_colour():
    """E1.7"""
    for colour in COLOURS:
        state = at(players=[{"hand": [f"{colour} orc"], "orc_board": [other for other in COLOURS if other != colour]}])

        do(state, f"band {colour} orc", "mark none", "horde")

        assert sorted(seat_of(state, 0)["orc_board"]) == sorted(COLOURS)


def test_glory_has_no_cap():
    """E1.8"""
    state = at(players=[{"hand": ["red giant"], "glory": 1_000_000}])

    do(state, "band red giant", "mark none")

    assert glory(state) == [1_000_002, 0, 0]


def test_equal_cards_make_one_action():
    """E1.9"""
    state = at(players=[{"hand": ["red elf", "red elf"]}], face_up=["blue orc", "blue orc", "red orc"])
    (seat,) = state.movers()

    texts = [state.game.text(action) for action in state.legal_actions(seat)]

    assert sorted(texts) == ["band red elf", "band red elf: red elf", "draw", "take blue orc", "take red orc"]


@pytest.mark.parametrize("seats", TABLE)
def test_a_game_begins_as_the_table_says(seats):
    """E2, E3.1: a card each, twice as many face up as there are players, nothing on the boards."""
    place = Ethnos({"seats": seats}).new_state(b"setup").position()

    assert len(place["options"]["tribes"]) == TABLE[seats]["tribes"]
    assert len(place["face_up"]) == TABLE[seats]["face_up"]
    assert place["age"] == 1
    assert [len(seat["hand"]) for seat in place["seats"]] == [1] * seats
    for seat in place["seats"]:
        assert (seat["glory"], seat["bands"], set(seat["markers"].values())) == (0, [], {0})


@pytest.mark.parametrize("seats", TABLE)
def test_chance_draws_the_tribes(seats):
    """E2.2: every Tribe comes, and about equally often."""
    drawn = Counter()
    for number in range(240):
        tribes = Ethnos({"seats": seats}).new_state(f"draw {number}".encode()).position()["options"]["tribes"]
        assert len(set(tribes)) == TABLE[seats]["tribes"]
        drawn.update(tribes)

    mean = 240 * TABLE[seats]["tribes"] / 12
    assert set(drawn) == set(TRIBES)
    assert all(mean * 0.65 < count < mean * 1.35 for count in drawn.values())


def test_the_option_names_the_tribes():
    """E2.2"""
    place = Ethnos({"seats": 4, "tribes": list(SIX)}).new_state(b"named").position()

    assert sorted(place["options"]["tribes"]) == sorted(SIX)
    assert {card.split()[-1] for card in all_cards(place)} == {TRIBES[tribe] for tribe in SIX}


def test_pieces_of_a_tribe_that_is_not_in_play_are_not_there():
    """E2.3"""
    without = at(tribes=("elves", "dwarves", "halflings", "minotaurs", "wingfolk"))
    seat = seat_of(without, 0)

    assert seat.get("orc_board", []) == []
    assert seat.get("troll_tokens", []) == []
    assert seat.get("merfolk", 0) == 0
    assert seat.get("giant_token", False) is False
