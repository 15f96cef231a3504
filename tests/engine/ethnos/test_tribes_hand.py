"""E6: the Tribes that bear on the hand: Centaurs, Elves, Wizards."""

from itertools import combinations

import pytest

from engine.ethnos.table import asked, at, do, face_up, hand, markers, offered, seat_of

CENTAURS = ("centaurs", "elves", "orcs", "skeletons", "wizards")
MERMEN = ("centaurs", "merfolk", "orcs", "skeletons", "elves")


def kept_sets(cards: list[str], most: int) -> set[str]:
    """Every way to keep up to ``most`` of ``cards``, as sorted names."""
    return {
        ", ".join(sorted(chosen)) or "none"
        for size in range(min(most, len(cards)) + 1)
        for chosen in combinations(cards, size)
    }


def kept_offers(state) -> set[str]:
    return {", ".join(sorted(text.removeprefix("keep ").split(", "))) for text in offered(state)}


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_an_elf_led_band_keeps_up_to_x_cards(size):
    """E6.3, E6.16, worked example 11"""
    rest = ["blue orc", "green troll", "green troll", "grey orc"]
    state = at(players=[{"hand": ["red elf", *["skeleton"] * (size - 1), *rest]}], face_up=[])

    do(state, "band red elf" + (": " if size > 1 else "") + ", ".join(["skeleton"] * (size - 1)), "mark none")

    assert asked(state) == ("keep", 0)
    assert kept_offers(state) == kept_sets(rest, size)
    assert len(offered(state)) == len(kept_sets(rest, size))


def test_kept_cards_stay_and_the_others_are_discarded():
    """E6.3, worked example 11"""
    cards = ["red elf", "red orc", "red troll", "blue orc", "blue troll", "green orc", "green troll"]
    state = at(players=[{"hand": cards}], face_up=["grey elf"])

    do(state, "band red elf: red orc, red troll", "mark Rhea", "keep blue troll, green orc")

    assert hand(state) == ["blue troll", "green orc"]
    assert face_up(state) == ["blue orc", "green troll", "grey elf"]
    assert asked(state) == ("turn", 1)


def test_none_or_all_may_be_kept():
    """E6.16"""
    none = do(at(players=[{"hand": ["red elf", "blue orc"]}], face_up=[]), "band red elf", "mark none", "keep none")
    assert (hand(none), face_up(none)) == ([], ["blue orc"])

    every = do(
        at(players=[{"hand": ["red elf", "blue orc"]}], face_up=[]), "band red elf", "mark none", "keep blue orc"
    )
    assert (hand(every), face_up(every)) == (["blue orc"], [])


def test_an_elf_led_band_of_the_whole_hand_is_not_asked():
    """E6.16, worked example 11"""
    state = at(players=[{"hand": ["red elf", "red orc", "red troll"]}])

    do(state, "band red elf: red orc, red troll", "mark none")

    assert asked(state) == ("turn", 1)
    assert hand(state) == []


def test_a_wizard_draws_x_cards_after_the_discard():
    """E6.12, worked example 6"""
    tribes = ("wizards", "elves", "orcs", "trolls", "skeletons")
    cards = [
        "red wizard",
        "red elf",
        "red orc",
        "skeleton",
        "blue elf",
        "blue orc",
        "green elf",
        "green orc",
        "grey elf",
    ]
    deck = ["red troll", "blue troll", "green troll", "grey troll", "purple elf", "dragon", "dragon", "dragon"]
    state = at(tribes=tribes, players=[{"hand": [*cards, "grey orc"]}], face_up=[], deck=deck)

    do(state, "band red wizard: red elf, red orc, skeleton", "mark none")
    assert asked(state) == ("draw", 0)
    assert offered(state) == {"draw all", "draw none"}
    assert face_up(state) == ["blue elf", "blue orc", "green elf", "green orc", "grey elf", "grey orc"]
    do(state, "draw all")

    assert hand(state) == ["blue troll", "green troll", "grey troll", "red troll"]
    assert state.position()["deck"] == deck[4:]
    assert asked(state) == ("turn", 1)


