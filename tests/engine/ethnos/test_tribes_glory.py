"""E6: the Tribes that bear on Glory and ties: Dwarves, Giants, Skeletons, Trolls."""

import pytest

from engine.ethnos.table import LAST_AGE, SIX, asked, at, do, ending, glory, offered, seat_of

DWARVES = ("dwarves", "elves", "orcs", "skeletons", "trolls")
COLOURS = ("red", "blue", "green", "grey", "orange", "purple")


def band(leader: str, *others: str) -> dict:
    return {"leader": leader, "cards": [leader, *others]}


def test_a_dwarf_led_band_scores_one_card_more():
    """E6.2, E9.6, worked example 4"""
    plain = [band("red elf", "red orc", "red troll", "skeleton", "skeleton")]
    three = [band("red dwarf", "red orc", "red troll")]
    five = [band("red dwarf", "red orc", "red troll", "skeleton", "skeleton")]

    scores = [
        glory(do(ending(tribes=DWARVES, players=[{"bands": bands}]), "draw"))[0] for bands in (plain, three, five)
    ]

    assert scores == [3, 6, 6]


def test_a_dwarf_adds_nothing_to_the_marker():
    """E6.2"""
    state = at(tribes=DWARVES, players=[{"hand": ["red dwarf", "skeleton"], "markers": {"Rhea": 2}}])

    assert asked(do(state, "band red dwarf: skeleton")) == ("turn", 1)


def test_dwarves_under_another_leader_add_nothing():
    """E6.2"""
    state = ending(tribes=DWARVES, players=[{"bands": [band("red elf", "red dwarf", "red orc")]}])

    assert glory(do(state, "draw"))[0] == 3


def test_giants_gain_two_glory_and_the_token_by_being_strictly_largest():
    """E6.4, worked example 5"""
    a = {"hand": ["red giant", "red elf", "red orc"]}
    b = {"hand": ["blue giant", "blue elf", "blue orc"]}
    state = at(players=[a, b], face_up=[], deck=["green elf"] * 2 + ["dragon"] * 3)

    do(state, "band red giant: red elf, red orc", "mark none")
    assert glory(state) == [2, 0, 0]
    assert seat_of(state, 0)["giant_token"] is True
    do(state, "band blue giant: blue elf, blue orc", "mark none")
    assert glory(state) == [2, 0, 0]
    assert seat_of(state, 0)["giant_token"] is True
    assert seat_of(state, 1)["giant_token"] is False


def test_a_larger_giant_band_takes_the_token_and_skeletons_count():
    """E6.4, worked example 5: at the end of Age I its holder gets 2, and the Band scores as two cards."""
    players = [
        {"bands": [band("red giant", "red elf", "red orc")], "glory": 2, "giant_token": True},
        {
            "hand": ["blue giant", "blue elf", "skeleton", "skeleton"],
            "bands": [band("green giant", "green elf", "green orc")],
        },
    ]
    state = at(age=1, movers=[1], players=players, dragons=2, deck=["dragon"], face_up=[])

    do(state, "band blue giant: blue elf, skeleton, skeleton", "mark none")
    assert glory(state) == [2, 2, 0]
    assert seat_of(state, 0)["giant_token"] is False
    assert seat_of(state, 1)["giant_token"] is True
    do(state, "draw")

    assert glory(state) == [2 + 3, 2 + 3 + 2 + 1, 0]


def test_beating_ones_own_giants_counts_again():
    """E6.4"""
    players = [{"hand": ["blue giant", "skeleton"], "bands": [band("red giant")], "giant_token": True, "glory": 2}]
    state = at(players=players)

    do(state, "band blue giant: skeleton", "mark none")

    assert glory(state) == [4, 0, 0]
    assert seat_of(state, 0)["giant_token"] is True


def test_other_bands_do_not_matter_to_giants():
    """E6.4: a larger Band led by another Tribe, though Giants are in it."""
    players = [{"hand": ["blue giant"]}, {"bands": [band("red elf", "red giant", "red orc")]}]

    assert glory(do(at(players=players), "band blue giant", "mark none")) == [2, 0, 0]


@pytest.mark.parametrize(
    ("seats", "age", "award"),
    [
        (2, 1, 2),
        (2, 2, 5),
        (3, 1, 2),
        (3, 2, 5),
        *[(seats, age, 2 * age) for seats in (4, 5, 6) for age in (1, 2, 3)],
    ],
)
def test_the_giant_token_pays_at_the_end_of_the_age(seats, age, award):
    """E6.4"""
    state = ending(seats, age=age, players=[{}, {"bands": [band("red giant")], "giant_token": True}])

    do(state, "draw")

    assert glory(state)[:2] == [0, award]


@pytest.mark.parametrize("age", [1, 2, 3])
def test_skeletons_leave_before_bands_score(age):
    """E6.9, E9.6"""
    bands = [band("red elf", "skeleton", "skeleton", "skeleton"), band("blue elf", "blue orc", "skeleton")]
    state = ending(4, SIX, age=age, players=[{"bands": bands}])

    assert glory(do(state, "draw"))[0] == 0 + 1


@pytest.mark.parametrize("size", range(1, 8))
def test_a_troll_led_band_takes_a_free_token_up_to_x(size):
    """E6.10"""
    cards = ["red troll", *["skeleton"] * (size - 1)]
    state = at(players=[{"hand": cards}, {"troll_tokens": [2, 5]}])

    do(state, "band red troll" + (": " if size > 1 else "") + ", ".join(cards[1:]), "mark none")

    free = {f"token {value}" for value in (1, 3, 4, 6) if value <= size}
    assert offered(state) == free | {"token none"}
    do(state, "token 1")
    assert seat_of(state, 0)["troll_tokens"] == [1]
    assert glory(state) == [0, 0, 0]
    assert asked(state) == ("turn", 1)


def test_a_token_may_be_declined_and_several_may_be_held():
    """E6.10, E5.6"""
    declined = do(at(players=[{"hand": ["red troll"]}]), "band red troll", "mark none", "token none")
    assert seat_of(declined, 0)["troll_tokens"] == []

    second = at(players=[{"hand": ["red troll", "skeleton"], "troll_tokens": [1]}])
    do(second, "band red troll: skeleton", "mark none", "token 2")
    assert sorted(seat_of(second, 0)["troll_tokens"]) == [1, 2]


def test_without_a_free_token_up_to_x_nothing_is_asked():
    """E6.17: own tokens are not free either."""
    players = [{"hand": ["red troll", "skeleton"], "troll_tokens": [1]}, {"troll_tokens": [2]}]
    state = at(players=players)

    do(state, "band red troll: skeleton", "mark none")

    assert asked(state) == ("turn", 1)


def test_troll_tokens_bring_no_glory():
    """E6.10"""
    for seats in LAST_AGE:
        state = ending(seats, players=[{"troll_tokens": [1, 2, 3, 4, 5, 6]}])

        assert glory(do(state, "draw")) == [0] * seats
