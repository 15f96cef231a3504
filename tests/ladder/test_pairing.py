"""Matchmaking: never a bot twice, the same for the same candidates, near ratings first, nobody left who could play."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from rivalry_ladder.online import Online
from rivalry_ladder.pairing import Candidate, Terms, explores, gap, paired
from rivalry_ladder.why import Why

CANDIDATES = st.lists(
    st.builds(
        lambda entry, bot, **more: Candidate(entry, bot, bot % 5, **more),
        entry=st.integers(1, 30),
        bot=st.integers(1, 12),
        rating=st.builds(Online, st.floats(0, 50), st.floats(0.5, 9)),
        waited_s=st.floats(0, 300),
        room=st.integers(1, 3),
        met=st.lists(st.integers(1, 12), max_size=4).map(tuple),
        explores=st.booleans(),
    ),
    unique_by=lambda each: each.entry,
    max_size=20,
)
TERMS = st.builds(Terms, st.integers(2, 5), st.booleans(), st.floats(0.1, 3), st.floats(1, 100))


@given(CANDIDATES, TERMS, st.integers(0, 9), st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_tables_are_whole_nobody_sits_twice_and_the_order_of_candidates_is_nothing(
    candidates: list[Candidate], terms: Terms, most: int, seed: int
) -> None:
    found = paired(candidates, terms, most=most, seed=bytes([seed]))

    by_entry = {each.entry: each for each in candidates}
    for table in found.tables:
        seated = [by_entry[entry] for entry in table]
        assert len(table) == terms.seats
        assert len({each.bot for each in seated}) == terms.seats
        assert terms.same_owner or len({each.owner for each in seated}) == terms.seats
    assert len(found.tables) <= most
    for each in candidates:
        assert sum(each.entry in table for table in found.tables) <= each.room
        assert any(each.entry in table for table in found.tables) != (each.entry in found.left)
    shuffled = random.Random(seed).sample(candidates, len(candidates))
    assert paired(shuffled, terms, most=most, seed=bytes([seed])) == found


@given(CANDIDATES, TERMS)
@settings(max_examples=40, deadline=None)
def test_whoever_has_waited_long_plays_if_anybody_may_play_with_it(candidates: list[Candidate], terms: Terms) -> None:
    found = paired(candidates, Terms(terms.seats, terms.same_owner, 100.0, terms.patience_s), most=99, seed=b"")

    for entry, reason in found.left.items():
        mine = next(each for each in candidates if each.entry == entry)
        free = [
            each
            for each in candidates
            if sum(each.entry in table for table in found.tables) < each.room and each != mine
        ]
        others = {each.bot for each in free if each.bot != mine.bot}
        owners = {each.owner for each in free if each.bot != mine.bot and each.owner != mine.owner}
        assert reason.why in (Why.NOBODY, Why.SAME_OWNER)
        assert len(others if terms.same_owner else owners) < terms.seats - 1


def candidate(
    entry: int, mu: float, *, sigma: float = 1.0, waited_s: float = 0.0, met: tuple[int, ...] = ()
) -> Candidate:
    """A bot of its own owner."""
    return Candidate(entry, entry, entry, Online(mu, sigma), waited_s, met=met)


def test_the_nearest_rating_is_taken() -> None:
    found = paired([candidate(1, 25, waited_s=5), candidate(2, 33), candidate(3, 27)], Terms(2), most=9, seed=b"")

    assert [set(table) for table in found.tables] == [{1, 3}]
    assert found.left[2].why is Why.NOBODY


def test_of_two_that_are_as_near_the_less_known_is_taken_then_who_has_waited_then_who_was_not_met() -> None:
    me = candidate(1, 25, waited_s=30, met=(2, 2))

    unsure = paired([me, candidate(2, 26), candidate(3, 26, sigma=6)], Terms(2), most=1, seed=b"")
    waited = paired([me, candidate(2, 26), candidate(3, 26, waited_s=20)], Terms(2), most=1, seed=b"")
    met = paired([me, candidate(2, 26), candidate(3, 26)], Terms(2), most=1, seed=b"")

    assert [set(found.tables[0]) for found in (unsure, waited, met)] == [{1, 3}] * 3


def test_whoever_is_far_away_is_taken_after_a_wait() -> None:
    near, far = candidate(1, 10), candidate(2, 40)

    at_once = paired([near, far], Terms(2, gap=1.0, patience_s=20), most=9, seed=b"")
    later = paired([candidate(1, 10, waited_s=100), far], Terms(2, gap=1.0, patience_s=20), most=9, seed=b"")

    assert gap(near.rating, far.rating) > 4
    assert at_once.left[1].why is Why.NOT_CLOSE
    assert "1.00 is allowed so far, which grows by 1 every 20 s" in at_once.left[1].text
    assert len(later.tables) == 1


def test_whoever_explores_meets_anybody_by_chance_and_the_share_of_that_is_as_asked() -> None:
    me = replace(candidate(1, 10, waited_s=1), explores=True)
    others = [candidate(2, 11), candidate(3, 30), candidate(4, 45)]

    met = {next(iter({*paired([me, *others], Terms(2), most=1, seed=bytes([n])).tables[0]} - {1})) for n in range(40)}

    assert met == {2, 3, 4}
    assert 200 < sum(explores(entry, matches, 0.25) for entry in range(10) for matches in range(100)) < 300
    assert not any(explores(1, matches, 0.0) for matches in range(100))


def test_seats_are_dealt_evenly() -> None:
    first = [
        paired([candidate(1, 25), candidate(2, 25)], Terms(2), most=1, seed=bytes([n])).tables[0][0] for n in range(200)
    ]

    assert 70 < first.count(1) < 130


def test_bots_of_one_owner_and_a_full_server_are_told() -> None:
    twins = [Candidate(1, 1, 7, Online(), 0.0), Candidate(2, 2, 7, Online(), 0.0)]

    alone = paired(twins, Terms(2), most=9, seed=b"").left[1]
    assert alone.why is Why.SAME_OWNER and "--owner NAME" in alone.remedy and "same_owner = true" in alone.remedy
    assert len(paired(twins, Terms(2, same_owner=True), most=9, seed=b"").tables) == 1
    assert paired(twins, Terms(2), most=0, seed=b"").left[1].why is Why.FULL
