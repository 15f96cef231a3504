"""Matches as a user starts them: bots in their own processes, in the arena's, and both."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.program import RIVALRY, match, rivalry, running

BOTS = ("greedy", "random", "hoarder", "first", "random", "first")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_match_for_each_number_of_seats(seats):
    played = match("ethnos", *BOTS[:seats], more=("--seed", seats))

    assert [seat["end"] for seat in played["seats"]] == ["normal"] * seats
    assert [seat["name"] for seat in played["seats"]] == list(BOTS[:seats])
    assert played["decisions"] == sum(seat["decisions"] for seat in played["seats"])
    assert min(seat["rank"] for seat in played["seats"]) == 1


@pytest.mark.parametrize("bots", [("random", "first", "greedy"), ("hoarder", "random")])
def test_the_same_seed_is_the_same_game_in_process_over_the_wire_and_mixed(bots):
    inside = tuple(f"inproc:{bot}" for bot in bots)
    over_the_wire = match("ethnos", *bots, more=("--seed", "same"))
    in_process = match("ethnos", *inside, more=("--seed", "same"))
    mixed = match("ethnos", *inside[:1], *bots[1:], more=("--seed", "same"))
    another = match("ethnos", *inside, more=("--seed", "other"))

    assert over_the_wire["game_digest"] == in_process["game_digest"] == mixed["game_digest"]
    assert another["game_digest"] != in_process["game_digest"]


def test_a_record_over_the_wire_is_true_and_refused_after_a_byte_changed(tmp_path):
    path = tmp_path / "game.jsonl"
    played = match("ethnos", "random", "first", more=("--seed", "r", "--record", path))

    true = rivalry("verify", path, "--json")
    assert json.loads(true.stdout)["game_digest"] == played["game_digest"]

    good = path.read_bytes()
    for at in range(len(good) // 4, len(good), len(good) // 4):
        path.write_bytes(good[:at] + bytes([good[at] ^ 2]) + good[at + 1 :])
        refused = rivalry("verify", path)
        assert refused.returncode == 1
        assert refused.stderr.count("\n") == 1


def test_many_matches_over_two_processes_are_those_of_one(tmp_path):
    common = (
        "match",
        "--game",
        "kuhn",
        "--bot",
        "random",
        "--bot",
        "inproc:first",
        "--seed",
        "m",
        "--count",
        3,
        "--json",
    )

    one = rivalry(*common, "--record", tmp_path / "one")
    two = rivalry(*common, "--jobs", 2, "--record", tmp_path / "two")

    digests = [[json.loads(line)["game_digest"] for line in done.stdout.splitlines()] for done in (one, two)]
    assert (one.returncode, two.returncode) == (0, 0)
    assert len(digests[0]) == 3
    assert digests[0] == digests[1]


def test_ten_lines_of_python_take_a_seat(tmp_path):
    rivalry("bot", "new", "my_bot.py", cwd=tmp_path)

    done = rivalry(
        "match", "--game", "ethnos", "--bot", f"cmd:{sys.executable} my_bot.py", "--bot", "inproc:random", "--json",
        cwd=tmp_path,
    )  # fmt: skip

    assert [seat["end"] for seat in json.loads(done.stdout)["seats"]] == ["normal", "normal"]


def test_a_bot_that_waits_is_dialled(tmp_path):
    target = f"unix:{tmp_path}/bot.sock"
    with running("bot", "random", "--host-bot", target):
        dialled = match("kuhn", f"dial:{target}", "inproc:first", more=("--seed", "d"))

    assert dialled["seats"][0]["end"] == "normal"
    assert dialled["game_digest"] == match("kuhn", "inproc:random", "inproc:first", more=("--seed", "d"))["game_digest"]


def test_a_seat_that_listens_says_how_to_join():
    with running(
        "match", "--game", "kuhn", "--bot", "listen", "--bot", "inproc:first", "--seed", "l", "--json"
    ) as arena:
        assert arena.stderr is not None
        told = arena.stderr.readline()
        address = re.search(r"--address (\S+)", told)
        token = re.search(r"RIVALRY_TOKEN=(\S+)", told)
        assert address is not None, told
        joined = rivalry("bot", "random", "--address", address[1], *(["--token", token[1]] if token else []))
        out, _ = arena.communicate(timeout=30)

    assert joined.returncode == 0
    assert [seat["name"] for seat in json.loads(out)["seats"]] == ["random", "first"]


def test_a_seat_that_stays_empty_is_a_no_show():
    played = match("kuhn", "listen", "inproc:first", more=("--wait", "300ms"))

    assert [seat["end"] for seat in played["seats"]] == ["no_show", "normal"]
    assert [seat["rank"] for seat in played["seats"]] == [2, 1]


def test_a_void_match_has_status_1_and_neither_ranks_nor_scores():
    done = rivalry(
        "match",
        "--game",
        "kuhn",
        "--bot",
        "listen",
        "--bot",
        "first",
        "--wait",
        "300ms",
        "--on-no-show",
        "void",
        "--json",
    )

    assert done.returncode == 1
    assert [(seat["rank"], seat["score"]) for seat in json.loads(done.stdout)["seats"]] == [(None, None)] * 2


def test_a_command_that_cannot_be_started_is_bad_input():
    done = rivalry("match", "--game", "kuhn", "--bot", "cmd:/no/such/program", "--bot", "first")

    assert done.returncode == 2
    assert "/no/such/program" in done.stderr
    assert done.stderr.count("\n") == 1


def test_ctrl_c_is_130_and_says_how_to_go_on():
    with running("match", "--game", "kuhn", "--bot", "listen", "--bot", "first", "--seed", "c") as arena:
        assert arena.stderr is not None
        arena.stderr.readline()
        arena.send_signal(signal.SIGINT)
        _, err = arena.communicate(timeout=30)

    assert arena.returncode == 130
    assert "--seed 0x63" in err


def test_a_match_is_watched_without_a_terminal():
    done = rivalry("match", "--game", "ethnos", "--bot", "first", "--bot", "random", "--seed", "w", "--watch")

    assert done.returncode == 0
    assert "\x1b" not in done.stdout + done.stderr
    assert "   1  seat " in done.stderr
    assert done.stdout.splitlines()[0].split() == ["rank", "seat", "bot", "score", "end"]


def test_a_reader_that_closes_the_pipe_and_a_full_disk_leave_no_traceback(tmp_path):
    many = ("match", "--game", "kuhn", "--bot", "inproc:first", "--bot", "inproc:first", "--count", 200, "--json")
    with running(*many) as closed:
        assert closed.stdout is not None
        assert closed.stderr is not None
        closed.stdout.readline()
        closed.stdout.close()
        told = closed.stderr.read()
    assert (closed.returncode, told) == (141, "")

    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            done = subprocess.run([RIVALRY, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_among_many_says_where_to_go_on_and_leaves_nobody_behind(jobs):
    bots = ("--bot", "random", "--bot", "inproc:first")
    with running("match", "--game", "ethnos", *bots, "--count", 50, "--jobs", jobs, "--seed", "q", "--json") as arena:
        assert arena.stdout is not None
        arena.stdout.readline()
        os.killpg(arena.pid, signal.SIGINT)
        _, err = arena.communicate(timeout=30)

    assert arena.returncode == 130
    assert "Traceback" not in err
    assert "--seed 0x71, --count 50 and --from" in err.splitlines()[-1]
