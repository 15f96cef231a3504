"""The bots for Node, each a process of its own, in the real arena beside Python bots."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.program import held, running
from e2e.test_journal import listed, serving
from rivalry.arena.v1 import match_pb2, play_pb2

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "clients" / "typescript"
CUTTING = Path(__file__).with_name("cutting.py")
RIVALRY = Path(sys.executable).parent / "rivalry"
LEAST_NODE = 20
LIMIT_S = 90
OWN_TESTS = sorted(path.stem for path in (PACKAGE / "src" / "test").glob("*.test.ts"))


def run(*command, cwd=ROOT):
    """Runs a program to its end; returns the finished process."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("RIVALRY_")}
    return subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def newest(paths):
    return max(path.stat().st_mtime for path in paths)


def older(stamp, paths):
    return not stamp.exists() or stamp.stat().st_mtime < newest(paths)


def installed():
    """Installs what the package stands on; npm's own file is the stamp, as in the Makefile."""
    stamp = PACKAGE / "node_modules" / ".package-lock.json"
    if older(stamp, [PACKAGE / "package-lock.json"]):
        done = run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error", cwd=PACKAGE)
        if done.returncode != 0:
            pytest.skip(
                f"npm ci failed, so the Node bots were not built: {(done.stderr or done.stdout).strip()[-300:]}"
            )
        stamp.touch()


def built(sources):
    stamp = PACKAGE / "dist" / ".stamp"
    if older(stamp, sources):
        done = run("npm", "run", "--silent", "build", cwd=PACKAGE)
        assert done.returncode == 0, done.stdout + done.stderr
        stamp.touch()


