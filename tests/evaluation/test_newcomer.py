"""A bot that has hardly played beside bots that have played much: what is not known of it is not known of it alone."""

from __future__ import annotations

from collections import Counter
from math import exp
from statistics import mean

import numpy as np
import pytest

from rivalry_evaluation.evaluation import evaluate
from rivalry_evaluation.plackett_luce import ELO
from rivalry_evaluation.played import Played

KNOWN = {"a": 0.8, "b": 0.4, "c": 0.0, "d": -0.4, "e": -0.8}
NEW = "new"
RUNS = 15


def ladder(
    generator: np.random.Generator, worths: dict[str, float], *, matches: int = 300, of_new: int = 5
) -> list[Played]:
    """Matches of two, each a block, among those known, then those of the newcomer; ``worths`` are their log worths."""
    names = sorted(KNOWN)
    tables = [tuple(names[at] for at in generator.permutation(len(names))[:2]) for _ in range(matches)]
    tables += [(NEW, names[generator.integers(len(names))]) for _ in range(of_new)]
    found = []
    for at, (one, other) in enumerate(tables):
        ranks = (1, 2) if generator.random() < 1 / (1 + exp(worths[other] - worths[one])) else (2, 1)
        found.append(Played(f"{at:04}", f"{at:04}", (one, other), ranks, (0, 0), ("normal",) * 2, f"{at}"))
    return found


def true_ratings(played: list[Played], worths: dict[str, float]) -> dict[str, float]:
    """By bot what an endless fit would come to: mean 0 over the bots, each as often as it has matches."""
    seen = Counter(bot for match in played for bot in match.bots)
    middle = sum(worths[bot] * many for bot, many in seen.items()) / seen.total()
    return {bot: (worths[bot] - middle) * ELO for bot in seen}


@pytest.mark.parametrize("worth", [-3.0, 0.4])
def test_a_newcomer_leaves_the_intervals_of_all_others_as_wide_as_they_were_and_they_hold(worth: float) -> None:
    worths = KNOWN | {NEW: worth}
    generator = np.random.default_rng(11)
    missed, wider = Counter[str](), []
    for run in range(RUNS):
        played = ladder(generator, worths)
        true = true_ratings(played, worths)

        found = evaluate(played, resamples=200, seed=b"%d" % run)
        without = evaluate([match for match in played if NEW not in match.bots], resamples=200, seed=b"%d" % run)

        for bot, rating in true.items():
            standing = found.standing(bot)
            missed[bot] += not standing.rating_low <= rating <= standing.rating_high
            if bot != NEW:
                before = without.standing(bot)
                wider.append((standing.rating_high - standing.rating_low) / (before.rating_high - before.rating_low))

    assert max(wider) < 1.3
    assert 0.9 < mean(wider) < 1.1
    assert missed.total() - missed[NEW] <= 11  # of 75 at 5 %: once in a thousand times more
    assert missed[NEW] <= 4  # of 15


def test_ratings_are_zero_in_the_mean_with_each_bot_as_often_as_it_has_matches() -> None:
    found = evaluate(ladder(np.random.default_rng(1), KNOWN | {NEW: 1.0}), resamples=50)

    assert sum(each.matches * each.rating for each in found.standings) == pytest.approx(0, abs=0.1)
