"""All of it together: what is said of bots whose strengths are known."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from math import comb

import numpy as np
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
    assert a.utility_low == pytest.approx(0.025 ** (1 / 20), abs=1e-6)
    assert (a.rank_low, a.rank_high, b.rank_low, b.rank_high) == (1, 1, 2, 2)
    assert a.rating_low > b.rating_high
    assert any("how far apart" in note for note in found.notes)


@pytest.mark.parametrize(("blocks", "worst"), [(2, 2), (5, 2), (6, 1)])
def test_a_rank_is_settled_by_as_many_blocks_as_a_sign_test_needs(blocks: int, worst: int) -> None:
    a = evaluate(duels(blocks, 0)).standing("a")

    assert (a.rank_low, a.rank_high) == (1, worst)


@pytest.mark.parametrize("blocks", [2, 3, 4, 6, 8])
def test_coins_settle_places_and_pairs_wrongly_at_most_as_often_as_alpha(blocks: int) -> None:
    places = pairs = 0.0
    for won in range(blocks + 1):
        played = [replace(one, match=f"{one.match}/{at}") for one in duels(won, blocks - won) for at in range(10)]
        found = evaluate(played, resamples=200)
        weight = comb(blocks, won) / 2**blocks
        places += weight * (found.standings[0].rank_high == 1)
        pairs += weight * (not found.pairs[0].low <= 0.5 <= found.pairs[0].high)

    assert (places <= 0.05, pairs <= 0.05) == (True, True), (places, pairs)


@pytest.mark.parametrize(("blocks", "worst"), [(4, 2), (5, 2), (8, 1)])
def test_blocks_that_lean_one_way_settle_a_place_when_coins_would_seldom_do_so(blocks: int, worst: int) -> None:
    played = [
        match("ab", (1, 2) if at < 8 + block % 2 else (2, 1), block=f"{block}", name=f"{block}/{at}")
        for block in range(blocks)
        for at in range(10)
    ]
    found = evaluate(played)

    assert found.standing("a").rank_high == worst
    assert found.pairs[0].low > 0.5 or worst == 2


def test_orders_drawn_by_chance_settle_a_place_at_most_as_often_as_alpha() -> None:
    generator = np.random.default_rng(7)
    settled = 0
    for _ in range(100):
        orders = [generator.permutation(3) + 1 for _ in range(8)]
        played = [match("abc", order, block=f"{at}") for at, order in enumerate(orders)]
        a = evaluate(played, resamples=200).standing("a")
        settled += (a.rank_low, a.rank_high) != (1, 3)

    assert settled <= 5


def test_five_blocks_that_are_all_for_one_do_not_make_it_better_though_one_was_close() -> None:
    close = [match("ab", (1, 2), block="0", name="x"), match("ab", (1, 1), block="0", name="y")]
    five, eight = (evaluate(close + [match("ab", (1, 2), block=f"{at}") for at in range(1, n)]) for n in (5, 8))

    assert (five.pairs[0].low, five.standing("a").utility_low, five.standing("a").rank_high) == (0.5, 0.5, 2)
    assert eight.pairs[0].low > 0.5


def test_bots_with_the_same_results_have_the_same_figures() -> None:
    won = {"x": [1, 1, 0, 1], "y": [1, 1, 0, 1]}
    played = [
        match(bot + other, (1, 2) if win else (2, 1), block=f"{at}")
        for bot, wins in won.items()
        for at, win in enumerate(wins)
        for other in "zw"
    ]
    x, y = (replace(evaluate(played).standing(bot), bot="") for bot in "xy")
    level = [match("ab", (1, 1), block=f"{at}") for at in range(3)]
    a, b = (replace(evaluate(level).standing(bot), bot="", by_seat={}) for bot in "ab")

    assert x == y
    assert a == b


def test_a_rating_is_as_open_as_its_utility_where_all_blocks_came_to_the_same() -> None:
    a = evaluate(
        [match("ab", (1, 2), block=b) for b in "123"] + [match("ba", (1, 2), block=b) for b in "123"]
    ).standing("a")

    assert (a.utility_low, a.utility_high) == pytest.approx((0.184202, 0.815798), abs=1e-6)
    assert (a.rating_low, a.rating_high) == pytest.approx((-129.25, 129.25), abs=0.05)


def test_bots_of_groups_that_never_met_are_not_ranked_against_each_other() -> None:
    found = evaluate(duels(20, 0) + duels(0, 20, bots="cd"))

    assert {(each.bot, each.rank_low, each.rank_high) for each in found.standings} == {
        ("a", 1, 3),
        ("b", 2, 4),
        ("c", 2, 4),
        ("d", 1, 3),
    }
    assert any("2 groups that never met" in note for note in found.notes)


def test_the_method_tells_of_separated_data_where_there_are_any() -> None:
    assert "percentiles" in evaluate(duels(20, 0)).method
    assert "percentiles" not in evaluate(duels(10, 10)).method


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


def test_pairs_of_blocks_won_or_lost_have_the_interval_of_clopper_and_pearson() -> None:
    pair = evaluate(duels(8, 2)).pairs[0]

    assert (pair.low, pair.high) == pytest.approx((0.4439045, 0.9747893), abs=1e-6)


def test_faults_seats_shares_and_copies_are_told() -> None:
    crashed = replace(match("ab", (1, 2), block="1", scores=(3, 1)), ends=("normal", "crash"))
    alike = [replace(match("bc", (1, 2), block=block), transcript="same") for block in "123"]

    found = evaluate([crashed, *alike])

    assert found.standing("b").faults == {"crash": 1}
    assert found.standing("a").share == 0.75
    assert found.standing("b").by_seat == {0: (1, 1.0), 1: (1, 0.0)}
    assert (found.matches, found.copies) == (2, 2)
    assert any("2 matches went exactly" in note for note in found.notes)
    assert any("fell out" in note for note in found.notes)


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
