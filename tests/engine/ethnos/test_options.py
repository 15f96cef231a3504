"""The options of the game, and what each of them refuses."""

import pytest

from engine.ethnos.table import FIVE, SIX, TRIBES, asked, at, do
from rivalry_engine.error import OptionError
from rivalry_engine.ethnos import Ethnos


def test_the_options_have_their_defaults():
    """E6.1, E11, E2.2"""
    options = Ethnos({}).options

    assert options == {
        "seats": 4,
        "edition": "first",
        "ruleset": "standard",
        "fairies": False,
        "tribes": None,
        "centaurs_need_marker": True,
    }


@pytest.mark.parametrize("seats", [1, 7, 0, -1, True, "4", None, 2.0])
def test_other_numbers_of_players_are_refused(seats):
    """E1.1"""
    with pytest.raises(OptionError, match="seats"):
        Ethnos({"seats": seats})


@pytest.mark.parametrize(
    ("seats", "tribes"),
    [
        (2, SIX),
        (3, SIX),
        (3, FIVE[:4]),
        (4, FIVE),
        (5, (*SIX, "dwarves")),
        (6, FIVE),
        (4, ()),
        (4, (*FIVE, "elves")),
        (4, (*FIVE, "fairies")),
        (4, (*FIVE, "elf")),
        (4, (*FIVE, 7)),
        (3, "elves"),
        (3, 5),
        (3, {"elves": 5}),
    ],
)
def test_tribes_are_refused_unless_they_are_as_many_and_different_as_the_table_says(seats, tribes):
    """E2.2"""
    with pytest.raises(OptionError, match="tribes"):
        Ethnos({"seats": seats, "tribes": list(tribes) if isinstance(tribes, tuple) else tribes})


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_right_number_of_tribes_is_taken_in_any_order(seats):
    """E2.2"""
    names = list(TRIBES)[: 5 if seats < 4 else 6]

    forth = Ethnos({"seats": seats, "tribes": names})
    back = Ethnos({"seats": seats, "tribes": names[::-1]})

    assert forth.options == back.options
    assert forth.new_state(b"order").position() == back.new_state(b"order").position()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ruleset", "BGA"),
        ("ruleset", ""),
        ("ruleset", None),
        ("ruleset", True),
        ("fairies", "false"),
        ("fairies", None),
        ("centaurs_need_marker", None),
        ("centaurs_need_marker", 1),
        ("centaurs_need_marker", "true"),
        ("edition", "third"),
        ("ruleset", "literal"),
        ("clans", ["owl"]),
        ("small_game_tokens", 2),
        ("dragons_to_end", "3"),
        ("two_player_exceptions", True),
        ("edition", None),
        ("elves", True),
        ("Seats", 4),
    ],
)
def test_other_values_and_other_options_are_refused(name, value):
    """The message names the option."""
    with pytest.raises(OptionError, match=name):
        Ethnos({name: value})


def test_options_at_their_default_are_not_given():
    assert Ethnos({"seats": 4, "ruleset": "standard", "centaurs_need_marker": True}).options_given() == {"seats": 4}
    given = Ethnos({"seats": 2, "ruleset": "bga", "tribes": list(FIVE), "centaurs_need_marker": False}).options_given()
    assert given == {
        "seats": 2,
        "ruleset": "bga",
        "tribes": ["elves", "giants", "orcs", "trolls", "skeletons"],
        "centaurs_need_marker": False,
    }


@pytest.mark.parametrize("ruleset", ["standard", "bga"])
def test_centaurs_need_their_marker_under_both_rulesets_unless_told_otherwise(ruleset):
    """E6.1, E11"""
    tribes = ("centaurs", "elves", "orcs", "trolls", "giants")
    players = [{"hand": ["red centaur", "blue elf"]}]

    usual = at(tribes=tribes, players=players, ruleset=ruleset)
    assert asked(do(usual, "band red centaur", "mark none")) == ("turn", 1)

    freed = at(tribes=tribes, players=players, ruleset=ruleset, centaurs_need_marker=False)
    assert asked(do(freed, "band red centaur", "mark none")) == ("further", 0)


def test_the_game_says_what_it_is():
    assert Ethnos.name == "ethnos"
    assert Ethnos.rules_version >= 1
    assert Ethnos.score_unit == 1
    assert Ethnos.imagines is True
    assert Ethnos.has_positions is True
    assert Ethnos.usual_seats == 4
