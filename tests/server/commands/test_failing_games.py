"""A game that raises, or gives what is none of what it was asked for: a line and status 2, whichever command asked."""

from __future__ import annotations

import json

import pytest

from rivalry_engine.kuhn import Kuhn, KuhnState
from server.commands.recorded import lines

STATE = ("movers", "question", "choices", "objection", "apply", "observe", "scores", "ranks", "position")
GAME = ("new_state", "text", "action", "view", "event_text", "imagine", "state_at")


@pytest.fixture
def files(tmp_path, rivalry):
    record, position = tmp_path / "game.jsonl", tmp_path / "position.json"
    record.write_text(lines(), encoding="utf-8")
    position.write_text(rivalry("position", "new", "--game", "kuhn", "--seed", "x").out, encoding="utf-8")
    return record, position


def commands(files):
    record, position = files
    return (
        ("verify", record),
        ("replay", record),
        ("replay", record, "--json"),
        ("replay", record, "--after", "1"),
        ("replay", record, "--explain-time"),
        ("position", "new", "--game", "kuhn", "--seed", "x"),
        ("position", "show", position),
        ("position", "observe", position, "--seat", "0"),
        ("position", "observe", position, "--text"),
        ("position", "legal", position),
        ("position", "apply", position, "pass"),
        ("position", "imagine", position, "--seat", "0", "--seed", "y"),
    )


def failures(rivalry, files, broken):
    """By command its line; each command either did what it was asked or told that the game failed."""
    told = {}
    for words in commands(files):
        said = rivalry(*words)
        assert said.status in (0, 2), (words, said)
        if said.status == 2:
            assert said.err.count("\n") == 1 and "Traceback" not in said.err, (words, said.err)
            assert broken in said.err and "kuhn" in said.err, (words, said.err)
            told[words[:2] if words[0] == "position" else words[0]] = said.err
    return told


@pytest.mark.parametrize("kind", [RuntimeError, SystemExit, OSError, KeyError])
@pytest.mark.parametrize("method", [*STATE, *GAME])
def test_what_a_game_raises_is_one_line_of_each_command(rivalry, files, monkeypatch, method, kind):
    def fails(self, *given):
        raise kind("boom\nboom")

    monkeypatch.setattr(KuhnState if method in STATE else Kuhn, method, fails)

    told = failures(rivalry, files, kind.__name__)

    assert told
    if method in ("apply", "movers", "new_state", "action"):
        assert "the game kuhn failed: " in told["verify"] and "test_failing_games.py, line 5" in told["verify"]
        assert told["verify"].startswith(f"rivalry: {files[0]}: ")


@pytest.mark.parametrize(("method", "gives"), [
    ("movers", None), ("objection", False), ("question", {1}), ("choices", None), ("scores", None), ("observe", None),
    ("view", None), ("event_text", None), ("imagine", None), ("state_at", None), ("new_state", None),
    ("action", "pass"), ("position", {1}),
])  # fmt: skip
def test_what_is_none_of_what_was_asked_for_is_one_line_of_each_command(rivalry, files, monkeypatch, method, gives):
    monkeypatch.setattr(KuhnState if method in STATE else Kuhn, method, lambda self, *given: gives)

    for words in commands(files):
        said = rivalry(*words)
        assert said.status == 0 or (said.err.count("\n") == 1 and "Traceback" not in said.err), (words, said.err)


def test_of_several_records_each_is_told(rivalry, files, monkeypatch):
    def fails(self, *given):
        raise RuntimeError("boom")

    monkeypatch.setattr(KuhnState, "apply", fails)

    said = rivalry("verify", files[0], files[0], "--json")

    assert said.status == 2
    first, _ = map(json.loads, said.out.splitlines())
    assert first["true"] is False and "the game kuhn failed: " in first["error"]


def test_a_watched_match_is_told_where_the_game_raises_at_once(rivalry, monkeypatch):
    def fails(self, *given):
        raise RuntimeError("boom")

    monkeypatch.setattr(Kuhn, "new_state", fails)
    said = rivalry("match", "--game", "kuhn", "--bot", "inproc:random", "--bot", "inproc:first", "--watch")

    assert said.status == 2 and said.err.endswith("RuntimeError: boom\n") and said.err.count("\n") == 1


def test_a_match_from_a_position_whose_game_raises_is_told(rivalry, files, monkeypatch):
    def fails(self):
        raise RuntimeError("boom")

    monkeypatch.setattr(KuhnState, "movers", fails)
    monkeypatch.setattr(Kuhn, "state_at", lambda self, position: Kuhn.new_state(self, b"x"))
    said = rivalry("match", "--position", files[1], "--bot", "inproc:random", "--bot", "inproc:first")

    assert said.status == 2 and said.err.endswith("RuntimeError: boom\n") and said.err.count("\n") == 1


@pytest.mark.parametrize("gives", [None, ValueError("boom")])
def test_a_watched_match_goes_on_where_an_event_has_no_words(rivalry, monkeypatch, gives):
    def says(self, seen):
        if gives is not None:
            raise gives

    monkeypatch.setattr(Kuhn, "event_text", says)
    monkeypatch.setattr(Kuhn, "is_echo", lambda self, seen: False)
    bots = ("--bot", "inproc:random", "--bot", "inproc:first")
    said = rivalry("match", "--game", "kuhn", *bots, "--watch", "--seed", "x", "--json")

    assert said.status == 0 and said.json()["void"] is False
    assert "(the game kuhn failed to put it into words: " in said.err
