from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import settings as how
from hypothesis import strategies as st

from rivalry_tournament import making, schedule
from rivalry_tournament.checking import check
from rivalry_tournament.schedule import ScheduleError
from tournament.made import any_settings, played, settings

quick = how(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
few = how(quick, max_examples=20)


def broken(made, rounds=None):
    return [finding.promise for finding in check(made, rounds) if not finding.held]


@few
@given(any_settings())
def test_a_schedule_of_any_kind_holds_what_it_promises_and_later_rounds_do(of):
    made = making.schedule(of)

    assert broken(made, played(made)) == []


@quick
@given(any_settings(), st.data())
def test_two_bots_that_change_their_seats_in_one_match_are_found(of, data):
    made = making.schedule(of)
    block = data.draw(st.sampled_from(made.blocks))
    match = data.draw(st.sampled_from(block.matches))
    one, other = data.draw(st.sampled_from([(a, b) for a in range(of.seats) for b in range(a)]))
    assume(match.seats[one] != match.seats[other])
    seats = list(match.seats)
    seats[one], seats[other] = seats[other], seats[one]

    assert broken(changed(made, block, replace(match, seats=tuple(seats)))) != []


@quick
@given(any_settings(), st.data())
def test_a_match_left_out_twice_or_with_another_id_or_bot_is_found(of, data):
    made = making.schedule(of)
    block = data.draw(st.sampled_from(made.blocks))
    match = data.draw(st.sampled_from(block.matches))
    matches = list(block.matches)
    how_ = data.draw(st.sampled_from(("left out", "twice", "id", "bot")))
    if how_ == "left out":
        matches.remove(match)
    elif how_ == "twice":
        matches.append(match)
    elif how_ == "id":
        matches[match.place - 1] = replace(match, match_id="0" * 32)
    else:
        bot = data.draw(st.sampled_from([name for name in of.names() if name != match.seats[0]]))
        matches[match.place - 1] = replace(match, seats=(bot, *match.seats[1:]))

    assert broken(with_block(made, replace(block, matches=tuple(matches)))) != []


@quick
@given(any_settings(), st.data())
def test_a_block_left_out_or_with_another_seed_or_number_is_found(of, data):
    made = making.schedule(of)
    block = data.draw(st.sampled_from(made.blocks))
    round_ = made.rounds[0]
    how_ = data.draw(st.sampled_from(("left out", "seed", "number", "table")))
    if how_ == "left out":
        blocks = tuple(other for other in round_.blocks if other != block)
        wrong = replace(made, rounds=(replace(round_, blocks=blocks),))
    else:
        change = {"seed": {"seed": b"another"}, "number": {"number": block.number + 1}, "table": {"bots": ("b00",)}}
        wrong = with_block(made, replace(block, **change[how_]))

    assert broken(wrong) != []


def test_a_table_played_in_place_of_another_is_found():
    made = making.schedule(settings("round-robin", 5, 2))
    first, second = made.blocks[:2]
    matches = tuple(
        replace(match, seats=tuple(second.bots[first.bots.index(bot)] for bot in match.seats))
        for match in first.matches
    )

    wrong = with_block(made, replace(first, bots=second.bots, matches=matches))

    assert "every two entrants meet equally often" in broken(wrong)


@few
@given(any_settings())
def test_what_is_written_is_read_again_the_same(of):
    made = making.schedule(of)

    again = schedule.parsed(made.text(), "schedule.json")

    assert again == made
    assert again.text() == made.text()
    assert making.schedule(again.settings) == made


def test_every_round_robin_table_has_the_same_seeds_and_every_number_its_own():
    made = making.schedule(settings("round-robin", 4, 2, blocks=3))

    by_number = {number: {block.seed for block in made.blocks if block.number == number} for number in (1, 2, 3)}

    assert [len(seeds) for seeds in by_number.values()] == [1, 1, 1]
    assert len(set().union(*by_number.values())) == 3
    assert len({block.cluster for block in made.blocks}) == 3


def test_match_ids_follow_from_seed_block_place_and_attempt():
    ids = {
        schedule.match_id(seed, block, place, attempt)
        for seed in (b"a", b"b")
        for block in ("1.1", "1.11", "11.1")
        for place in (1, 2)
        for attempt in (1, 2)
    }

    assert len(ids) == 24
    assert all(len(match_id) == 32 for match_id in ids)
    assert schedule.match_id(b"cup", "1.1", 1) == "329542d40f0e3f4c6f58f1e1aa47996e"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"[", "s.json: not JSON"),
        (b"[]", "s.json: expected one JSON object, a schedule"),
        (b"{}", "s.json: schedule format None; expected 1"),
        (b'{"format":1}', "s.json: no 'settings'; expected a schedule"),
        (b'{"format":1,"settings":{},"rounds":[]}', "s.json: no 'kind'; expected a schedule"),
        (b'{"format":1,"settings":[],"rounds":[]}', "s.json: "),
    ],
)
def test_a_file_that_is_no_schedule_is_refused(text, complaint):
    with pytest.raises(ScheduleError) as error:
        schedule.parsed(text, "s.json")

    assert str(error.value).startswith(complaint)


def test_an_unknown_key_of_a_schedule_is_an_error():
    value = making.schedule(settings("round-robin", 2)).json()

    with pytest.raises(ScheduleError, match="unknown key 'luck'"):
        schedule.parsed(json.dumps({**value, "luck": 1}).encode(), "s.json")


def changed(made, block, match):
    matches = list(block.matches)
    matches[match.place - 1] = match
    return with_block(made, replace(block, matches=tuple(matches)))


def with_block(made, block):
    rounds = tuple(
        replace(round_, blocks=tuple(block if other.id == block.id else other for other in round_.blocks))
        for round_ in made.rounds
    )
    return replace(made, rounds=rounds)
