"""``rivalry match`` with all bots in the process: what needs no wire.  The rest is in tests/e2e."""

from __future__ import annotations

import json
import sys

import pytest

KUHN = ("match", "--game", "kuhn", "--bot", "inproc:random", "--bot", "inproc:first")


def test_the_outcome_is_a_table_on_stdout(rivalry):
    said = rivalry(*KUHN, "--seed", "1")

    assert said.status == 0
    assert said.err == ""
    assert said.out.splitlines()[0].split() == ["rank", "seat", "bot", "score", "end"]
    assert len(said.out.splitlines()) == 3


def test_json_is_one_object_with_all_that_is_known(rivalry):
    match = rivalry(*KUHN, "--seed", "abc", "--json").json()

    assert {"match_id", "game", "options", "seed", "decisions", "duration_s", "record", "game_digest", "seats"} <= set(
        match
    )
    assert match["options"] == {"seats": 2}
    assert match["seed"] == "0x616263"
    assert match["record"] is None
    for number, seat in enumerate(match["seats"]):
        assert {"seat", "bot", "name", "version", "score", "rank", "end", "decisions", "illegal"} <= set(seat)
        assert seat["seat"] == number
    assert [seat["bot"] for seat in match["seats"]] == ["inproc:random", "inproc:first"]


def test_the_same_seed_is_the_same_game_and_another_is_another(rivalry):
    first = rivalry(*KUHN, "--seed", "x", "--json").json()
    again = rivalry(*KUHN, "--seed", "0x78", "--json").json()
    other = rivalry(*KUHN, "--seed", "y", "--json").json()

    assert first["game_digest"] == again["game_digest"] != other["game_digest"]
    assert first["match_id"] != again["match_id"]


def test_a_record_is_written_and_true(rivalry, tmp_path):
    path = tmp_path / "game.jsonl"

    match = rivalry(*KUHN, "--record", path, "--json").json()

    assert match["record"] == str(path)
    assert rivalry("verify", path, "--json").json() == {
        "true": True,
        "game_digest": match["game_digest"],
        "actions": match["decisions"],
    }


def test_with_count_each_match_is_a_line_and_has_a_seed_of_its_own(rivalry, tmp_path):
    said = rivalry(*KUHN, "--seed", "x", "--count", 3, "--record", tmp_path / "games", "--json")

    matches = [json.loads(line) for line in said.out.splitlines()]
    assert [match["number"] for match in matches] == [1, 2, 3]
    assert [bytes.fromhex(match["seed"][2:]) for match in matches] == [b"x/1", b"x/2", b"x/3"]
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == ["1.jsonl", "2.jsonl", "3.jsonl"]


def test_a_count_can_be_gone_on_with(rivalry):
    whole = rivalry(*KUHN, "--seed", "x", "--count", 4, "--json").out.splitlines()
    rest = rivalry(*KUHN, "--seed", "x", "--count", 4, "--from", 3, "--json").out.splitlines()

    digests = [json.loads(line)["game_digest"] for line in whole]
    assert [json.loads(line)["game_digest"] for line in rest] == digests[2:]


def test_a_person_gets_a_row_a_seat_for_many_matches(rivalry):
    said = rivalry(*KUHN, "--seed", "x", "--count", 5)

    heading, random, _ = said.out.splitlines()
    assert heading.split()[:4] == ["seat", "bot", "matches", "wins"]
    assert random.split()[:3] == ["0", "inproc:random", "5"]


def test_jobs_play_the_same_matches_in_the_same_order(rivalry):
    one = rivalry(*KUHN, "--seed", "x", "--count", 5, "--json").out.splitlines()
    two = rivalry(*KUHN, "--seed", "x", "--count", 5, "--jobs", 2, "--json").out.splitlines()

    assert [json.loads(line)["game_digest"] for line in one] == [json.loads(line)["game_digest"] for line in two]


def test_watch_tells_each_move_on_stderr(rivalry):
    said = rivalry(*KUHN, "--seed", "1", "--watch")

    assert "seat 0 random: " in said.err
    assert "begins" in said.err
    assert "seat 0 random: " not in said.out


def test_show_prompts_tells_what_each_seat_may_know_and_do(rivalry):
    said = rivalry(*KUHN, "--seed", "1", "--show", "prompts")

    assert "prompt 1 of seat 0: open" in said.err
    assert "  0: pass" in said.err
    assert '"card": ' in said.err


def test_a_match_begins_from_a_position(rivalry, tmp_path):
    position = tmp_path / "position.json"
    position.write_text(json.dumps({"game": "kuhn", "cards": ["king", "jack"], "moves": ["bet"]}), encoding="utf-8")
    record = tmp_path / "game.jsonl"

    match = rivalry(
        "match", "--position", position, "--bot", "inproc:first", "--bot", "inproc:first", "--record", record, "--json"
    ).json()

    assert match["decisions"] == 1
    assert [seat["score"] for seat in match["seats"]] == [1, -1]
    assert rivalry("verify", record).status == 0


