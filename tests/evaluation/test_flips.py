from __future__ import annotations

from math import comb

import numpy as np
import pytest

from evaluation.tables import duels, match
from rivalry_evaluation import flips, plackett_luce
from rivalry_evaluation.terms import terms


@pytest.mark.parametrize(("won", "blocks"), [(5, 5), (6, 6), (7, 8), (9, 10)])
def test_where_blocks_are_won_or_lost_it_is_the_sign_test(won: int, blocks: int) -> None:
    values = [1.0] * won + [-1.0] * (blocks - won)

    assert flips.chance(values) == sum(comb(blocks, many) for many in range(won, blocks + 1)) / 2**blocks


def test_many_blocks_are_drawn_and_come_close_to_it() -> None:
    exact = sum(comb(40, many) for many in range(27, 41)) / 2**40

    assert flips.chance([1.0] * 27 + [-1.0] * 13) == pytest.approx(exact, abs=0.003)


def test_great_blocks_weigh_more_and_blocks_that_say_nothing_do_not_count() -> None:
    assert flips.chance([3.0, 1.0, -1.0, 0.0]) == 3 / 8
    assert flips.chance([0.0, 0.0]) == flips.chance([]) == 1.0


def test_equal_values_with_rounding_errors_are_equal() -> None:
    assert flips.chance([0.1 + 0.2, 0.3, -0.3]) == flips.chance([3, 3, -3])


def test_what_a_block_says_of_two_is_what_they_did_to_each_other() -> None:
    played = duels(3, 1)
    gathered = terms(played, "ab", [one.block for one in played])

    said = flips.contributions(gathered, plackett_luce.fitted(gathered), 0, 1)

    assert said.tolist() == pytest.approx([1, 1, 1, -1])


def test_opponents_are_reckoned_with() -> None:
    played = [match("ac", (1, 2), block="1"), match("bc", (1, 2), block="1"), match("ab", (1, 1), block="2")]
    gathered = terms(played, "abc", "12")

    assert np.allclose(flips.contributions(gathered, plackett_luce.fitted(gathered), 0, 1), 0.0)
