"""What a seat's decisions are charged, in numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rivalry_server.clock import TimeControl
from rivalry_server.seat_clock import QUOTA_BACK_US, QUOTA_US, Charge, SeatClock
from server.test_time_control import controls

MS = 1_000
S = 1_000_000


def clock(text: str) -> SeatClock:
    """A seat's clock at the beginning of a match."""
    return SeatClock(TimeControl.parsed(text))


def decide(clock: SeatClock, measured_us: int, *, number: int = 2, network_us: int = 0, arena_us: int = 0) -> Charge:
    """One decision, settled."""
    charge = clock.charged(number, measured_us, network_us=network_us, arena_us=arena_us)
    clock.settle(charge)
    return charge


@pytest.mark.parametrize(
    ("control", "number", "budget_us"),
    [
        ("2s", 1, 60 * S),
        ("2s", 2, 2 * S),
        ("2s,first=2s", 1, 2 * S),
        ("2s,bank=10s", 2, 12 * S),
        ("2s,bank=10s", 1, 70 * S),
        ("2s,soft=1s,strikes=3", 1, 60 * S),
        ("2s,soft=1s,strikes=3", 2, 2 * S),
        ("50s+1s", 1, 50 * S),
        ("total=50s", 7, 50 * S),
        ("total=50s,first=10s", 1, 60 * S),
        ("untimed", 1, None),
        ("untimed", 9, None),
    ],
)
def test_the_time_told_is_the_prompts_own_and_the_bank(control: str, number: int, budget_us: int | None) -> None:
    assert clock(control).budget_us(number) == budget_us


@pytest.mark.parametrize(
    ("control", "measured_us", "network_us", "arena_us", "in_time", "charged_us", "bank_us"),
    [
        ("2s", 0, 0, 0, True, 0, 0),
        ("2s", 2 * S, 0, 0, True, 2 * S, 0),
        ("2s", 2 * S + 1, 0, 0, True, 2 * S, 0),
        ("2s", 2 * S + 50 * MS, 0, 0, True, 2 * S, 0),
        ("2s", 2 * S + 50 * MS + 1, 0, 0, False, 2 * S + 50 * MS + 1, 0),
        ("2s,margin=0ms", 2 * S, 0, 0, True, 2 * S, 0),
        ("2s,margin=0ms", 2 * S + 1, 0, 0, False, 2 * S + 1, 0),
        # The arena's delay makes late what was in time.
        ("2s", 7 * S, 0, 5 * S, True, 2 * S, 0),
        ("2s", 7 * S + 50 * MS, 0, 5 * S, True, 2 * S, 0),
        ("2s", 7 * S + 50 * MS + 1, 0, 5 * S, False, 2 * S + 50 * MS + 1, 0),
        ("2s", 7 * S, 0, 9 * S, True, 0, 0),
        # The network's part is credited as far as the quota goes.
        ("2s", 2 * S + 90 * MS, 40 * MS, 0, True, 2 * S, 0),
        ("2s", 2 * S + 90 * MS + 1, 40 * MS, 0, False, 2 * S + 50 * MS + 1, 0),
        ("2s", 4 * S, 3 * S, 0, False, 3 * S, 0),
        ("2s", 30 * MS, 40 * MS, 0, True, 0, 0),
        # The bank is drawn beyond the prompt's own time, and the margin is not drawn from it.
        ("2s,bank=10s", 2 * S, 0, 0, True, 2 * S, 10 * S),
        ("2s,bank=10s", 2 * S + 1, 0, 0, True, 2 * S + 1, 10 * S - 1),
        ("2s,bank=10s", 12 * S, 0, 0, True, 12 * S, 0),
        ("2s,bank=10s", 12 * S + 50 * MS, 0, 0, True, 12 * S, 0),
        ("2s,bank=10s", 12 * S + 50 * MS + 1, 0, 0, False, 12 * S + 50 * MS + 1, 0),
        ("2s,bank=10s", 13 * S, 0, S, True, 12 * S, 0),
        ("total=10s", 4 * S, 0, S, True, 3 * S, 7 * S),
        ("total=10s", 4 * S, 20 * MS, S, True, 2_980 * MS, 7_020 * MS),
        ("total=10s", 10 * S, 0, 0, True, 10 * S, 0),
        # The increment comes after an answer in time, to a bank that was just emptied as well, and after no other.
        ("10s+1s", 4 * S, 0, 0, True, 4 * S, 7 * S),
        ("10s+1s", 10 * S + 50 * MS, 0, 0, True, 10 * S, S),
        ("10s+1s", 10 * S + 50 * MS + 1, 0, 0, False, 10 * S + 50 * MS + 1, 0),
        ("10s+1s", 0, 0, 0, True, 0, 11 * S),
        ("2s,bank=0ms,increment=1s", 2 * S, 0, 0, True, 2 * S, S),
        ("untimed", 3_000 * S, 20 * MS, S, True, 2_998_980 * MS, 0),
    ],
)
def test_what_a_decision_is_charged(
    control: str, measured_us: int, network_us: int, arena_us: int, in_time: bool, charged_us: int, bank_us: int
) -> None:
    seat = clock(control)

    charge = decide(seat, measured_us, network_us=network_us, arena_us=arena_us)

    assert (charge.in_time, charge.charged_us, seat.bank_us) == (in_time, charged_us, bank_us)
    assert charge.measured_us == measured_us


