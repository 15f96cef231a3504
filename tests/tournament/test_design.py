from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from rivalry_engine.error import RivalryError
from rivalry_tournament import design


@pytest.mark.parametrize(
    ("bots", "at", "tables"),
    [(7, 3, 7), (9, 3, 12), (13, 4, 13), (8, 4, 14), (12, 4, 33), (16, 4, 20), (11, 5, 11), (16, 6, 32)],
)
def test_in_a_design_every_two_meet_equally_often_at_fewer_tables_than_all(bots, at, tables):
    found = design.tables(bots, at, "design")

    met = Counter(pair for table in found for pair in combinations(table, 2))

    assert len(set(found)) == len(found) == tables < comb(bots, at)
    assert len(met) == comb(bots, 2)
    assert len(set(met.values())) == 1


def test_few_tables_are_all_played():
    assert len(design.tables(8, 4, "auto")) == 70
    assert len(design.tables(9, 4, "auto")) == 18
    assert len(design.tables(9, 4, "all")) == 126


def test_where_there_is_no_design_the_error_says_what_else_there_is():
    with pytest.raises(
        RivalryError, match=r"no design with fewer than all 10 tables was found for 5 entrants .* bots = 2"
    ):
        design.tables(5, 3, "design")
