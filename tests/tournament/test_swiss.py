from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from rivalry_tournament import making
from rivalry_tournament.kinds import pairing, swiss
from tournament.made import by_name, level, outcomes, played, settings


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 1), (7, 4), (8, 4), (16, 8), (17, 8), (25, 12)])
@pytest.mark.parametrize("ranks", [by_name, level])
def test_nobody_meets_twice_in_up_to_half_as_many_rounds_as_entrants(entrants, rounds, ranks):
    made = making.schedule(settings("swiss", entrants, rounds=rounds))

    met = swiss.meetings(played(made, ranks))

    assert set(met.values()) == {1}
    assert len(met) == rounds * (entrants // 2)


def test_the_first_round_pairs_the_upper_half_with_the_lower():
    made = making.schedule(settings("swiss", 8))

    assert [block.bots for block in made.blocks] == [("b00", "b04"), ("b01", "b05"), ("b02", "b06"), ("b03", "b07")]


def test_who_stands_alike_meets_and_who_is_left_floats_down():
    made = making.schedule(settings("swiss", 6))

    second = played(made)[1]

    assert [block.bots for block in second.blocks] == [("b00", "b01"), ("b02", "b03"), ("b04", "b05")]


def test_a_bye_goes_to_the_lowest_of_those_with_the_fewest_and_counts_a_win():
    made = making.schedule(settings("swiss", 5, rounds=5))
    rounds = played(made)

    assert rounds[0].byes == ("b04",)
    assert Counter(name for round_ in rounds for name in round_.byes) == {f"b0{at}": 1 for at in range(5)}
    assert swiss.earned_in(made.settings, rounds[0], outcomes(rounds[:1]))["b04"] == 1


def test_tables_of_four_leave_the_rest_a_bye_and_let_few_meet_again():
    made = making.schedule(settings("swiss", 18, 4, rounds=4))
    rounds = played(made)

    assert all(len(round_.byes) == 2 for round_ in rounds)
    assert sum(times - 1 for times in swiss.meetings(rounds).values() if times > 1) <= 6


def test_the_better_stands_above_and_equals_share_a_rank():
    made = making.schedule(settings("swiss", 8, rounds=3))

    standing = making.standing(made, played(made), outcomes(played(made)))
    drawn = making.standing(made, played(made, level), outcomes(played(made, level), level))

    assert standing[0] == (1, "b00")
    assert standing[-1] == (8, "b07")
    assert {rank for rank, _ in drawn} == {1}


def test_at_a_table_of_two_a_win_is_a_point_however_close_and_shares_part_those_who_are_level():
    made = making.schedule(settings("swiss", 4, rounds=1, blocks=2))
    results = {"1.1": [(1, 2), (2, 1)], "1.2": [(1, 2), (1, 2)], "1.3": [(1, 2), (1, 2)], "1.4": [(1, 1), (1, 2)]}

    earned = swiss.earned_in(made.settings, made.rounds[0], results)
    lines = swiss.standing(made.settings, made.rounds, results)

    assert [made.blocks[at].bots for at in (0, 1)] == [("b00", "b02"), ("b01", "b03")]
    assert made.blocks[0].matches[1].seats == ("b02", "b00")
    assert earned == {"b00": 1, "b02": 0, "b01": 0, "b03": 1}
    assert [(line.name, line.share) for line in lines] == [
        ("b00", Fraction(3, 4)),
        ("b03", Fraction(5, 8)),
        ("b01", Fraction(3, 8)),
        ("b02", Fraction(1, 4)),
    ]


def test_a_table_whose_blocks_are_left_out_counts_a_half_to_each():
    made = making.schedule(settings("swiss", 4))
    results = outcomes(made.rounds)
    results["1.1"] = None

    earned = swiss.earned_in(made.settings, made.rounds[0], results)

    assert earned == {"b00": Fraction(1, 2), "b02": Fraction(1, 2), "b01": Fraction(1), "b03": Fraction(0)}


def test_where_all_have_met_pairs_meet_again():
    met = {frozenset(pair): 1 for pair in (("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d"))}
    standing = [(name, Fraction(0)) for name in "abcd"]

    assert sorted(name for pair in pairing.pairs(standing, met) for name in pair) == list("abcd")
