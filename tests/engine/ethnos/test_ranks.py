"""E10, E11: the winner and the ranks."""

import pytest

from engine.ethnos.table import SIX, asked, at, do, ending, glory
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.playout import play, uniform

TRIBES = ("dwarves", "elves", "orcs", "skeletons", "trolls", "giants")
FACES = {
    "red": ("red elf", "red orc", "red troll", "red giant", "red dwarf"),
    "blue": ("blue elf", "blue orc", "blue troll", "blue giant", "blue dwarf"),
    "green": ("green elf", "green orc", "green troll", "green giant", "green dwarf"),
    "grey": ("grey elf", "grey orc", "grey troll", "grey giant", "grey dwarf"),
    "orange": ("orange elf", "orange orc", "orange troll", "orange giant", "orange dwarf"),
    "purple": ("purple elf", "purple orc", "purple troll", "purple giant", "purple dwarf"),
}


def band(colour: str, size: int, skeletons: int = 0, leader: str = "") -> dict:
    cards = list(FACES[colour][:size])
    if leader:
        cards[0] = leader
    return {"leader": cards[0], "cards": cards + ["skeleton"] * skeletons}


def test_most_glory_wins_and_ranks_follow():
    """E10"""
    state = at(4, players=[{"glory": 7}, {"glory": 9}, {"glory": 1}, {"glory": 8}])

    assert state.ranks() == (3, 1, 4, 2)


def test_those_equal_in_everything_share_a_rank_and_the_next_is_skipped():
    """E10"""
    assert at(3, players=[{"glory": 5}, {"glory": 5}, {"glory": 4}]).ranks() == (1, 1, 3)
    assert at(4, players=[{"glory": 4}, {"glory": 5}, {"glory": 4}, {"glory": 4}]).ranks() == (2, 1, 2, 2)
    assert at(2).ranks() == (1, 1)


def test_ties_go_by_markers_in_the_kingdoms():
    """E10: all six Kingdoms count; Orc and Merfolk boards do not."""
    tribes = ("merfolk", "orcs", "elves", "trolls", "giants")
    players = [
        {"glory": 5, "markers": {"Ithys": 1, "Rhea": 2}, "orc_board": ["red", "blue"], "merfolk": 18},
        {"glory": 5, "markers": {"Straton": 4}},
        {"glory": 5, "markers": {"Althea": 1, "Pelagon": 1, "Duris": 1, "Straton": 2}},
    ]

    assert at(tribes=tribes, players=players).ranks() == (3, 2, 1)


def test_then_by_the_largest_band_then_the_next():
    """E10, worked example 15: as the game ends."""
    tokens = {"Rhea": [0, 2, 4], "Ithys": [0, 2, 6], "Althea": [4, 6, 8], "Duris": [2, 4, 6]}
    players = [
        {"glory": 30 - 4 - 11, "markers": {"Rhea": 10}, "bands": [band("red", 5), band("blue", 2)]},
        {"glory": 30 - 6, "markers": {"Ithys": 9}},
        {"glory": 20 - 8, "markers": {"Althea": 12}},
        {
            "glory": 30 - 6 - 10,
            "markers": {"Duris": 10},
            "bands": [band("green", 1), band("grey", 5), band("blue", 1)],
        },
    ]
    state = ending(4, TRIBES, players=players, glory_tokens=tokens)

    do(state, "draw")

    assert glory(state) == [30, 30, 20, 30]
    assert asked(state) is None
    assert state.ranks() == (1, 3, 4, 2)


@pytest.mark.parametrize(
    ("first", "second", "standard", "bga"),
    [
        ([5], [4, 4], (1, 2), (1, 2)),
        ([4], [5], (2, 1), (2, 1)),
        ([5, 2], [5, 1, 1], (1, 2), (1, 1)),
        ([5, 1], [5, 1, 1], (2, 1), (1, 1)),
        ([5, 1], [5, 1], (1, 1), (1, 1)),
        ([1], [], (1, 2), (1, 2)),
        ([3, 3, 2], [3, 3, 1], (1, 2), (1, 1)),
    ],
)
def test_the_two_rulesets_differ_in_the_smaller_bands(first, second, standard, bga):
    """E10, E11"""
    colours = [("red", "blue", "green"), ("grey", "orange", "purple")]
    players = [
        {"glory": 9, "bands": [band(colour, size) for colour, size in zip(own, sizes, strict=False)]}
        for own, sizes in zip(colours, (first, second), strict=True)
    ]

    for ruleset, ranks in (("standard", standard), ("bga", bga)):
        state = at(4, TRIBES, players=players, ruleset=ruleset)
        assert state.ranks()[:2] == ranks


def test_skeletons_and_the_dwarfs_extra_card_do_not_count():
    """E10, E6.2: a Dwarf-led 2 with three Skeletons is less than 3 cards."""
    players = [
        {"glory": 9, "bands": [band("red", 2, skeletons=3, leader="red dwarf")]},
        {"glory": 9, "bands": [band("blue", 3)]},
    ]

    assert at(4, TRIBES, players=players).ranks()[:2] == (2, 1)
    equal = [players[0], {"glory": 9, "bands": [band("blue", 2)]}]
    assert at(4, TRIBES, players=equal).ranks()[:2] == (1, 1)


def test_only_bands_of_the_last_age_count():
    """E10: with everything else equal the Bands of Age I leave no trace."""
    players = [{"bands": [band("red", 1)], "glory": 9}, {"glory": 9}, {"glory": 0}]
    state = ending(tribes=TRIBES[:5], age=1, players=players)
    assert state.ranks() == (1, 2, 3)

    do(state, "draw")

    assert state.ranks() == (1, 1, 3)


def test_the_bands_of_the_last_age_still_decide_when_the_game_is_over():
    """E10: both score the same and have the same markers."""
    players = [
        {"bands": [band("red", 3)], "glory": 1},
        {"bands": [band("blue", 2), band("green", 2), band("grey", 2)], "glory": 1},
        {"bands": [band("purple", 1)], "glory": 4},
    ]
    state = do(ending(tribes=TRIBES[:5], players=players), "draw")

    assert glory(state) == [4, 4, 4]
    assert state.ranks() == (1, 2, 3)


def test_troll_tokens_do_not_break_ties_of_the_winner():
    """E10, E9.3"""
    state = do(ending(4, SIX, players=[{"glory": 3}, {"glory": 3, "troll_tokens": [6]}]), "draw")

    assert state.ranks()[:2] == (1, 1)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_rulesets_play_the_same_and_score_the_same(seats):
    """E11: the same answers give the same Glory."""
    results = [
        play(Ethnos({"seats": seats, "ruleset": ruleset}), [uniform] * seats, b"both")
        for ruleset in ("standard", "bga")
    ]

    assert results[0].moves == results[1].moves
    assert results[0].state.scores() == results[1].state.scores()
