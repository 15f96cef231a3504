"""Results: once each, what counts, what follows for ratings and health."""

from __future__ import annotations

import random
from typing import Any

import pytest
from sqlalchemy import func, select

from ladder.made import VOID, bots, ended, entries, match, record, settled
from rivalry_ladder import official, registry, seasons
from rivalry_ladder.error import LadderError
from rivalry_ladder.online import MU, SIGMA
from rivalry_ladder.store import Store
from rivalry_ladder.tables import MATCHES, QUARANTINES, RESULTS, SEASONS


def test_a_result_that_is_told_twice_counts_once(store: Store) -> None:
    made = settled(store)
    game = match(store, 1, bots(store, "a", "b"))

    first, again = record(store, ended(game), made), record(store, ended(game), made)

    assert (first.new, first.counted, again.new) == (True, True, False)
    winner, loser = entries(store)
    assert winner.rating.mu > MU > loser.rating.mu
    assert (winner.rated, loser.rated) == (1, 1)
    assert winner.rating.sigma < SIGMA
    assert store.do(lambda connection: connection.execute(select(func.count()).select_from(RESULTS)).scalar()) == 1
    assert store.do(lambda connection: connection.execute(select(MATCHES.c.state)).scalar()) == "ended"


def test_a_run_that_the_arena_spoiled_is_kept_and_the_next_one_counts(store: Store) -> None:
    made = settled(store)
    game = match(store, 1, bots(store, "a", "b"))
    spoiled = ended(game, **VOID, ends=("arena_fault", "arena_fault"), void="the loop stood still", owed=True)

    assert not record(store, spoiled, made).counted
    assert store.do(lambda connection: connection.execute(select(MATCHES.c.state)).scalar()) == "open"
    assert record(store, ended(game, attempt=2, run_id="f" * 32), made).counted


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({**VOID, "void": "nobody came", "ends": ("no_show", "normal")}, "void: nobody came"),
        ({"versions": ("2", "1")}, "seat 0 was played by version '2', and a@1 was to play"),
    ],
)
def test_what_does_not_count_says_why_and_rates_nobody(light: Store, more: dict[str, Any], why: str) -> None:
    made = settled(light)
    game = match(light, 1, bots(light, "a", "b"))

    done = record(light, ended(game, **more), made)

    assert (done.counted, done.why_not) == (False, why)
    assert {row.rated for row in entries(light)} == {0}


def test_a_probe_match_that_ends_well_opens_the_ladder_and_rates_nobody(light: Store) -> None:
    made = settled(light)
    (row,) = bots(light, "a")

    done = record(light, ended(match(light, 1, [row, None], probe=True), (2, 1)), made)

    assert (done.counted, done.why_not) == (False, "a probe match is not rated")
    assert [(each.probed, each.rated) for each in entries(light)] == [(True, 0)]


def test_probe_matches_that_fail_are_made_again_later_and_then_no_more(store: Store) -> None:
    made = settled(store, ladder={"probes": 3, "probe_again_s": 10})
    (row,) = bots(store, "a")
    crash = {"ends": ("crash", "normal"), "texts": ("it exited", "")}

    dones = [record(store, ended(match(store, n, [row, None], probe=True), (2, 1), **crash), made) for n in (1, 2, 3)]

    assert [bool(done.quarantined) for done in dones] == [False, False, True]
    (now,) = entries(store)
    assert now.probe_after == 100 + 40
    assert now.quarantined is not None and "3 probe matches failed one after the other" in now.quarantined
    assert "crash: it exited" in now.quarantined


