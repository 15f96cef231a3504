from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from rivalry_evaluation.sequential import BETS, Betting, gains, wealth


def run(scores: list[float], alpha: float = 0.05) -> Betting:
    betting = Betting(alpha)
    for score in scores:
        betting.add(score)
    return betting


def test_eight_blocks_that_are_all_won_are_enough_and_seven_are_not() -> None:
    # the capital of betting above 1/2 is close to the integral of (1 + f)**n over f, (2**(n + 1) - 1) / (n + 1)
    assert run([1.0] * 7).verdict == "undecided"
    assert run([1.0] * 8).verdict == "a"
    assert run([0.0] * 8).verdict == "b"


def test_the_capital_is_the_mean_of_what_every_bet_came_to() -> None:
    scores, mean = [0.9, 0.2, 0.7], 0.4
    bets = [(bet + 0.5) / BETS for bet in range(BETS)]

    logs = sum(gains(score, np.array([mean]))[0] for score in scores)

    by_hand = np.mean([np.prod([1 + bet * (score - mean) / mean for score in scores]) for bet in bets])
    assert float(np.exp(wealth(logs))[0]) == pytest.approx(by_hand)


def test_a_bet_is_fair_if_its_mean_is_true() -> None:
    scores, chances = np.array([0.0, 0.3, 1.0]), np.array([0.5, 0.2, 0.3])
    mean = np.array([float(scores @ chances)])

    for side in range(2):
        expected = sum(chance * np.exp(gains(score, mean)[side]) for score, chance in zip(scores, chances, strict=True))
        assert expected == pytest.approx(1.0)


def test_bots_that_are_level_in_every_block_are_never_told_apart() -> None:
    betting = run([0.5] * 150)

    assert betting.verdict == "undecided"
    assert betting.known.estimate == 0.5
    assert betting.known.low < 0.5 < betting.known.high


def test_the_interval_holds_the_estimate_and_shrinks() -> None:
    known = [run([1.0, 0.0, 0.75, 0.5, 1.0] * many).known for many in (1, 8, 40)]

    widths = [each.high - each.low for each in known]
    assert widths[0] > widths[1] > widths[2]
    assert [each.estimate for each in known] == pytest.approx([0.65] * 3)
    assert all(each.low < 0.65 < each.high for each in known)


def test_the_capital_does_not_depend_on_the_order_of_blocks() -> None:
    mean = np.array([0.5])
    capitals = {
        round(float(wealth(sum(gains(score, mean)[0] for score in order))[0]), 12)
        for order in permutations([1.0, 0.0, 0.75, 0.5, 1.0])
    }

    assert len(capitals) == 1


def test_the_verdict_says_that_one_half_is_outside_the_interval() -> None:
    generator = np.random.default_rng(3)
    betting = Betting(0.05)
    while betting.verdict == "undecided":
        assert betting.known.low <= 0.5 <= betting.known.high
        betting.add(float(generator.random() < 0.7))
    assert betting.verdict == "a"
    assert betting.known.low >= 0.5


def test_what_is_known_is_kept_when_later_scores_speak_against_it() -> None:
    assert run([1.0] * 12 + [0.0] * 12).verdict == "a"


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan")])
def test_a_score_outside_its_bounds_is_refused(score: float) -> None:
    with pytest.raises(ValueError, match=r"expected one in 0\.\.1"):
        run([score])
