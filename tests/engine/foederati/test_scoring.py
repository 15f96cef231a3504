"""Clans, fleets, tribes and the score track (FO9)."""

import pytest

from engine.foederati.table import asked, at, country, do, offered, told
from rivalry_engine.foederati import maps, scoring

POINTS = [8, 6, 4, 2, 1]


def gains(state, what):
    """What a part of the final scoring pays, which the last pass brings about."""
    log = told(state, "pass")
    assert asked(state) is None
    (event,) = [event for event in log if event.kind == "scored" and event.facts["what"] == what]
    return event.facts["gains"]


def final(*shields, **keys):
    """A state whose mover's pass ends the game."""
    last = len(shields) - 1
    return at(*shields, passed=list(range(last)), movers=[last], options={"final_tribal": "always"}, **keys)


@pytest.mark.parametrize(
    ("values", "points", "earned"),
    [
        ([5, 4, 3], [4, 2, 1], [4, 2, 1]),
        ([3, 5, 4], [4, 2, 1], [1, 4, 2]),
        ([4, 2, 2], [4, 2, 1], [4, 1, 1]),
        ([2, 2], [2, 1, 0], [1, 1]),
        ([3, 3, 2], [4, 2, 1], [2, 2, 1]),
        ([3, 3, 3], [4, 2, 1], [2, 2, 2]),
        ([1, 1, 1, 1, 2], [2, 1], [0, 0, 0, 0, 2]),
        ([5, 0, 0], [4, 2, 1], [4, 0, 0]),
        ([0, 0], [4, 2, 1], [0, 0]),
        ([], [4], []),
    ],
)
def test_a_tie_pays_each_the_place_below(values, points, earned):
    """FO9.1, FO10.36, FO10.38, worked example 4"""
    assert scoring.placed(values, points) == earned


def test_clans_by_size_with_ties_and_several_of_one_size():
    """FO9.2, FO10.36, FO10.37, worked example 3"""
    assert scoring.clans([[5, 5, 3], [4], [4, 3]], POINTS) == [17, 4, 5]


@pytest.mark.parametrize(
    ("sizes", "earned"),
    [
        ([[], []], [0, 0]),
        ([[3], [3]], [6, 6]),
        ([[3, 3, 3], [4]], [18, 8]),
        ([[4, 4], [4]], [12, 6]),
        ([[9, 8, 7, 6, 5, 4, 3], []], [21, 0]),
        ([[4], [4], [4], [3]], [6, 6, 6, 2]),
    ],
)
def test_more_clans(sizes, earned):
    """FO9.2, FO10.36, FO10.37"""
    assert scoring.clans(sizes, POINTS) == earned


def test_a_clan_is_three_own_shields_that_hang_together_ships_included():
    """FO9.2: over coasts and borders, not over corners"""
    state = final("B4 B5 C5 E5 F6 A10 B10", "J1 J2 J3 I3 H1 H2")

    assert gains(state, "clans") == (6, 8)


def test_two_largest_fleets_and_one_for_each_ship():
    """FO9.3, FO10.38, FO10.16: all seas together"""
    assert gains(final("A1 A5 J4", "A8 J3", "B1 E5"), "fleets") == (5, 3, 1)
    assert gains(final("A1 A5", "A8 J3", "B1"), "fleets") == (3, 3, 1)
    assert gains(final("A1 A5", "E5", "F5"), "fleets") == (4, 0, 0)
    assert gains(final("A1", "B1", "C1"), "fleets") == (2, 2, 2)


@pytest.mark.parametrize(
    ("land", "shields", "earned"),
    [
        ("A", ("A2 A3 A4 B2", "B3 B4", "C2 C3"), (4, 1, 1)),
        ("F", ("D5 D6", "E4 E5", ""), (1, 1, 0)),
        ("A", ("A2 A3 A4", "B2 B3 B4", "C2 C3"), (2, 2, 1)),
        ("U", ("G7 H5", "H6 H7", "I5 I6"), (2, 2, 2)),
        ("F", ("D5 D6", "", ""), (4, 0, 0)),
        ("A", ("A2", "", ""), (6, 0, 0)),
        ("F", ("D5 D6", "E4", ""), (2, 1, 0)),
    ],
)
def test_tribes_in_one_country(land, shields, earned):
    """FO9.4, FO10.39, FO10.40, worked example 4: founded or not"""
    full = not set(country(land)) - set(" ".join(shields).split())

    assert gains(final(*shields, founded=land if full else ""), "tribes") == earned


def test_tribes_are_summed_over_all_countries_and_move_once():
    """FO9.4, FO10.39, FO10.41, FO10.60: an emptied founded country pays nobody"""
    state = final("A2 D5 E4", "D6 H8", founded="P")

    log = told(state, "pass")

    (event,) = [event for event in log if event.kind == "scored" and event.facts["what"] == "tribes"]
    assert event.facts["gains"] == (4 + 2 + 2, 1 + 2 + 2)


def track(positions, gained):
    """Where the leaders stand after gains of a scoring."""
    state = at(
        *["A2", "J1", "E5", "A10"][: len(positions)], seats={n: {"position": at} for n, at in enumerate(positions)}
    )
    scoring.move(state, "clans", gained)
    return list(state.scores())


@pytest.mark.parametrize(
    ("positions", "gained", "after"),
    [
        ([10, 7, 5], [3, 3, 8], [14, 10, 13]),
        ([10, 7, 5], [0, 0, 0], [10, 7, 5]),
        ([0, 1, 2], [2, 0, 0], [3, 1, 2]),
        ([0, 1, 2], [1, 0, 0], [3, 1, 2]),
        ([0, 1, 2], [1, 1, 1], [1, 2, 3]),
        ([0, 1, 2, 3], [5, 5, 0, 0], [5, 6, 2, 3]),
        ([4, 0, 1], [1, 5, 4], [7, 5, 6]),
    ],
)
def test_leaders_move_by_gain_then_by_place_and_pass_over_taken_spaces(positions, gained, after):
    """FO9.5, FO10.42, FO10.43, FO10.69, worked example 5: those that have not moved yet still block"""
    assert track(positions, gained) == after


def test_each_part_moves_the_leaders_before_the_next_one():
    """FO9, FO9.5"""
    state = final("A2 A3 A4", "J3 J4 J5", "E5")
    log = [event for event in told(state, "pass") if event.kind == "scored"]

    assert [event.facts["what"] for event in log] == ["clans", "fleets", "tribes"]
    assert [event.facts["positions"] for event in log][-1] == state.scores()
    assert log[0].facts["gains"] == (6, 6, 0)
    assert log[0].facts["positions"] == (6, 7, 2)


def test_the_scores_of_any_moment_are_the_places_on_the_track():
    """FO5, FO8.4"""
    state = at("D5 D6 E4", "J1", seats={0: {"hand": ["country Frisia"]}})
    assert state.scores() == (0, 1)

    do(state, "expand country Frisia: E5")

    assert state.scores() == (3, 1)
    assert offered(state, "end") == {"end turn"}


def test_the_tribes_of_the_usual_map_are_those_of_its_classes():
    """FO4.4"""
    board = maps.usual()

    assert [board.tribal[number] for number in (0, 6)] == [(4, 2, 1), (2, 1, 0)]
    assert scoring.tribe_gains(board, [board.land, 0]) == [6 * 6 + 6 * 4, 0]
