from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.tables import match
from rivalry_evaluation import copies
from rivalry_evaluation.played import Played


def told(block: str, bots: str, transcript: str) -> Played:
    return replace(match(bots, (1, 2), block=block), transcript=transcript)


def test_a_table_that_always_goes_the_same_way_is_counted_once_a_seating() -> None:
    played = [told(block, bots, bots) for block in "123" for bots in ("ab", "ba")]

    kept, copied = copies.counted(played)

    assert ([one.match for one in kept], copied) == ([played[0].match, played[1].match], 4)


def test_where_chance_is_at_work_matches_that_are_alike_all_count() -> None:
    played = [told(block, "ab", transcript) for block, transcript in (("1", "x"), ("2", "x"), ("3", "y"))]

    assert copies.counted(played) == (played, 0)


def test_the_seats_of_one_table_are_judged_together_and_tables_apart() -> None:
    chancy = [told("1", "ab", "x"), told("2", "ab", "x"), told("1", "ba", "y"), told("2", "ba", "z")]
    steady = [told("1", "ac", "x"), told("2", "ac", "x")]

    kept, copied = copies.counted(chancy + steady)

    assert (len(kept), copied) == (5, 1)
    assert steady[1] not in kept


def test_a_match_is_given_once() -> None:
    with pytest.raises(ValueError, match="is there twice"):
        copies.counted([match("ab", (1, 2)), match("ab", (1, 2))])