@pytest.fixture(scope="module")
def node():
    """The programs of the package, built where they were not; skips where Node or npm is missing."""
    missing = [name for name in ("node", "npm") if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not found: the TypeScript bot needs Node {LEAST_NODE} or newer and npm")
    version = run("node", "--version").stdout.strip()
    if int(version.removeprefix("v").partition(".")[0]) < LEAST_NODE:
        pytest.skip(f"Node {version} is too old: the TypeScript bot needs {LEAST_NODE} or newer")
    (PACKAGE / "dist").mkdir(exist_ok=True)
    with (PACKAGE / "dist" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        installed()
        built(
            [
                PACKAGE / "package-lock.json",
                PACKAGE / "package.json",
                PACKAGE / "tsconfig.json",
                *(PACKAGE / "src").glob("**/*.ts"),
            ]
        )
    return PACKAGE / "dist"


def bot(program, name):
    """The specification of a Node bot as a command."""
    return "cmd:" + shlex.join(["node", str(program), "--bot", name])


def matches(game, bots, *options):
    """The JSON of each match of ``rivalry match``."""
    seats = [word for spec in bots for word in ("--bot", spec)]
    done = run(RIVALRY, "match", "--game", game, *seats, "--json", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def match(game, bots, *options):
    """The JSON of one match."""
    (only,) = matches(game, bots, *options)
    return only


def ends(played):
    return [seat["end"] for seat in played["seats"]]


def test_a_node_bot_plays_kuhn_beside_a_python_bot(node):
    played = match("kuhn", [bot(node / "main.js", "random"), "random"], "--seed", "beside")

    assert ends(played) == ["normal", "normal"]
    assert [seat["name"] for seat in played["seats"]] == ["random", "random"]
    assert sum(seat["score"] for seat in played["seats"]) == 0


def test_node_and_python_bots_play_ethnos_at_one_table(node):
    table = [bot(node / "main.js", "random"), "first", bot(node / "main.js", "first"), "random"]

    played = match("ethnos", table, "--seed", "table")

    assert ends(played) == ["normal"] * 4
    assert [seat["illegal"] for seat in played["seats"]] == [0] * 4
    in_process = [f"inproc:{name}" for name in ("random", "first", "first", "random")]
    assert match("ethnos", in_process, "--seed", "table")["game_digest"] == played["game_digest"]


def test_node_bots_in_place_of_their_python_namesakes_give_the_same_games_of_kuhn(node):
    options = ("--seed", "namesake", "--count", "2")

    of_python = matches("kuhn", ["inproc:first", "inproc:random"], *options)
    of_node = matches("kuhn", [bot(node / "main.js", "first"), bot(node / "main.js", "random")], *options)

    assert [played["game_digest"] for played in of_node] == [played["game_digest"] for played in of_python]
    assert all(ends(played) == ["normal", "normal"] for played in of_node)


@pytest.mark.parametrize(("name", "seats"), [("first", 3), ("random", 6)])
def test_a_node_bot_in_place_of_its_python_namesake_gives_the_same_game_of_ethnos(node, name, seats):
    others = ["inproc:random"] * (seats - 1)

    of_python = match("ethnos", [*others, f"inproc:{name}"], "--seed", "namesake")
    of_node = match("ethnos", [*others, bot(node / "main.js", name)], "--seed", "namesake")

    assert of_node["game_digest"] == of_python["game_digest"]
    assert ends(of_node) == ["normal"] * seats


def test_a_node_bot_whose_stream_is_cut_again_and_again_plays_the_same_game(node):
    cut = shlex.join([sys.executable, str(CUTTING), "20000", "3", "node", str(node / "main.js"), "--bot", "random"])

    done = run(
        RIVALRY, "match", "--game", "ethnos", "--bot", f"cmd:{cut}", "--bot", "inproc:first", "--seed", "cut", "--json"
    )

    assert done.returncode == 0, done.stdout + done.stderr
    played = json.loads(done.stdout)
    told = [line.partition("| ")[2] for line in done.stderr.splitlines()]
    lost = [line for line in told if line.startswith("rivalry: the stream to ")]
    back = [line for line in told if line.startswith("rivalry: the session is resumed after ")]
    assert len(lost) == len(back) == 3, done.stderr
    assert [seat["illegal"] for seat in played["seats"]] == [0, 0]
    assert ends(played) == ["normal", "normal"]
    uncut = match("ethnos", ["inproc:random", "inproc:first"], "--seed", "cut")
    assert uncut["game_digest"] == played["game_digest"]


def test_a_node_bot_plays_on_in_an_arena_that_was_killed_and_started_again(node, tmp_path):
    request = play_pb2.CreateMatchRequest(
        game="ethnos", seed=b"killed", seats=[match_pb2.SeatSpec(open=match_pb2.OpenSeat())] * 2
    )
    request.time_control.prompt_us = 600_000_000
    first_bot = held(tmp_path, "rivalry_bots.first_bot:FirstBot", after=10)
    limit = time.monotonic() + LIMIT_S
    with contextlib.ExitStack() as other, serving(tmp_path, 0) as (first, address, stub):
        made = stub.CreateMatch(request, timeout=30)
        bot = subprocess.Popen(
            ["node", node / "main.js", "--address", address, "--token", made.seat_tokens[0]],
            stderr=subprocess.PIPE,
            text=True,
        )
        words = ("bot", first_bot, "--address", address, "--token", made.seat_tokens[1])
        other.enter_context(running(*words, cwd=tmp_path))
        while listed(stub)[0].decisions < 20:
            assert time.monotonic() < limit, listed(stub)
            time.sleep(0.02)
        first.kill()
        first.wait(30)
        left = bot.poll()
        with serving(tmp_path, address.rpartition(":")[2]) as (_, _, stub):
            (tmp_path / "let-go").touch()
            told = bot.communicate(timeout=LIMIT_S)[1]
            (ended,) = listed(stub)

    assert left is None, told
    assert bot.returncode == 0, told
    assert "rivalry: the session is resumed after " in told
    alone = match("ethnos", ["inproc:random", "inproc:first"], "--seed", "killed")
    assert ended.outcome.game_digest == alone["game_digest"]


def test_an_exception_in_a_node_bot_ends_its_seat_as_a_crash(node):
    played = match("kuhn", [bot(node / "test" / "odd_bots.js", "Stray"), "inproc:first"], "--seed", "astray")

    assert ends(played) == ["crash", "normal"]
    assert played["seats"][0]["text"] == "RangeError: astray"


def test_the_bot_of_the_readme_plays(node):
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```ts\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)

    played = match("kuhn", [f"cmd:node {shlex.quote(str(node / 'my_bot.js'))}", "inproc:first"])

    assert shown == [(PACKAGE / "src" / "my_bot.ts").read_text(encoding="utf-8")]
    assert ends(played) == ["normal", "normal"]
    assert played["seats"][0]["name"] == "MyBot"


@pytest.mark.parametrize("name", OWN_TESTS)
def test_the_node_package_passes_its_own_tests(node, name):
    done = run("node", "--test", "--test-reporter=tap", node / "test" / f"{name}.js", cwd=PACKAGE)

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^# pass [1-9]", done.stdout, re.MULTILINE), done.stdout + done.stderr


def test_the_node_package_has_tests_of_its_own():
    assert len(OWN_TESTS) >= 4


def test_the_lockfile_names_no_registry():
    lock = json.loads((PACKAGE / "package-lock.json").read_text(encoding="utf-8"))

    assert [name for name, package in lock["packages"].items() if "resolved" in package] == []
    assert all("integrity" in package for name, package in lock["packages"].items() if name)
