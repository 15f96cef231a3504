from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betaincinv

from evaluation.tables import duels, match
from rivalry_evaluation import bootstrap, plackett_luce
from rivalry_evaluation.intervals import alike, of_mean
from rivalry_evaluation.terms import terms


def test_whole_blocks_are_drawn_and_a_seed_draws_the_same() -> None:
    weights = bootstrap.draws(7, 50, b"seed")

    assert set(weights.sum(axis=1)) == {7.0}
    assert np.array_equal(weights, bootstrap.draws(7, 50, b"seed"))
    assert not np.array_equal(weights, bootstrap.draws(7, 50, b"other"))


def test_the_standard_error_is_that_of_a_mean() -> None:
    values = np.random.default_rng(1).random((40, 1))

    found = bootstrap.errors(bootstrap.means(bootstrap.draws(40, 4000, b"x"), values), np.array([40]))

    assert found[0] == pytest.approx(values.std(ddof=1) / np.sqrt(40), rel=0.05)


def test_a_block_without_a_value_has_no_say() -> None:
    values = np.array([[0.2, np.nan], [0.4, 1.0]])

    found = bootstrap.means(np.array([[1.0, 1.0], [2.0, 0.0]]), values)

    assert found[0].tolist() == pytest.approx([0.3, 1.0])
    assert found[1][0] == pytest.approx(0.2)
    assert np.isnan(found[1][1])


@pytest.mark.parametrize("blocks", [5, 20, 60])
def test_the_ghost_bounds_what_separated_data_leave_open_as_jeffreys_does(blocks: int) -> None:
    gathered = terms(
        [match("ab", (1, 2), block=f"{at:03}") for at in range(blocks)], "ab", [f"{at:03}" for at in range(blocks)]
    )
    worth = plackett_luce.fitted(gathered)

    found = bootstrap.ratings(gathered, worth, bootstrap.draws(blocks, 4000, b"x"), b"x", ghost_blocks=True)

    share = betaincinv(blocks + 0.5, 0.5, 0.025)  # of the beta distribution; scipy.stats takes a second to import
    assert np.quantile(found[:, 0] - found[:, 1], 0.025) == pytest.approx(
        np.log(share / (1 - share)) * plackett_luce.ELO, abs=35
    )


def test_ratings_drawn_again_spread_as_the_likelihood_says() -> None:
    played = duels(60, 40)
    gathered = terms(played, "ab", [one.block for one in played])

    found = bootstrap.ratings(
        gathered, plackett_luce.fitted(gathered), bootstrap.draws(100, 2000, b"x"), b"x", ghost_blocks=False
    )

    by_hand = plackett_luce.ELO / np.sqrt(100 * 0.6 * 0.4)
    assert (found[:, 0] - found[:, 1]).std() == pytest.approx(by_hand, rel=0.06)


def test_blocks_that_are_all_alike_leave_room_for_what_did_not_come_yet() -> None:
    assert alike(0.5, 10, 0.05) == pytest.approx((0.5 * 0.05**0.1, 1 - 0.5 * 0.05**0.1))
    assert of_mean([0.5] * 10, 0.0, 0.05) == alike(0.5, 10, 0.05)
    assert of_mean([1.0], 0.0, 0.05) == pytest.approx((0.05, 1.0))


def test_an_interval_is_students_and_stays_in_its_bounds() -> None:
    low, high = of_mean([0.2, 0.4, 0.6], 0.1, 0.05)

    assert (low, high) == pytest.approx((max(0, 0.4 - 0.430265), 0.830265), abs=1e-5)
