"""All of it together: what is said of bots whose strengths are known."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from evaluation.tables import drawn, duels, match
from rivalry_evaluation.evaluation import evaluate

WORTHS = {"a": 1.0, "b": 0.5, "c": 0.0, "d": -0.5, "e": -1.0}


def test_the_order_of_matches_changes_nothing_to_the_last_digit() -> None:
    played = drawn(WORTHS, blocks=60, seats=4, seed=1, luck=0.5)
    shuffled = list(played)
    random.Random(2).shuffle(shuffled)

    assert evaluate(shuffled, resamples=200) == evaluate(played, resamples=200)


def test_strengths_are_found_again_within_their_intervals_and_ranks() -> None:
    found = evaluate(drawn(WORTHS, blocks=150, seats=4, seed=3), resamples=500)

    assert [standing.bot for standing in found.standings] == list(WORTHS)
    assert [standing.rank for standing in found.standings] == [1, 2, 3, 4, 5]
    for standing in found.standings:
        true = WORTHS[standing.bot] * 400 / 2.302585
        assert standing.rating_low < true < standing.rating_high
        assert standing.utility_low < standing.utility < standing.utility_high
        assert standing.rank_low <= standing.rank <= standing.rank_high


def test_few_blocks_leave_ranks_open_and_many_settle_them() -> None:
    few = evaluate(drawn(WORTHS, blocks=6, seats=4, seed=4), resamples=500)
    many = evaluate(drawn(WORTHS, blocks=400, seats=4, seed=4), resamples=500)

    def width(found: object) -> int:
        return sum(standing.rank_high - standing.rank_low for standing in found.standings)  # type: ignore[attr-defined]

    assert width(few) > 8
    assert width(many) == 0
    assert any("too few" in note for note in few.notes)


def test_matches_of_one_block_are_not_taken_for_independent() -> None:
    spread = drawn({"a": 0.2, "b": 0.0}, blocks=120, seats=2, seed=5)
    lumped = [replace(one, block=str(int(one.block) // 30)) for one in spread]

    wide, narrow = (evaluate(played).standing("a") for played in (lumped, spread))

    assert wide.blocks == 4
    assert wide.rating_high - wide.rating_low > narrow.rating_high - narrow.rating_low


def test_who_won_every_block_has_an_interval_with_room_below_and_a_rank_that_is_settled() -> None:
    found = evaluate(duels(20, 0))
    a, b = found.standings

    assert (a.bot, a.utility, a.utility_high) == ("a", 1.0, 1.0)
    assert a.utility_low == pytest.approx(20 / (20 + 3.8414588), abs=1e-6)
    assert (a.rank_low, a.rank_high, b.rank_low, b.rank_high) == (1, 1, 2, 2)
    assert a.rating_low > b.rating_high
    assert any("how far apart" in note for note in found.notes)


@pytest.mark.parametrize(("blocks", "worst"), [(2, 2), (5, 2), (6, 1)])
def test_a_rank_is_settled_by_as_many_blocks_as_a_sign_test_needs(blocks: int, worst: int) -> None:
    a = evaluate(duels(blocks, 0)).standing("a")

    assert (a.rank_low, a.rank_high) == (1, worst)


def test_one_block_says_next_to_nothing() -> None:
    a = evaluate([match("ab", (1, 2)), match("ba", (2, 1))]).standing("a")

    assert (a.utility, a.utility_low, a.rank_low, a.rank_high) == (1.0, 0.05, 1, 2)
    assert a.rating_low < -1000 < 1000 < a.rating_high


def test_pairs_count_seat_against_seat_and_are_seen_from_both_sides() -> None:
    found = evaluate([match("aab", (1, 3, 2), block="1"), match("abb", (1, 1, 3), block="2"), match("ac", (1, 2))])

    pair = found.pair("a", "b")
    assert pair is not None
    assert (pair.blocks, pair.wins, pair.draws, pair.losses, pair.mean) == (2, 2, 1, 1, 0.625)
    other = found.pair("b", "a")
    assert other is not None
    assert (other.wins, other.losses, other.mean, other.low) == (1, 2, 0.375, 1 - pair.high)
    assert found.pair("b", "c") is None


def test_pairs_of_blocks_won_or_lost_have_wilsons_interval() -> None:
    pair = evaluate(duels(8, 2)).pairs[0]

    assert (pair.low, pair.high) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)


def test_faults_seats_shares_and_copies_are_told() -> None:
    crashed = replace(match("ab", (1, 2), block="1", scores=(3, 1)), ends=("normal", "crash"))
    alike = [replace(match("bc", (1, 2), block=block), transcript="same") for block in "123"]

    found = evaluate([crashed, *alike])

    assert found.standing("b").faults == {"crash": 1}
    assert found.standing("a").share == 0.75
    assert found.standing("b").by_seat == {0: (1, 1.0), 1: (1, 0.0)}
    assert (found.matches, found.copies) == (2, 2)
    assert any("2 matches went exactly" in note for note in found.notes)


def test_all_of_it_is_json_and_an_evaluation_of_nothing_says_so() -> None:
    told = json.loads(json.dumps(evaluate(drawn(WORTHS, blocks=5, seats=3, seed=6), resamples=50).json()))

    assert [each["bot"] for each in told["standings"]] == [
        each["bot"] for each in sorted(told["standings"], key=lambda each: -each["rating"])
    ]
    assert all(pair["a"] < pair["b"] for pair in told["pairs"])
    assert evaluate([]).notes == ("no match counts yet",)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0])
def test_a_level_that_is_none_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="expected a number between 0 and 1"):
        evaluate(duels(1, 1), alpha=alpha)
