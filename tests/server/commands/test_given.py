"""Texts and files that are not what they should be: one line that names them, never a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

NOT_TEXT = "\udcff"
MATCH = ("match", "--game", "kuhn", "--bot", "inproc:first", "--bot", "inproc:first")


def complaint(said):
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    return said.err


@pytest.mark.parametrize("depth", [500, 100_000])
@pytest.mark.parametrize("command", [("position", "show"), (*MATCH, "--position")])
def test_a_position_that_is_nested_too_deep(rivalry, tmp_path, command, depth):
    path = tmp_path / "deep.json"
    path.write_text('{"game": "kuhn", "cards": ' + "[" * depth + "]" * depth + "}", encoding="utf-8")

    complaint(rivalry(*(command[:1] + command[3:] if command[0] == "match" else command), path))


def test_a_key_that_is_there_twice_is_named(rivalry, tmp_path):
    path = tmp_path / "double.json"
    path.write_text('{"game": "kuhn", "options": {"seats": 2, "seats": 2}}', encoding="utf-8")

    assert "key 'seats' is there twice" in complaint(rivalry("position", "show", path))


def test_a_seed_that_is_no_text(rivalry, tmp_path):
    path = tmp_path / "seed.json"
    path.write_text('{"game": "kuhn", "seed": "\\ud800"}', encoding="utf-8")
    good = tmp_path / "good.json"
    good.write_text('{"game": "kuhn"}', encoding="utf-8")

    for command in (
        (*MATCH, "--seed", NOT_TEXT),
        ("position", "new", "--game", "kuhn", "--seed", NOT_TEXT),
        ("position", "imagine", good, "--seat", 0, "--seed", NOT_TEXT),
        ("position", "show", path),
    ):
        assert "seed" in complaint(rivalry(*command))


@pytest.mark.parametrize(
    "command",
    [
        ("bot", "random", "--name", NOT_TEXT),
        ("bot", "random", "--token", NOT_TEXT),
        ("bot", "random", "--host-bot", f"unix:{NOT_TEXT}"),
        ("bot", "random", "--address", NOT_TEXT),
        ("serve", "--host", NOT_TEXT),
        (*MATCH, "--address", f"unix:{NOT_TEXT}"),
        (*MATCH[:5], "--bot", f"dial:{NOT_TEXT}:1"),
    ],
)
def test_what_goes_over_the_wire_is_text(rivalry, command):
    assert "\\udcff" in complaint(rivalry(*command))


@pytest.mark.parametrize("name", [":X", ".:X", "..:X", ".x:X", "os:", f"{NOT_TEXT}:X"])
def test_a_class_that_cannot_be_one(rivalry, name):
    assert "expected module:Class" in complaint(rivalry("bot", name))
    assert "expected module:Class" in complaint(rivalry(*MATCH[:3], "--bot", f"inproc:{name}", "--bot", "first"))


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no /proc")
def test_a_file_that_cannot_be_read_is_named(rivalry):
    assert "/proc/self/mem" in complaint(rivalry("position", "show", "/proc/self/mem"))


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("serve", "--register", "x=cmd:"), "--register x=cmd:: no command"),
        (("serve", "--register", "x=dial:y"), "--register x=dial:y: 'y' is no address"),
        ((*MATCH, "--time", "0"), "--time 0: expected a time from 1ms to 24h"),
        ((*MATCH, "--wait", "x"), "--wait x: expected a time from 1ms to 24h"),
        ((*MATCH, "--watch", "--pace", "untimed"), "--pace untimed: expected a time from 1ms to 24h"),
        ((*MATCH, "--on-crash", "x"), "--on-crash: policy 'x'"),
    ],
)
def test_an_error_names_its_own_option_and_what_that_takes(rivalry, command, told):
    said = complaint(rivalry(*command))

    assert told in said
    assert ("untimed" in said.partition("expected")[2]) == ("--time" in command)


@pytest.mark.parametrize(
    "command", [("games",), ("games", "--json"), ("version",), ("--help",), ("bot",), MATCH, (*MATCH, "--json")]
)
def test_a_stdout_that_is_closed_is_borne_without_a_word(command):
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -m rivalry_server.main "$@" >&-', sys.executable, *command],
        stderr=subprocess.PIPE, text=True, check=False, timeout=30,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")


MAP = Path(__file__).parents[3] / "engine" / "rivalry_engine" / "foederati" / "map.json"
OTHER = ("match", "--game", "foederati", "--bot", "inproc:first", "--bot", "inproc:first", "--json", "--option")


def test_an_option_of_kind_json_is_json_or_a_file_that_holds_it(rivalry, tmp_path):
    other = json.loads(MAP.read_text(encoding="utf-8")) | {"id": "other", "handSize": 9}
    path = tmp_path / "other.json"
    path.write_text(json.dumps(other), encoding="utf-8")

    by_path, by_text = (rivalry(*OTHER, f"map={text}", "--seed", "map") for text in (path, json.dumps(other)))

    assert by_path.status == by_text.status == 0
    one, two = json.loads(by_path.out), json.loads(by_text.out)
    assert one["options"]["map"]["handSize"] == 9
    assert one["game_digest"] == two["game_digest"]
    assert str(tmp_path) not in by_path.out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nowhere.json", "No such file or directory; expected JSON, or the path of a file that holds it"),
        (str(Path(__file__)), "not JSON"),
        ('{"id": 1, "id": 2}', "key 'id' is there twice"),
        ("[" * 100_000, "nested too deep"),
        ('{"id": "x"}', "option map: version: nothing"),
    ],
)
def test_another_option_of_kind_json_is_refused(rivalry, text, told):
    assert told in complaint(rivalry(*OTHER, f"map={text}"))
