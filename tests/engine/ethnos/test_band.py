"""E5: which cards are a Band, and what is asked when it is played."""

import pytest

from engine.ethnos.table import KINGDOMS, asked, at, do, face_up, hand, markers, numbered, offered, refusal, seat_of


def bands(state) -> set[str]:
    return {text for text in offered(state) if text.startswith("band")}


def test_a_band_shares_one_tribe_or_one_colour():
    """E5.1, worked example 2"""
    state = at(players=[{"hand": ["red elf", "blue elf", "red orc", "skeleton", "skeleton"]}])

    assert refusal(state, "band red elf: blue elf, red orc")
    assert refusal(state, "band red elf: red orc, skeleton") == ""
    assert refusal(state, "band red elf: blue elf, skeleton, skeleton") == ""
    assert refusal(state, "band blue elf: red orc")
    assert refusal(state, "band skeleton: skeleton") == "leader"
    assert refusal(state, "band skeleton: red elf") == "leader"


def test_every_band_of_a_hand_is_offered_once():
    """E5.1, E5.2, E1.9"""
    state = at(players=[{"hand": ["red elf", "blue elf", "red orc", "skeleton"]}])

    assert bands(state) == {
        "band red elf",
        "band red elf: skeleton",
        "band red elf: blue elf",
        "band red elf: blue elf, skeleton",
        "band red elf: red orc",
        "band red elf: red orc, skeleton",
        "band blue elf",
        "band blue elf: skeleton",
        "band blue elf: red elf",
        "band blue elf: red elf, skeleton",
        "band red orc",
        "band red orc: skeleton",
        "band red orc: red elf",
        "band red orc: red elf, skeleton",
    }


def test_cards_that_are_not_in_hand_make_no_band():
    """E5.1"""
    state = at(players=[{"hand": ["red elf", "red orc"]}])

    assert refusal(state, "band red elf: red elf")
    assert refusal(state, "band red troll")
    assert refusal(state, "band red elf: skeleton")


def test_a_band_has_up_to_ten_cards():
    """E5.1"""
    cards = [f"{colour} elf" for colour in KINGDOMS.values()] + ["skeleton"] * 4
    state = at(players=[{"hand": cards}])
    text = "band red elf: orange elf, green elf, grey elf, blue elf, purple elf, " + ", ".join(["skeleton"] * 4)

    do(state, text, "mark none")

    assert len(seat_of(state, 0)["bands"][0]["cards"]) == 10
    assert hand(state) == []


def test_skeletons_never_lead():
    """E5.2, E6.9"""
    state = at(players=[{"hand": ["red elf", "skeleton", "skeleton"]}])

    assert bands(state) == {"band red elf", "band red elf: skeleton", "band red elf: skeleton, skeleton"}


def test_the_leader_settles_colour_and_ability():
    """E5.2, E5.3: the same cards under two Leaders."""
    orc = do(at(players=[{"hand": ["red elf", "red orc", "blue elf"]}]), "band red orc: red elf", "mark Rhea")
    elf = do(at(players=[{"hand": ["red elf", "red orc", "blue elf"]}]), "band red elf: red orc", "mark Rhea")

    assert asked(orc) == ("horde", 0)
    assert asked(elf) == ("keep", 0)


def test_marker_then_ability_then_discard():
    """E5.3, E5.8: the hand is still there while the ability is asked for."""
    state = at(players=[{"hand": ["red orc", "red elf", "blue elf"]}], face_up=["green orc"])

    do(state, "band red orc: red elf")
    assert asked(state) == ("marker", 0)
    assert hand(state) == ["blue elf"]
    do(state, "mark Rhea")
    assert markers(state) == {"Rhea": 1}
    assert asked(state) == ("horde", 0)
    assert hand(state) == ["blue elf"]
    do(state, "horde")

    assert hand(state) == []
    assert face_up(state) == ["blue elf", "green orc"]
    assert asked(state) == ("turn", 1)


def test_the_band_lies_before_its_player():
    """E5.7"""
    state = at(players=[{"hand": ["red orc", "red elf", "skeleton"]}])

    do(state, "band red orc: red elf, skeleton", "mark none", "no horde")

    (band,) = seat_of(state, 0)["bands"]
    assert band["leader"] == "red orc"
    assert sorted(band["cards"]) == ["red elf", "red orc", "skeleton"]


@pytest.mark.parametrize("own", [0, 1, 2, 3, 9])
def test_the_size_must_exceed_the_own_markers(own):
    """E5.4, E5.9, worked example 1: what others have there plays no part with three players or more."""
    for size in (own, own + 1):
        if not 1 <= size <= 10:
            continue
        cards = ["red troll", *["skeleton"] * (size - 1)]
        players = [{"hand": cards, "markers": {"Rhea": own, "Ithys": 5}}, {"markers": {"Rhea": 9}}]
        state = at(players=players)

        do(state, "band red troll" + (": " if size > 1 else "") + ", ".join(cards[1:]))

        if size > own:
            assert offered(state) == {"mark Rhea", "mark none"}
            do(state, "mark Rhea")
            assert markers(state) == {"Rhea": own + 1, "Ithys": 5}
        else:
            assert asked(state) == ("token", 0)
            assert markers(state) == {"Rhea": own, "Ithys": 5}


