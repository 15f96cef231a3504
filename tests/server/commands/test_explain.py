"""``--explain-time``: whose the time of each decision was."""

from __future__ import annotations

import json

from rivalry_server.commands import explain
from rivalry_server.ledger import decision
from rivalry_server.seat_clock import Charge

MATCH = ("match", "--game", "kuhn", "--bot", "inproc:first", "--bot", "random", "--seed", "x", "--time", "2s,bank=10s")
SHARES = ("bot_us", "network_us", "arena_us")


def test_a_match_prints_a_line_a_decision_and_what_each_seat_took(rivalry):
    done = rivalry(*MATCH, "--explain-time")

    assert done.status == 0, done.err
    lines = [line.split() for line in done.out.splitlines()]
    assert ["seat", "prompt", "kind", "measured", "bot", "network", "arena", "charged", "left"] in lines
    assert sum(line[2:3] == ["open"] for line in lines) >= 1
    assert any(line[:2] == ["0", "inproc:first"] and line[-3:] == ["100.0", "0.0", "0.0"] for line in lines)


def test_its_json_holds_the_ledger_and_all_shares_add_up(rivalry):
    done = rivalry(*MATCH, "--explain-time", "--json")

    match = json.loads(done.out)
    for line in match["ledger"]:
        assert sum(line[share] for share in SHARES) == line["measured_us"]
        assert line["left_us"] == (70_000_000 if line["number"] == 1 else 12_000_000) - line["charged_us"]
    for seat in match["seats"]:
        own = [line for line in match["ledger"] if line["seat"] == seat["seat"]]
        assert {share: sum(line[share] for line in own) for share in SHARES} == {
            share: seat["spent"][share] for share in SHARES
        }
        assert len(own) == seat["decisions"]


def test_a_record_tells_the_same_but_for_the_moments(rivalry, tmp_path):
    file = tmp_path / "game.jsonl"
    played = json.loads(rivalry(*MATCH, "--explain-time", "--json", "--record", str(file)).out)["ledger"]

    told = json.loads(rivalry("replay", "--explain-time", "--json", str(file)).out)["ledger"]

    moments = ("begun_us", "returned_us", "read_us", "judged_us", "committed_us")
    assert told == [{**line, **dict.fromkeys(moments)} for line in played]
    shown = rivalry("replay", "--explain-time", str(file)).out
    assert "time of each decision" in shown
    assert "in all" in shown


def test_many_matches_hold_a_ledger_each(rivalry):
    done = rivalry(*MATCH, "--explain-time", "--json", "--count", "2", "--jobs", "2")

    assert [bool(json.loads(line)["ledger"]) for line in done.out.splitlines()] == [True, True]


def test_many_matches_explain_their_time_to_programs_alone(rivalry):
    done = rivalry(*MATCH, "--explain-time", "--count", "2")

    assert done.status == 2
    assert "--explain-time with --count goes with --json" in done.err


def test_a_prompt_that_was_lost_is_marked(capsys):
    charge = Charge(False, 2_051_000, 2_000, 10_000, 2_051_000, 0, 0, 0)
    line = decision(1, 3, "open", charge=charge, budget_us=2_000_000, lost=True)

    explain.table(explain.facts([line]), ["a", "b"])

    words = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["1", "3", "open", "(lost)", "2063.000", "2051.000", "2.000", "10.000", "2051.000", "0.000"] in words
    assert ["0", "a", "0", *["0.000"] * 5, *["0.0"] * 3] in words
    assert ["1", "b", "1", "2063.000", "2051.000", "2.000", "10.000", "2051.000", "99.4", "0.1", "0.5"] in words


def test_an_untimed_decision_has_nothing_left_to_tell(rivalry):
    done = rivalry(*MATCH[:-1], "untimed", "--explain-time", "--json")

    assert {line["left_us"] for line in json.loads(done.out)["ledger"]} == {None}