def test_a_bot_that_raises_ends_as_a_crash_and_a_stand_in_plays_on(rivalry, tmp_path, monkeypatch):
    (tmp_path / "raising_bot.py").write_text(
        "from rivalry_client import Bot\n"
        "class Raising(Bot):\n    def choose(self, prompt):\n        raise KeyError('x')\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    bots = ("--bot", "inproc:raising_bot:Raising", "--bot", "inproc:first")

    match = rivalry("match", "--game", "kuhn", *bots, "--log", "none", "--json").json()
    void = rivalry("match", "--game", "kuhn", *bots, "--log", "none", "--on-crash", "void", "--json")

    assert match["seats"][0]["end"] == "crash"
    assert "KeyError" in match["seats"][0]["text"]
    assert [seat["rank"] for seat in match["seats"]] == [2, 1]
    assert void.status == 1
    assert [seat["rank"] for seat in void.json()["seats"]] == [None, None]
    assert void.json()["game_digest"] is None


TALKING = """
from rivalry_client import Bot
print("imported")
class Talking(Bot):
    def start(self, match):
        print("started")
    def choose(self, prompt):
        print("one", end="\\n\\n")
        print("half", end="")
        return 0
    def ended(self, match, outcome):
        print("ended")
"""


@pytest.mark.parametrize("more", [(), ("--json",), ("--json", "--count", 1)])
@pytest.mark.parametrize("wait", ["1s", "300ms"])
def test_what_a_bot_in_the_process_prints_goes_to_stderr_with_its_seat(rivalry, tmp_path, monkeypatch, more, wait):
    (tmp_path / "talking_bot.py").write_text(TALKING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "talking_bot", raising=False)
    other = "inproc:first" if wait == "1s" else "listen"

    said = rivalry("match", "--game", "kuhn", "--bot", "inproc:talking_bot:Talking", "--bot", other, "--wait", wait,
                   *more)  # fmt: skip

    if more:
        assert json.loads(said.out)["seats"][0]["name"] == "Talking"
    else:
        assert said.out.startswith("rank")
    lines = [line for line in said.err.splitlines() if not line.startswith("seat 1")]
    spoken = ["seat 0 Talking| started", "seat 0 Talking| one", "seat 0 Talking| ", "seat 0 Talking| half"]
    assert lines[:4] == ["imported", *spoken[:3]]
    assert lines[4].startswith("seat 0 Talking| half")
    assert lines[-1].endswith("ended")


def test_the_traceback_of_a_bot_in_the_process_is_short_and_shown_once(rivalry, tmp_path, monkeypatch):
    (tmp_path / "failing_bot.py").write_text(
        "from rivalry_client import Bot\n"
        "class Failing(Bot):\n    def choose(self, prompt):\n        raise KeyError('which')\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)

    said = rivalry("match", "--game", "kuhn", "--bot", "inproc:failing_bot:Failing", "--bot", "inproc:first")

    assert said.status == 0
    lines = said.err.splitlines()
    assert lines[0] == "seat 0 Failing| Traceback (most recent call last):"
    assert "failing_bot.py" in lines[1]
    assert lines[-1] == "seat 0 Failing| KeyError: 'which'"
    assert len(lines) <= 5


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--game", "kuhn"], "Missing option '--bot'"),
        (["--bot", "inproc:first"], "Missing option '--game'"),
        (["--game", "kuhn", "--bot", "inproc:first"], "1 time --bot: expected 2 for kuhn"),
        ([*KUHN[1:], "--option", "seats=3"], "option seats: 3 is not allowed; expected one of 2"),
        (
            ["--game", "ethnos", *KUHN[3:], "--option", "seats=3"],
            "2 times --bot was given; seats is",
        ),
        ([*KUHN[1:], "--time", "soon"], "--time soon: expected a time"),
        ([*KUHN[1:], "--wait", "untimed"], "--wait untimed: expected a time"),
        ([*KUHN[1:], "--on-crash", "laugh"], "policy 'laugh'; expected one of stand-in, end, void"),
        ([*KUHN[1:], "--seed", "0xx"], "seed '0xx'"),
        ([*KUHN[1:], "--jobs", "2"], "--jobs and --from go with --count"),
        ([*KUHN[1:], "--count", "2", "--from", "3"], "--from 3: expected 1 to 2"),
        ([*KUHN[1:], "--force"], "--force goes with --record"),
        ([*KUHN[1:], "--record", "/no/such/folder/game.jsonl"], "there is no folder /no/such/folder"),
        ([*KUHN[1:], "--position", "/no/such/file"], "/no/such/file"),
    ],
)
def test_bad_input_is_one_line_and_status_2(rivalry, arguments, complaint):
    said = rivalry("match", *arguments)

    assert said.status == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert complaint in said.err


def test_ctrl_c_says_how_to_go_on(rivalry, monkeypatch):
    from rivalry_server.commands import play

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(play, "played", interrupted)

    one = rivalry(*KUHN, "--seed", "x")
    many = rivalry(*KUHN, "--seed", "x", "--count", 4, "--from", 2)

    assert (one.status, many.status) == (130, 130)
    assert "--seed 0x78" in one.err
    assert "--count 4 and --from 2" in many.err
