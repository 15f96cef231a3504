from __future__ import annotations

from math import log

import numpy as np
import pytest

from rivalry_evaluation.sprt import Sprt, expected


def test_an_expected_score_is_that_of_elo() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)


def test_the_bounds_are_those_of_wald() -> None:
    assert Sprt(0, 10, 0.05).bound == pytest.approx(log(19))


def test_the_ratio_is_that_of_two_normal_distributions() -> None:
    scores = [0.5, 0.75, 1.0, 0.25, 0.5]
    zero, one = expected(-20), expected(20)
    variance = (0.25 + sum((score - 0.6) ** 2 for score in scores)) / 6

    by_hand = sum(((score - zero) ** 2 - (score - one) ** 2) / (2 * variance) for score in scores)

    assert Sprt(-20, 20, 0.05).ratio(scores) == pytest.approx(by_hand)
    assert Sprt(-20, 20, 0.05).ratio([]) == 0


def test_the_error_rates_are_about_those_asked_for() -> None:
    generator = np.random.default_rng(11)
    test = Sprt(0, 100, 0.05)
    wrong = 0
    for _ in range(300):
        scores: list[float] = []
        while (accepted := test.accepted(scores)) is None:
            scores.append(float(generator.binomial(4, 0.5)) / 4)
        wrong += accepted == "H1"
    assert 1 <= wrong <= 30


@pytest.mark.parametrize(
    ("elos", "accepted", "verdict"),
    [
        ((-10, 10), "H1", "a"),
        ((-10, 10), "H0", "b"),
        ((0, 10), "H1", "a"),
        ((0, 10), "H0", "undecided"),
        ((-10, 0), "H1", "undecided"),
        ((-10, 0), "H0", "b"),
        ((0, 10), None, "undecided"),
    ],
)
def test_a_verdict_says_no_more_than_the_hypothesis(elos: tuple[int, int], accepted: str, verdict: str) -> None:
    assert Sprt(*elos, 0.05).verdict(accepted) == verdict


def test_hypotheses_stand_in_order() -> None:
    with pytest.raises(ValueError, match="10,0: expected the smaller first"):
        Sprt(10, 0, 0.05)
