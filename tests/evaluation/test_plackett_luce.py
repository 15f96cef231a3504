from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations
from math import exp, log

import numpy as np
import pytest
from scipy.optimize import minimize

from evaluation.tables import drawn, duels, match
from rivalry_evaluation import plackett_luce
from rivalry_evaluation.played import Played
from rivalry_evaluation.terms import choices, terms

NONE = 1e-12
"""A ghost that has no say."""


def worths(played: Sequence[Played], bots: str, ghost: float = NONE) -> np.ndarray:
    blocks = sorted({one.block for one in played})
    found = plackett_luce.fitted(terms(played, list(bots), blocks), ghost)
    return found - found.mean()


def likelihood(worth: np.ndarray, played: Sequence[Played], bots: str, ghost: float) -> float:
    """The log likelihood as it is defined: averaged over every order that the ranks leave open."""
    whole = 0.0
    for one in played:
        orders = [
            order
            for order in permutations(range(len(one.bots)))
            if all(one.ranks[a] <= one.ranks[b] for a, b in pairwise(order))
        ]
        a = [exp(worth[bots.index(bot)]) for bot in one.bots]
        for order in orders:
            left = list(order)
            while left:
                whole += log(a[left[0]] / sum(a[seat] for seat in left)) / len(orders)
                left.pop(0)
    return whole + sum(ghost * (one - 2 * log(1 + exp(one))) for one in worth)


def test_a_match_of_two_that_is_drawn_is_half_a_win_for_each() -> None:
    assert sorted(choices([0, 1], (1, 1))) == [((0,), 0.5), ((0, 1), 1.0), ((1,), 0.5)]


def test_two_bots_have_the_odds_of_their_wins() -> None:
    a, b = worths(duels(30, 10), "ab")

    assert a - b == pytest.approx(log(3), abs=1e-8)


@pytest.mark.parametrize(("matches", "expected"), [((7, 7), (200, -200)), ((3, 1), (100, -300))])
def test_the_mean_of_ratings_is_zero_with_each_bot_as_often_as_it_has_matches(
    matches: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    worth = np.array([log(10), 0.0])

    assert plackett_luce.ratings(worth, np.array(matches)).tolist() == pytest.approx(list(expected))


def test_who_all_have_as_many_matches_have_the_plain_mean_to_the_last_bit() -> None:
    worth = np.random.default_rng(1).normal(size=(50, 7))
    plain = (worth - worth.mean(axis=-1, keepdims=True)) * plackett_luce.ELO

    assert np.array_equal(plackett_luce.ratings(worth, np.full(7, 12.0)), plain)


def test_draws_count_half() -> None:
    a, b = worths(duels(25, 5, 10), "ab")

    assert a - b == pytest.approx(log(3), abs=1e-8)


def test_the_ghost_adds_half_a_win_and_half_a_loss() -> None:
    a, b = worths(duels(40, 0), "ab", plackett_luce.GHOST)
    # by symmetry b is at -a: the slope 40 (1 - p(2a)) + 1/2 - p(a) is 0
    assert 40 * (1 - 1 / (1 + exp(-2 * a))) + 0.5 - 1 / (1 + exp(-a)) == pytest.approx(0, abs=1e-6)
    assert a == -b


@pytest.mark.parametrize("ghost", [NONE, 0.5])
def test_the_fit_is_where_an_optimiser_finds_the_greatest_likelihood(ghost: float) -> None:
    played = [
        match("abcd", (1, 2, 2, 4), block="1"),
        match("abcd", (3, 1, 1, 1), block="2"),
        match("aabc", (2, 2, 1, 4), block="3"),
        match("dcba", (1, 2, 3, 4), block="4"),
        match("cdd", (1, 2, 3), block="5"),
        match("bd", (1, 1), block="6"),
    ]

    oracle = minimize(
        lambda x: -likelihood(np.array(x), played, "abcd", ghost), np.zeros(4), method="BFGS", options={"gtol": 1e-7}
    ).x

    assert worths(played, "abcd", ghost) == pytest.approx(oracle - oracle.mean(), abs=1e-4)


def test_worths_that_matches_were_drawn_from_are_found_again() -> None:
    true = {"a": -1.0, "b": -0.5, "c": 0.0, "d": 0.5, "e": 1.0}

    found = worths(drawn(true, blocks=400, seats=4, seed=5), "abcde", plackett_luce.GHOST)

    assert found == pytest.approx(list(true.values()), abs=0.12)


def test_bots_that_never_lost_or_never_met_have_finite_ratings_in_the_right_order() -> None:
    chain = [match("ab", (1, 2), block=str(at)) for at in range(5)]
    chain += [match("bc", (1, 2), block=str(at)) for at in range(5)]
    chain += [match("de", (1, 2), block=str(at)) for at in range(5)]

    a, b, c, d, e = worths(chain, "abcde", plackett_luce.GHOST)

    assert 10 > a > b > c > -10
    assert d > e
    assert d == pytest.approx(-e)


def test_hard_data_converge() -> None:
    ladder = [match("abcdefghij"[at : at + 2], (1, 2), block=f"{many}") for many in range(400) for at in range(9)]

    found = worths(ladder, "abcdefghij", plackett_luce.GHOST)

    assert np.all(np.diff(found) < 0)