def test_a_wizard_draw_is_all_or_none():
    """E6.12, E5.6"""
    state = at(tribes=CENTAURS, players=[{"hand": ["red wizard", "blue elf"]}], face_up=[])

    do(state, "band red wizard", "mark Rhea", "draw none")

    assert hand(state) == []
    assert face_up(state) == ["blue elf"]
    assert asked(state) == ("turn", 1)


def test_the_third_dragon_in_a_wizard_draw_leaves_the_band_to_score():
    """E6.12, E6.19, worked example 6"""
    state = at(
        tribes=CENTAURS,
        age=2,
        players=[{"hand": ["red wizard", "red elf", "red orc", "red centaur", "blue orc"]}],
        dragons=2,
        deck=["blue elf", "dragon"],
        glory_tokens={"Rhea": [0, 2]},
    )

    do(state, "band red wizard: red elf, red orc, red centaur", "mark none", "draw all")

    assert asked(state) is None
    assert list(state.scores()) == [6, 0, 0]


def test_a_centaur_led_band_that_placed_its_marker_may_be_followed():
    """E6.1"""
    state = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "blue elf", "blue orc", "skeleton"]}], face_up=[])

    do(state, "band red centaur", "mark Rhea")

    assert asked(state) == ("further", 0)
    assert offered(state) == {
        "stop",
        "band blue elf",
        "band blue elf: skeleton",
        "band blue elf: blue orc",
        "band blue elf: blue orc, skeleton",
        "band blue orc",
        "band blue orc: skeleton",
        "band blue orc: blue elf",
        "band blue orc: blue elf, skeleton",
    }
    assert face_up(state) == []


def test_stop_ends_the_chain_and_discards():
    """E6.1"""
    state = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "blue elf"]}], face_up=[])

    do(state, "band red centaur", "mark Rhea", "stop")

    assert face_up(state) == ["blue elf"]
    assert hand(state) == []
    assert asked(state) == ("turn", 1)


def test_a_chain_of_centaurs_ends_in_one_discard():
    """E6.1, worked example 7"""
    cards = ["red centaur", "blue centaur", "green orc", "grey elf"]
    state = at(tribes=CENTAURS, players=[{"hand": cards}], face_up=[])

    do(state, "band red centaur", "mark Rhea", "band blue centaur", "mark Straton")
    assert face_up(state) == []
    do(state, "band green orc", "mark Althea", "horde")

    assert markers(state) == {"Rhea": 1, "Straton": 1, "Althea": 1}
    assert seat_of(state, 0)["orc_board"] == ["green"]
    assert [band["leader"] for band in seat_of(state, 0)["bands"]] == ["red centaur", "blue centaur", "green orc"]
    assert face_up(state) == ["grey elf"]
    assert asked(state) == ("turn", 1)


def test_a_declined_marker_ends_the_turn():
    """E6.1, E5.9"""
    state = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "blue elf"]}])

    assert asked(do(state, "band red centaur", "mark none")) == ("turn", 1)


def test_a_marker_that_cannot_be_placed_counts_as_none():
    """E5.9, E6.1"""
    small = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "blue elf"], "markers": {"Rhea": 1}}])
    assert asked(do(small, "band red centaur")) == ("turn", 1)

    empty = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "blue elf"], "markers": {"Ithys": 25}}])
    assert asked(do(empty, "band red centaur")) == ("turn", 1)


@pytest.mark.parametrize("own", [0, 1])
def test_without_the_condition_every_centaur_led_band_may_be_followed(own):
    """E6.1: option centaurs_need_marker = false, the marker declined or not in question."""
    players = [{"hand": ["red centaur", "blue elf"], "markers": {"Rhea": own}}]
    state = at(tribes=CENTAURS, players=players, centaurs_need_marker=False)

    do(state, "band red centaur", *(["mark none"] if own == 0 else []))

    assert asked(state) == ("further", 0)
    assert offered(state) == {"stop", "band blue elf"}