def test_too_many_faults_are_a_quarantine_with_a_reason_and_a_way_back(store: Store) -> None:
    made = settled(store, ladder={"faults": 3, "window": 5})
    rows = bots(store, "a", "b")
    late = {"ends": ("timeout", "normal"), "texts": ("2 s too late", "")}
    for number in range(1, 8):  # faults that are far apart are forgotten
        record(store, ended(match(store, number, rows), (2, 1), **(late if number in (1, 2, 7) else {})), made)
    assert [row.quarantined for row in entries(store)] == [None, None]

    record(store, ended(match(store, 8, rows), (2, 1), **late), made)
    done = record(store, ended(match(store, 9, rows), (2, 1), **late), made)

    reason = "3 of its last 5 matches ended by its fault (timeout ×3); the last was "
    assert done.quarantined["a@1"].startswith(reason)
    assert entries(store)[0].quarantined == done.quarantined["a@1"]
    assert entries(store)[1].quarantined is None
    store.do(lambda connection: registry.resumed(connection, "a", by="ann", now=200.0))
    (back,) = entries(store, "a")
    assert (back.quarantined, back.probed) == (None, False)
    record(store, ended(match(store, 300, rows), (2, 1), **late), made)  # what was before the way back is past
    assert entries(store, "a")[0].quarantined is None
    assert store.do(lambda connection: connection.execute(select(QUARANTINES.c.ended_by)).scalars().all()) == ["ann"]


def test_who_did_not_come_back_after_a_restart_is_not_blamed(light: Store) -> None:
    made = settled(light, ladder={"faults": 1, "window": 1})
    rows = bots(light, "a", "b")
    gone = {**VOID, "void": "the seat was not taken", "ends": ("no_show", "normal")}

    excused = record(light, ended(match(light, 1, rows), **gone, excused=True), made)
    blamed = record(light, ended(match(light, 2, rows), **gone), made)

    assert (excused.quarantined, list(blamed.quarantined)) == ({}, ["a@1"])


def played(store: Store, order: list[int]) -> list[official.Line]:
    """Three bots of different strength over 60 matches, whose results come in an order."""
    made = settled(store, ladder={"resamples": 100})
    rows = bots(store, "a", "b", "c")
    games = {}
    for number in sorted(order):
        one, other = random.Random(number).sample(range(3), 2)
        wins = random.Random(number * 7).random() < (0.85 if one < other else 0.15)
        games[number] = ended(match(store, number, [rows[one], rows[other]]), (1, 2) if wins else (2, 1))
    for number in order:
        record(store, games[number], made)
    season = store.do(lambda connection: connection.execute(select(SEASONS.c.id)).scalar())
    return store.do(lambda connection: official.lines(connection, rows[0].queue_id, season or 0))


def test_the_official_table_is_the_same_in_whatever_order_results_come(light: Store) -> None:
    order = list(range(1, 61))
    random.Random(5).shuffle(order)

    lines = played(light, order)
    table = official.table(lines, alpha=0.05, resamples=40)
    again = official.table(sorted(lines, key=lambda line: line.match_id), alpha=0.05, resamples=40)

    assert table == again
    assert [row["label"] for row in table["rows"]] == ["a@1", "b@1", "c@1"]
    assert table["matches"] == 60
    assert table["log_digest"] != official.log_digest(lines[1:])


def test_a_season_ends_with_snapshots_and_the_next_begins_with_an_empty_table_and_less_sure(light: Store) -> None:
    lines = played(light, list(range(1, 61)))
    season, logs = light.do(seasons.logs)
    tables = {queue: official.table(log, alpha=0.05, resamples=40) for queue, log in logs.items()}
    stale = {queue: table | {"log_digest": ""} for queue, table in tables.items()}

    assert not light.do(lambda connection: seasons.start(connection, "2", season, stale, now=9.0))
    assert light.do(lambda connection: seasons.start(connection, "2", season, tables, now=9.0))

    queue = next(iter(tables))
    kept = light.do(lambda connection: seasons.snapshot(connection, season, queue))
    assert kept == tables[queue]
    assert kept["matches"] == len(lines) == 60
    assert light.do(seasons.logs)[1] == {queue: []}
    assert all(row.rating.sigma >= SIGMA / 2 for row in entries(light))
    with pytest.raises(LadderError, match="there was a season '2' before"):
        light.do(lambda connection: seasons.check_new(connection, "2"))
