"""The simulations of ``make simulation``, small: what they count stays near what is promised."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.simulate import NULLS, betting, classical, dealt, gathered, intervals, pairs
from evaluation.tables import match
from rivalry_evaluation.sequential import Betting
from rivalry_evaluation.sprt import Sprt
from rivalry_evaluation.terms import terms


@pytest.mark.parametrize("name", NULLS)
def test_equal_bots_are_seldom_told_apart_however_often_it_is_looked(name: str) -> None:
    ends = betting(NULLS[name], runs=400, blocks=60, mean=0.5, alpha=0.05, seed=7)

    assert ends.a + ends.b <= 31  # of 400 at 5 %: once in ten thousand times more


def test_the_simulation_is_the_test_that_is_run() -> None:
    scores = pairs(np.random.default_rng(5), 40)
    replayed = iter(scores)
    ends = betting(lambda _, many: np.full(many, next(replayed)), runs=2, blocks=40, mean=0.5, alpha=0.9, seed=0)
    real = Betting(0.9)
    for score in scores:
        real.add(float(score))
        if real.verdict != "undecided":
            break

    assert (ends.a > 0, ends.b > 0) == (real.verdict == "a", real.verdict == "b")


def test_walds_test_is_right_about_as_often_as_it_says() -> None:
    test = Sprt(-50, 50, 0.05)

    wrong = classical(-50, runs=400, blocks=400, test=test, seed=3)
    right = classical(50, runs=400, blocks=400, test=test, seed=4)

    assert wrong.a <= 31
    assert right.a >= 369


def test_intervals_hold_about_as_often_as_they_say() -> None:
    found = intervals(runs=40, blocks=20, luck=0.5, seed=1)

    assert max(found.utility, found.rating, found.pair, found.rank) <= 8  # of 40 at 5 %: once in three thousand times


def test_what_is_simulated_is_what_is_gathered_from_matches() -> None:
    found = dealt(np.random.default_rng(1), blocks=3, luck=0.5)
    played = [
        match("abcd", tuple(map(int, found[block, at])), block=f"{block:04}", name=f"{block}/{at}")
        for block in range(3)
        for at in range(4)
    ]

    real, simulated = terms(played, "abcd", ["0000", "0001", "0002"]), gathered(found)

    kinds = {tuple(kind): at for at, kind in enumerate(simulated.seats)}
    order = [kinds[tuple(kind)] for kind in real.seats]
    assert np.array_equal(real.counts, simulated.counts[:, order])
    assert simulated.counts.sum() == real.counts.sum() == 48
    assert np.array_equal(real.wins, simulated.wins)