def test_a_total_that_is_used_up_leaves_nothing_but_the_margin() -> None:
    seat = clock("total=10s")

    decide(seat, 10 * S)

    assert seat.budget_us(2) == 0
    assert decide(seat, 50 * MS).in_time
    assert not decide(seat, 50 * MS + 1).in_time


def test_a_first_prompt_has_its_own_time_before_the_bank_is_drawn() -> None:
    seat = clock("2s,bank=10s")

    decide(seat, 61 * S, number=1)

    assert seat.bank_us == 9 * S


def test_answers_later_than_the_soft_limit_cost_strikes_and_then_it_is_the_limit() -> None:
    seat = clock("2s,soft=1s,strikes=2")
    told = []

    for measured_us in (1_050 * MS, 1_050 * MS + 1, 2_050 * MS):
        assert decide(seat, measured_us).in_time
        told.append((seat.strikes_left, seat.budget_us(2)))

    assert told == [(2, 2 * S), (1, 2 * S), (0, S)]
    assert decide(seat, 1_050 * MS).in_time
    assert seat.strikes_left == 0
    assert not seat.charged(2, 1_050 * MS + 1, network_us=0, arena_us=0).in_time


def test_the_soft_limit_is_not_for_the_first_prompt() -> None:
    seat = clock("2s,soft=1s,strikes=1")

    assert decide(seat, 30 * S, number=1).in_time
    assert seat.strikes_left == 1


def test_a_strike_is_not_taken_for_what_the_arena_or_the_network_took() -> None:
    seat = clock("2s,soft=1s,strikes=1")

    decide(seat, 1_500 * MS, arena_us=400 * MS, network_us=60 * MS)

    assert seat.strikes_left == 1


def test_a_soft_limit_within_the_margin_of_the_other_still_costs_strikes() -> None:
    seat = clock("2s,soft=1990ms,strikes=1")

    assert decide(seat, 2_045 * MS).in_time
    assert seat.strikes_left == 0


def test_the_networks_credit_is_drawn_from_a_quota_that_comes_back_slowly() -> None:
    seat = clock("2s")

    charged = [decide(seat, 500 * MS, network_us=400 * MS).charged_us for _ in range(5)]

    assert charged == [100 * MS, 100 * MS, 100 * MS, 400 * MS, 400 * MS]
    for _ in range(20):
        decide(seat, 500 * MS)
    assert seat.quota_us == QUOTA_US


def test_a_round_trip_of_up_to_a_tenth_of_a_second_is_always_credited() -> None:
    seat = clock("2s")

    assert {decide(seat, S, network_us=QUOTA_BACK_US).charged_us for _ in range(100)} == {900 * MS}


def test_to_ask_what_a_decision_would_be_charged_changes_nothing() -> None:
    seat = clock("10s+1s")
    before = seat.state()

    seat.charged(2, 5 * S, network_us=10, arena_us=10)

    assert seat.state() == before


def test_what_all_decisions_took_is_added_up() -> None:
    seat = clock("2s")

    decide(seat, 500 * MS, network_us=20 * MS, arena_us=30 * MS)
    decide(seat, 9 * S)

    assert seat.spent.json() == {
        "bot_us": 9_450 * MS,
        "network_us": 20 * MS,
        "arena_us": 30 * MS,
        "charged_us": 9_450 * MS,
    }


@given(
    controls(),
    st.lists(st.tuples(st.integers(0, 10**11), st.integers(0, 10**7), st.integers(0, 10**11)), max_size=20),
)
def test_no_time_is_lost_or_made_and_a_clock_goes_on_from_its_state(
    control: TimeControl, decisions: list[tuple[int, int, int]]
) -> None:
    seat = SeatClock(control)
    measured_us = 0
    for number, (took_us, network_us, arena_us) in enumerate(decisions, start=1):
        budget_us = seat.budget_us(number)
        charge = decide(seat, took_us, number=number, network_us=network_us, arena_us=arena_us)
        measured_us += took_us

        assert min(charge.bot_us, charge.network_us, charge.arena_us, charge.charged_us, charge.bank_us) >= 0
        assert charge.charged_us <= took_us
        assert budget_us is None or not charge.in_time or charge.charged_us <= budget_us
        assert 0 <= charge.quota_us <= QUOTA_US
        seat = SeatClock.restored(control, seat.state())

    assert sum(seat.spent[:3]) == measured_us
