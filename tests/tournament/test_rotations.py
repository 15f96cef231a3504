from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from rivalry_engine.error import RivalryError
from rivalry_tournament import rotations


@pytest.mark.parametrize("seats", range(2, 7))
def test_over_a_cycle_of_orders_each_sits_left_of_each_other_equally_often(seats):
    orders = rotations.orders(seats)

    left = Counter(pair for order in orders for pair in rotations.neighbours(order))

    assert len(orders) == rotations.CYCLES[seats]
    assert set(left) == set(permutations(range(seats), 2))
    assert len(set(left.values())) == 1


@pytest.mark.parametrize("seats", range(2, 7))
def test_full_rotations_are_all_permutations(seats):
    assert sorted(rotations.seatings(seats, "full", 1)) == sorted(permutations(range(seats)))


@pytest.mark.parametrize(("seats", "each"), [(3, 3), (3, 6), (4, 4), (4, 12), (5, 10), (5, 60), (6, 12), (6, 90)])
@pytest.mark.parametrize("number", [1, 2, 7])
def test_a_balanced_subset_has_each_on_each_seat_equally_often_and_no_seating_twice(seats, each, number):
    seatings = rotations.seatings(seats, f"balanced {each}", number)

    on = Counter((place, seat) for seating in seatings for seat, place in enumerate(seating))

    assert len(set(seatings)) == each
    assert set(on.values()) == {each // seats}


@pytest.mark.parametrize(("seats", "each"), [(4, 4), (4, 12), (5, 60), (6, 6), (6, 90)])
def test_over_blocks_neighbours_are_never_more_than_two_orders_apart(seats, each):
    left = Counter(dict.fromkeys(permutations(range(seats), 2), 0))

    for number in range(1, 7):
        for seating in rotations.seatings(seats, f"balanced {each}", number):
            left.update(rotations.neighbours(seating))

        assert max(left.values()) - min(left.values()) <= 2 * seats


@pytest.mark.parametrize(
    ("bots", "seats", "splits", "matches"),
    [
        (2, 3, "even", 6),
        (2, 4, "even", 6),
        (2, 4, "all", 14),
        (2, 5, "even", 20),
        (2, 6, "even", 20),
        (3, 4, "even", 36),
    ],
)
def test_splits_are_all_ways_to_share_the_seats(bots, seats, splits, matches):
    seatings = rotations.splits_of(bots, seats, splits)

    on = Counter((bot, seat) for seating in seatings for seat, bot in enumerate(seating))

    assert len(set(seatings)) == len(seatings) == matches
    assert len(set(on.values())) == 1


def test_two_at_four_seats_have_two_each_in_even_splits_and_one_to_three_in_all():
    even = {tuple(sorted(Counter(seating).values())) for seating in rotations.splits_of(2, 4, "even")}
    every = {tuple(sorted(Counter(seating).values())) for seating in rotations.splits_of(2, 4, "all")}

    assert even == {(2, 2)}
    assert every == {(2, 2), (1, 3)}


@pytest.mark.parametrize("text", ["half", "balanced", "balanced 0", "balanced 6", "balanced 28", "balanced x"])
def test_rotations_that_are_none_are_refused_with_what_was_expected(text):
    with pytest.raises(RivalryError, match=f"'{text}'; expected full, cyclic, or balanced N"):
        rotations.count(text, 4)


def test_counts_are_exact():
    assert [rotations.count("full", seats) for seats in range(2, 7)] == [factorial(seats) for seats in range(2, 7)]
    assert rotations.count("cyclic", 5) == 5
    assert rotations.count("balanced 24", 4) == 24