@pytest.mark.parametrize(("size", "fits"), [(2, False), (3, False), (4, True), (5, True)])
def test_with_two_players_the_size_must_exceed_the_markers_of_both(size, fits):
    """E5.4, worked example 1: two own markers and one of the other."""
    cards = ["red elf", *["skeleton"] * (size - 1)]
    state = at(
        2, players=[{"hand": [*cards, "blue orc"], "markers": {"Rhea": 2}}, {"markers": {"Rhea": 1, "Ithys": 3}}]
    )

    do(state, "band red elf: " + ", ".join(cards[1:]))

    assert asked(state) == (("marker" if fits else "keep"), 0)


def test_the_marker_may_be_declined():
    """E5.4"""
    state = at(players=[{"hand": ["red elf"]}])

    do(state, "band red elf", "mark none")

    assert markers(state) == {}
    assert asked(state) == ("turn", 1)


def test_only_the_kingdom_of_the_leaders_colour_is_offered():
    """E5.4"""
    state = at(players=[{"hand": ["red elf", "blue elf"]}])

    do(state, "band red elf: blue elf")

    assert offered(state) == {"mark Rhea", "mark none"}
    assert refusal(state, "mark Straton")


def test_x_counts_skeletons_and_no_bonus():
    """E5.5: a Troll-led Band of 3 with 2 Skeletons takes up to 3."""
    state = at(players=[{"hand": ["red troll", "skeleton", "skeleton"]}])

    do(state, "band red troll: skeleton, skeleton", "mark none")

    assert offered(state) == {"token 1", "token 2", "token 3", "token none"}


@pytest.mark.parametrize(
    ("tribe", "question"),
    [
        ("elf", "keep"),
        ("merfolk", "advance"),
        ("orc", "horde"),
        ("troll", "token"),
        ("wizard", "draw"),
        ("dwarf", "turn"),
        ("giant", "turn"),
        ("minotaur", "turn"),
        ("halfling", "turn"),
        ("wingfolk", "turn"),
        ("centaur", "turn"),
    ],
)
def test_each_tribe_is_asked_its_own_question_after_a_declined_marker(tribe, question):
    """E5.6, E5.8: Dwarves, Giants, Minotaurs and Halflings are not asked, Centaurs not without a marker."""
    plural = {"elf": "elves", "dwarf": "dwarves", "merfolk": "merfolk", "wingfolk": "wingfolk"}.get(tribe, tribe + "s")
    four = [name for name in ("orcs", "trolls", "skeletons", "giants", "minotaurs") if name != plural][:4]
    state = at(
        tribes=[plural, *four], players=[{"hand": [f"red {tribe}", "blue " + ("orc" if tribe != "orc" else "troll")]}]
    )

    do(state, f"band red {tribe}")
    if tribe != "halfling":
        assert asked(state) == ("marker", 0)
        do(state, "mark none")

    assert asked(state) == (question, 0 if question != "turn" else 1)


def test_without_supply_no_marker_is_asked_for_anywhere():
    """E5.9, E5.10, E1.6: neither for the Kingdom nor for Orcs; a token is still asked for."""
    full = {"Ithys": 20, "Althea": 5}
    orc = at(players=[{"hand": ["red orc"], "markers": full}])
    do(orc, "band red orc")
    assert asked(orc) == ("turn", 1)
    assert seat_of(orc, 0)["orc_board"] == []

    troll = at(players=[{"hand": ["red troll"], "markers": full}])
    assert asked(do(troll, "band red troll")) == ("token", 0)


def test_markers_on_the_orc_board_come_out_of_the_supply():
    """E5.10: 24 in Kingdoms and one on the Orc board leave none."""
    state = at(players=[{"hand": ["red elf"], "markers": {"Ithys": 20, "Althea": 4}, "orc_board": ["blue"]}])

    assert asked(do(state, "band red elf")) == ("turn", 1)


def test_an_emptied_orc_board_fills_the_supply():
    """E5.10, E9.7"""
    place = {"age": 1, "dragons": 2, "deck": ["dragon"], "face_up": []}
    players = [{"markers": {"Ithys": 20, "Althea": 3}, "orc_board": ["blue", "red"]}]
    state = do(at(**place, players=players), "draw", "empty")
    given = state.position()
    given["seats"][0]["hand"] = ["red elf"]
    given["movers"] = [0]
    del given["deck"], given["face_up"]
    state = state.game.state_at(given)

    do(state, "band red elf", "mark Rhea")

    assert markers(state) == {"Ithys": 20, "Althea": 3, "Rhea": 1}


def test_the_numbers_of_a_prompt_alone_are_legal_and_take_the_whole_band():
    """E5.8: choice 0 to the last, each an action that is legal; a Band's number plays all that fits."""
    state = at(players=[{"hand": ["red elf", "red orc", "skeleton", "red elf"]}], face_up=["blue orc"])

    assert numbered(state) == [
        "take blue orc",
        "draw",
        "band red elf: red elf, skeleton",
        "band red orc: skeleton",
        "band red elf: red elf, red orc, skeleton",
        "band red orc: red elf, red elf, skeleton",
    ]
