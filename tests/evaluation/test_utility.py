from __future__ import annotations

import pytest

from evaluation.tables import match
from rivalry_evaluation import utility


def test_utility_is_the_share_of_the_others_that_one_ranks_above_ties_half() -> None:
    four = match("abcd", (1, 3, 3, 2))

    assert utility.utilities(four) == {"a": 1.0, "b": 0.5 / 3, "c": 0.5 / 3, "d": 2 / 3}


def test_a_bot_on_several_seats_is_not_compared_with_itself() -> None:
    assert utility.utilities(match("aaab", (1, 3, 4, 2))) == {"a": 1 / 3, "b": 2 / 3}
    assert utility.utilities(match("aa", (1, 2))) == {}


def test_the_utilities_of_a_block_are_means_over_its_matches() -> None:
    played = [match("ab", (1, 2), block="x"), match("ba", (1, 2), block="x"), match("ab", (1, 1), block="y")]

    assert utility.block_utilities(played) == {"a": {"x": 0.5, "y": 0.5}, "b": {"x": 0.5, "y": 0.5}}


def test_a_share_of_points_is_that_of_one_seat() -> None:
    assert utility.shares(match("aab", (1, 2, 3), scores=(5, 3, 2))) == {"a": 0.4, "b": 0.2}
    assert utility.shares(match("ab", (1, 1), scores=(0, 0))) == {}


def test_where_scores_may_be_negative_there_are_no_shares() -> None:
    played = [match("ab", (1, 2), scores=(3, 1)), match("ab", (1, 2), name="other", scores=(1, -1))]

    assert utility.block_shares(played) == {}
    with pytest.raises(ValueError, match="match other has a negative score"):
        utility.shares(played[1])


def test_seats_are_told_apart() -> None:
    played = [match("ab", (1, 2), name="1"), match("ab", (1, 1), name="2"), match("ba", (1, 2), name="3")]

    assert utility.by_seat(played) == {"a": {0: (2, 0.75), 1: (1, 0.0)}, "b": {0: (1, 1.0), 1: (2, 0.25)}}
