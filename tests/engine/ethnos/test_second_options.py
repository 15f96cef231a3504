"""The options of the second edition, its setup, and its games as a whole (N1, N2, N5)."""

from collections import Counter

import pytest

from engine.ethnos.table import CLANS, TRIBES
from engine.ethnos.test_setup import all_cards
from rivalry_engine import conformance
from rivalry_engine.error import OptionError
from rivalry_engine.ethnos import Ethnos

SECOND = {"edition": "second"}
WORDS = {
    *("owl", "rabbit", "red panda", "bear", "koi", "tiger", "monkey", "fox", "deer", "raven", "raccoon", "dog"),
}
LITERAL = {"dragons_to_end": "literal", "small_game_tokens": 3, "two_player_exceptions": False}


def second(**options):
    return Ethnos({**SECOND, **options})


def test_the_options_have_their_defaults():
    """N5: the ruleset is a preset and stands in no options."""
    assert second().options == {
        "seats": 4,
        "edition": "second",
        "dragons_to_end": "3",
        "small_game_tokens": 2,
        "two_player_exceptions": True,
        "clans": None,
    }
    assert second(ruleset="standard").options_given() == {"seats": 4, **SECOND}


def test_a_preset_is_what_it_stands_for():
    """N5: the same options, and so the same records."""
    assert second(ruleset="literal").options == second(**LITERAL).options
    assert second(ruleset="literal", seats=2).options_given() == {"seats": 2, **SECOND, **LITERAL}


@pytest.mark.parametrize(
    ("name", "value"), [("dragons_to_end", "3"), ("small_game_tokens", 2), ("two_player_exceptions", True)]
)
def test_an_option_given_by_itself_wins_over_the_ruleset(name, value):
    """N5"""
    game = second(ruleset="literal", **{name: value})

    assert game.options[name] == value
    assert {other: game.options[other] for other in LITERAL if other != name} == {
        other: given for other, given in LITERAL.items() if other != name
    }
    again = Ethnos(game.options_given())
    assert again.options == game.options


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({**SECOND, "tribes": ["elves"] * 5}, "tribes"),
        ({**SECOND, "tribes": ["elves", "orcs", "trolls", "giants", "wizards", "dwarves"]}, "tribes"),
        ({**SECOND, "fairies": True}, "fairies"),
        ({**SECOND, "fairies": False}, "fairies"),
        ({**SECOND, "centaurs_need_marker": True}, "centaurs_need_marker"),
        ({**SECOND, "ruleset": "bga"}, "ruleset"),
        ({"ruleset": "literal"}, "ruleset"),
        ({"dragons_to_end": "3"}, "dragons_to_end"),
        ({"small_game_tokens": 2}, "small_game_tokens"),
        ({"two_player_exceptions": True}, "two_player_exceptions"),
        ({"clans": ["first-game"]}, "clans"),
        ({**SECOND, "dragons_to_end": "2"}, "dragons_to_end"),
        ({**SECOND, "small_game_tokens": 4}, "small_game_tokens"),
        ({**SECOND, "two_player_exceptions": 1}, "two_player_exceptions"),
    ],
)
def test_an_option_of_the_other_edition_or_a_wrong_value_is_refused(options, name):
    """N5: the message names the option."""
    with pytest.raises(OptionError, match=f"option {name}"):
        Ethnos(options)


def test_numbers_of_dragons_may_be_written_as_numbers():
    assert second(dragons_to_end=3).options == second().options


@pytest.mark.parametrize(
    ("seats", "clans"),
    [
        (3, CLANS),
        (4, CLANS[:5]),
        (4, (*CLANS[:5], "elves")),
        (4, (*CLANS[:5], "first-game")),
        (4, (*CLANS[:5], "bear")),
    ],
)
def test_clans_are_refused_unless_they_are_as_many_and_different(seats, clans):
    """N2.7"""
    with pytest.raises(OptionError, match="clans"):
        second(seats=seats, clans=list(clans))


