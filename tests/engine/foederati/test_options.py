"""The options of the game, and what each of them refuses (FO4.5)."""

import pytest

from engine.foederati.table import a_map
from rivalry_engine.error import OptionError
from rivalry_engine.foederati import Foederati

SEED = {
    "scoring_scope": "seed",
    "final_tribal": "if-red",
    "attack_full_seas": False,
    "attack_needs_opening_card": False,
    "attacker_loses_shield_on_failure": True,
    "battle_tie_to": "defender",
    "stall_rounds": 10,
    "start_spaces": 0,
}
RED_ONLY = {
    **SEED,
    "scoring_scope": "red-only",
    "final_tribal": "always",
    "attack_full_seas": True,
    "attack_needs_opening_card": True,
    "start_spaces": 1,
}
OTHER = {
    "scoring_scope": ("seed", "red-only"),
    "final_tribal": ("if-red", "always"),
    "attack_full_seas": (False, True),
    "attack_needs_opening_card": (False, True),
    "attacker_loses_shield_on_failure": (True, False),
    "battle_tie_to": ("defender", "attacker"),
    "stall_rounds": (10, 3),
    "start_spaces": (0, 1),
}


def test_the_options_have_their_defaults():
    """FO4.5"""
    assert Foederati({}).options == {"seats": 4, **SEED, "first_player": "random", "map": {}}
    assert Foederati({"preset": "seed"}).options == Foederati({}).options


def test_a_preset_is_resolved_into_its_flags():
    """FO4.5: and is itself no option of the match"""
    made = Foederati({"preset": "red-only"})

    assert made.options == {"seats": 4, **RED_ONLY, "first_player": "random", "map": {}}
    assert made.options_given() == {
        "seats": 4, "scoring_scope": "red-only", "final_tribal": "always", "attack_full_seas": True,
        "attack_needs_opening_card": True, "start_spaces": 1,
    }  # fmt: skip
    assert Foederati(made.options_given()).options == made.options


@pytest.mark.parametrize("name", SEED)
@pytest.mark.parametrize("preset", ["seed", "red-only"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_flag_given_by_itself_wins_over_the_preset(name, preset, place):
    """FO4.5"""
    made = Foederati({"preset": preset, name: OTHER[name][place]})
    expected = dict(SEED if preset == "seed" else RED_ONLY)
    expected[name] = OTHER[name][place]

    assert {flag: made.options[flag] for flag in SEED} == expected
    assert Foederati(made.options_given()).options == made.options


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seats", 1), ("seats", 6), ("seats", True), ("preset", "real"), ("preset", None), ("preset", ["seed"]),
        ("scoring_scope", "redOnly"), ("final_tribal", True), ("attack_full_seas", "true"), ("battle_tie_to", "both"),
        ("attack_needs_opening_card", None), ("attacker_loses_shield_on_failure", 1), ("stall_rounds", 0),
        ("stall_rounds", 1_000_001), ("stall_rounds", "3"), ("start_spaces", 2), ("start_spaces", True),
        ("first_player", "4"), ("first_player", 4), ("first_player", -1), ("first_player", "one"),
        ("first_player", None), ("first_player", True), ("scoringScope", "seed"), ("map", "map.json"), ("map", 1),
        ("map", None),
    ],
)  # fmt: skip
def test_other_values_and_other_options_are_refused(name, value):
    """FO4.5: the message names the option"""
    with pytest.raises(OptionError, match=name):
        Foederati({name: value})


def test_the_first_player_is_a_seat_of_the_game():
    """FO5, FO10.7"""
    assert Foederati({"seats": 5, "first_player": 4}).options["first_player"] == "4"
    with pytest.raises(OptionError, match="first_player: '2' with 2 seats; expected random or 0 to 1"):
        Foederati({"seats": 2, "first_player": "2"})


def test_a_map_does_not_change_when_it_is_changed_where_it_came_from():
    """FO4.5"""
    given = a_map(handSize=7)
    made = Foederati({"map": given})
    given["handSize"] = 3
    given["regions"]["A"]["name"] = "Elsewhere"

    assert made.options["map"]["handSize"] == 7
    assert made.new_state(b"").setup().json()["map"]["regions"]["A"]["name"] == "Albion"


def test_the_game_says_what_it_is():
    assert Foederati.name == "foederati"
    assert Foederati.rules_version >= 1
    assert (Foederati.imagines, Foederati.has_positions) == (True, True)
    assert list(Foederati.seat_counts) == [2, 3, 4, 5]
    assert 1_000 < len(Foederati.primer) < 4_000
    assert all("FO" in meaning for meaning in Foederati.glossary.values())
