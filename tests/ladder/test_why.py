"""Why a bot does not play: each reason there is has a case, and whoever has none may be matched."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from rivalry_ladder.online import Online
from rivalry_ladder.pairing import Candidate, Terms, paired
from rivalry_ladder.why import Facts, Why, codes, may_probe, obstacles

WELL = Facts("alice", "1", "kuhn", sessions=1, said=1, suited=1, answering=1, room=1)
"""Of a bot that may be matched."""
AWAY = {"sessions": 0, "said": 0, "suited": 0, "answering": 0, "room": 0}
CASES: list[tuple[Why, dict[str, Any], str]] = [
    (Why.DRAINING, {"draining": True}, "the server is stopping"),
    (Why.QUEUE_CLOSED, {"queue_closed": True}, "the server's settings have it no more"),
    (Why.QUEUE_PAUSED, {"queue_paused": "repairs"}, "the queue kuhn is paused: repairs"),
    (Why.PAUSED, {"paused": "holidays"}, "the bot is paused: holidays"),
    (Why.QUARANTINED, {"quarantined": "3 of its last 10 …"}, "it is in quarantine: 3 of its last 10 …"),
    (Why.TOKEN, {"token_ended": "revoked"}, "its token is revoked"),
    (Why.NOT_IN_SETTINGS, {"in_settings": False, "dials_in": False}, "do not have it any more"),
    (Why.PROGRAM, {"program_missing": "mybot", "dials_in": False}, "does not find the program 'mybot'"),
    (Why.NOT_CONNECTED, AWAY | {"last_seen": "2026-01-01 00:00:00Z"}, "it was last here 2026-01-01 00:00:00Z"),
    (Why.NOT_CONNECTED, AWAY, "it has not been here yet"),
    (
        Why.OTHER_VERSION,
        AWAY | {"sessions": 1, "versions": ("2",)},
        "says version '2'; the version that is registered is '1'",
    ),
    (Why.OTHER_GAMES, {"suited": 0, "answering": 0, "room": 0}, "does not play the game of kuhn"),
    (Why.SILENT, {"answering": 0, "room": 0}, "without a reply"),
    (Why.PROBE_OWED, {"probed": False}, "before it is rated; that is made next"),
    (Why.PROBE_RUNS, {"probed": False, "probe_running": True, "room": 0}, "its probe match runs"),
    (
        Why.PROBE_LATER,
        {"probed": False, "probe_in_s": 12.0, "probe_failed": "late"},
        r"failed \(late\); the next is made in 12 s",
    ),
    (
        Why.VOID,
        {"void": "nobody came", "void_in_s": 4.0},
        r"came to nothing \(nobody came\); it is matched again in 4 s",
    ),
    (Why.RESTS, {"rests_s": 2.5}, "rest between matches, for 2.5 s more"),
    (Why.BUSY, {"room": 0, "playing": ("abc",)}, "as many matches as it takes at once: abc"),
    (Why.BUSY, {"room": 0}, "no room for another match"),
]
OF_THE_MATCHMAKING = {Why.FULL, Why.NOBODY, Why.SAME_OWNER, Why.NOT_CLOSE}


@pytest.mark.parametrize(("why", "change", "said"), CASES)
def test_each_reason_is_told_alone_in_words_and_with_what_to_do(why: Why, change: dict[str, Any], said: str) -> None:
    (reason,) = obstacles(replace(WELL, **change))

    assert reason.why is why
    assert re.search(said, reason.text)


def test_there_is_a_case_for_every_reason() -> None:
    """The matchmaking's are tested with it; TURN is that of a bot that has no other; DATABASE is in test_trouble."""
    assert {why for why, _, _ in CASES} | OF_THE_MATCHMAKING | {Why.TURN, Why.DATABASE} == set(Why)
    assert obstacles(WELL) == []


def test_all_reasons_are_told_the_weightiest_first() -> None:
    facts = replace(WELL, **AWAY, paused="tea", quarantined="late", queue_paused="", probed=False)

    assert codes(obstacles(facts)) == ["queue-paused", "paused", "quarantined", "not-connected", "probe-owed"]


def test_a_bot_that_owes_a_probe_plays_it_if_nothing_else_keeps_it() -> None:
    owing = replace(WELL, probed=False)

    assert may_probe(owing)
    assert not may_probe(WELL)
    assert not may_probe(replace(owing, paused=""))
    assert not may_probe(replace(owing, room=0))


def test_whoever_has_no_obstacle_and_company_is_matched() -> None:
    two = [Candidate(entry, entry, entry, Online(), 0.0) for entry in (1, 2)]

    assert paired(two, Terms(2), most=1, seed=b"").left == {}