def test_the_words_that_are_expected_are_told_with_the_first_game_in_the_second_edition_alone():
    """N2.7"""
    with pytest.raises(OptionError) as second_edition:
        second(seats=4, clans=CLANS[:5])
    with pytest.raises(OptionError) as first_edition:
        Ethnos({"seats": 4, "tribes": ["elves"]})

    assert str(second_edition.value) == (
        "option clans: 5 were given; with 4 seats expected 6 different words out of "
        + "owl, rabbit, red panda, bear, koi, tiger, monkey, fox, deer, raven, raccoon, dog"
        + ", or first-game"
    )
    assert str(first_edition.value).endswith("trolls, wingfolk, wizards, skeletons")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_clans_of_a_first_game(seats):
    """N2.3, N2.7"""
    words = {"monkey", "bear", "tiger", "red panda", "raven", "fox"} - ({"fox"} if seats < 4 else set())

    for given in ("first-game", ["first-game"], sorted(words)):
        game = second(seats=seats, clans=given)
        assert set(game.options["clans"]) == words
        assert set(game.new_state(b"").setup().tribes) == words


def test_every_clan_is_drawn_sometime_and_none_of_the_first_edition():
    """N2.1, N2.3"""
    drawn = [second().new_state(b"%d" % number).setup().tribes for number in range(40)]

    assert {clan for clans in drawn for clan in clans} == WORDS
    assert {len(set(clans)) for clans in drawn} == {6}
    assert not WORDS & set(TRIBES)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("tokens", [2, 3])
def test_tokens_are_dealt_ascending(seats, tokens):
    """N2.2, N2.5, N2.6"""
    small = seats < 4 and tokens == 2
    box = Counter({4: 3, 6: 3, 8: 4, 10: 2, 12: 1}) if small else Counter({4: 6, 6: 5, 8: 4, 10: 2, 12: 1})
    left_over = set()
    for number in range(20):
        dealt = second(seats=seats, small_game_tokens=tokens).new_state(b"%d" % number).setup().tokens
        assert all(list(row) == sorted(row) and len(row) == (2 if small else 3) for row in dealt.values())
        out = box - Counter(value for row in dealt.values() for value in row)
        assert out.total() == (1 if small else 0)
        left_over |= set(out)
    assert len(left_over) > 1 or not small


def test_the_names_are_the_editions_own():
    """N1, N2.1"""
    game = second(clans=["red panda", "koi", "raccoon", "fox", "bear", "dog"])
    setup = game.new_state(b"names").setup().json()

    assert setup["kingdoms"] == {region: region for region in ("red", "blue", "green", "yellow", "black", "white")}
    assert len(setup["cards"]) == 5 * 6 + 1
    assert {"red red panda", "white koi", "black raccoon", "dog"} <= set(setup["cards"])
    assert set(map(str.title, WORDS)) <= set(game.glossary)
    assert "Elves" not in game.glossary
    assert "Elves" in Ethnos().glossary


def test_cards_keep_their_numbers_in_both_editions():
    """N1: a clan has the type of the Tribe that does the same."""
    first = Ethnos({"tribes": ["elves", "orcs", "trolls", "giants", "merfolk", "skeletons"]})
    numbers = first.new_state(b"").setup().json()["cards"]
    ours = second(clans=["red panda", "monkey", "fox", "bear", "koi", "dog"]).new_state(b"").setup().json()["cards"]

    assert sorted(numbers.values()) == sorted(ours.values())
    assert ours["white red panda"] == numbers["red elf"]
    assert ours["dog"] == numbers["skeleton"]


@pytest.mark.parametrize("seats", [2, 5])
def test_every_card_is_there_twice_and_three_dragons(seats):
    """N2.1, N2.4"""
    clans = list(CLANS[: 5 if seats < 4 else 6])
    place = second(seats=seats, clans=clans).new_state(b"all").position()
    cards = Counter(all_cards(place))

    assert place["deck"].count("dragon") == 3
    dogs = cards.pop("dog", 0)
    assert dogs == (12 if "dog" in clans else 0)
    assert set(cards.values()) == {2}
    assert len(cards) == 6 * len([clan for clan in clans if clan != "dog"])


@pytest.mark.parametrize("clans", [["koi", "bear", "fox", "dog", "raven"], ["owl", "bear", "fox", "dog", "raven"]])
def test_koi_take_one_marker_of_the_supply(clans):
    """N2.1"""
    seats = second(seats=2, clans=clans).new_state(b"").observe(0).json()["seats"]

    assert {seat["supply"] for seat in seats} == {24 if "koi" in clans else 25}


@pytest.mark.parametrize(
    "options",
    [
        {"seats": 2, "ruleset": "literal", "clans": ["koi", "raccoon", "fox", "monkey", "dog"]},
        {"seats": 3, "clans": ["bear", "raccoon", "monkey", "owl", "red panda"]},
        {"seats": 4},
    ],
    ids=str,
)
def test_the_edition_keeps_what_every_game_promises(options):
    conformance.check(second(**options), games=1, seed=b"second")