def test_without_the_condition_a_placed_marker_still_allows_a_band():
    """E6.1"""
    state = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "blue elf"]}], centaurs_need_marker=False)

    assert asked(do(state, "band red centaur", "mark Rhea")) == ("further", 0)


def test_a_merfolk_bonus_is_not_the_marker_of_a_centaur():
    """E6.1: the Merfolk-led Band comes second, so its bonus must not reopen the chain."""
    state = at(
        tribes=MERMEN, players=[{"hand": ["red centaur", "blue merfolk", "green elf"], "merfolk": 2}], face_up=[]
    )

    do(state, "band red centaur", "mark Rhea", "band blue merfolk", "mark none", "advance", "mark Ithys")

    assert asked(state) == ("turn", 1)
    assert face_up(state) == ["green elf"]


def test_an_earlier_marker_does_not_serve_the_second_centaur():
    """E6.1: each Centaur-led Band needs a marker of its own."""
    state = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "blue centaur", "green elf"]}])

    do(state, "band red centaur", "mark Rhea", "band blue centaur", "mark none")

    assert asked(state) == ("turn", 1)


def test_with_no_card_left_a_chain_ends_unasked():
    """E6.1"""
    state = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "skeleton"]}])

    assert asked(do(state, "band red centaur: skeleton", "mark Rhea")) == ("turn", 1)


def test_with_skeletons_only_stop_is_the_one_answer():
    """E6.1, E5.8"""
    state = at(tribes=CENTAURS, players=[{"hand": ["red centaur", "skeleton", "skeleton"]}], face_up=[])

    do(state, "band red centaur", "mark Rhea")

    assert asked(state) == ("further", 0)
    assert offered(state) == {"stop"}
    assert face_up(do(state, "stop")) == ["skeleton", "skeleton"]


def test_the_last_band_of_a_chain_governs_the_discard():
    """E6.1, E6.3, worked example 12"""
    cards = ["red centaur", "red orc", "blue elf", "blue orc", "green orc", "green wizard", "grey orc", "grey wizard"]
    state = at(tribes=CENTAURS, players=[{"hand": cards}], face_up=[])

    do(state, "band red centaur: red orc", "mark Rhea", "band blue elf: blue orc", "mark none")

    assert kept_offers(state) == kept_sets(["green orc", "green wizard", "grey orc", "grey wizard"], 2)
    do(state, "keep grey orc, green orc")
    assert hand(state) == ["green orc", "grey orc"]
    assert face_up(state) == ["green wizard", "grey wizard"]


def test_a_wizard_ends_its_chain_with_the_draw():
    """E6.19, E6.12"""
    tribes = CENTAURS
    state = at(
        tribes=tribes,
        players=[{"hand": ["red centaur", "blue wizard", "green orc"]}],
        face_up=[],
        deck=["red elf", "dragon", "dragon", "dragon"],
    )

    do(state, "band red centaur", "mark Rhea", "band blue wizard", "mark Straton")
    assert face_up(state) == ["green orc"]
    do(state, "draw all")

    assert hand(state) == ["red elf"]
    assert markers(state) == {"Rhea": 1, "Straton": 1}
    assert asked(state) == ("turn", 1)


def test_the_third_dragon_never_breaks_into_a_chain():
    """E6.19: every Band and marker of the turn stays."""
    state = at(
        tribes=CENTAURS,
        players=[{"hand": ["red centaur", "red orc", "blue wizard", "blue orc", "green orc"]}],
        dragons=2,
        deck=["dragon"],
        age=2,
        glory_tokens={"Rhea": [0, 8], "Straton": [2, 4]},
    )

    do(state, "band red centaur: red orc", "mark Rhea", "band blue wizard: blue orc", "mark Straton", "draw all")

    assert asked(state) is None
    assert markers(state) == {"Rhea": 1, "Straton": 1}
    assert list(state.scores()) == [1 + 1 + 8 + 4, 0, 0]
