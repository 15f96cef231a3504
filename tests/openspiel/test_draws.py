"""Probabilities become draws in whole numbers."""

from __future__ import annotations

from collections import Counter

import pytest

from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError
from rivalry_openspiel.draws import drawn, unit


def stream(number: int = 0) -> Stream:
    return Stream(b"rivalry", f"chance/{number}")


def test_equal_probabilities_are_drawn_as_one_of_so_many() -> None:
    outcomes = [(place, 1 / 52) for place in range(52)]

    assert [drawn(outcomes, stream(number)) for number in range(8)] == [stream(number).below(52) for number in range(8)]


def test_the_draws_are_those_of_every_machine() -> None:
    outcomes = [(3, 0.2), (5, 0.5), (9, 0.3)]

    assert [drawn(outcomes, stream(number)) for number in range(12)] == [5, 5, 5, 9, 3, 9, 9, 5, 5, 5, 5, 9]


def test_a_last_bit_that_differs_changes_no_draw() -> None:
    exact = [(1, 0.1), (2, 0.7), (3, 0.2)]
    other = [(1, 0.1 + 2**-54), (2, 0.7 - 2**-53), (3, 0.2)]

    assert [drawn(exact, stream(n)) for n in range(200)] == [drawn(other, stream(n)) for n in range(200)]


def test_the_order_in_which_outcomes_are_told_changes_no_draw() -> None:
    outcomes = [(3, 0.2), (5, 0.5), (9, 0.3)]

    assert [drawn(outcomes, stream(n)) for n in range(50)] == [drawn(outcomes[::-1], stream(n)) for n in range(50)]


def test_outcomes_are_drawn_as_often_as_they_are_likely() -> None:
    one = stream()
    found = Counter(drawn([(0, 0.25), (1, 0.75)], one) for _ in range(2_000))

    assert abs(found[0] / 2_000 - 0.25) < 0.04


def test_nothing_to_draw_from_is_an_error() -> None:
    with pytest.raises(RivalryError, match="offers no outcome"):
        drawn([], stream())


def test_a_unit_is_below_one() -> None:
    one = stream()

    assert all(0 <= unit(one) < 1 for _ in range(100))
