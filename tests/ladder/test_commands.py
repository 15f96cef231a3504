"""``rivalry ladder`` as people have it: a server of its own, killed and started again, and what the commands say."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from e2e.program import running
from rivalry_server.program import run

SETTINGS = """
[ladder]
round_s = 0.05
resamples = 100
gap = 9
rest_s = 0.3
[queues.kuhn]
game = "kuhn"
[bots.house]
run = "built-in:random"
[bots.other]
run = "built-in:first"
owner = "somebody"
"""


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a ladder on a folder, and its process."""
    where = f"unix:{folder}/socket"
    with running("ladder", "serve", "--data", folder, "--address", where, "--log", "warning", "--json") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield json.loads(line)["address"], process


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """What a command writes to stdout."""
    capsys.readouterr()
    assert run(["ladder", *words]) == status, capsys.readouterr().err
    return capsys.readouterr().out


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """The same with ``--json``."""
    return json.loads(said(capsys, *words, "--json"))


def until(holds: Callable[[], bool]) -> None:
    """Returns when it holds."""
    limit = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.8)


def test_a_ladder_is_asked_killed_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ladder.toml").write_text(SETTINGS)
    with serving(tmp_path) as (address, process):
        monkeypatch.setenv("RIVALRY_ADDRESS", address)
        made = told(capsys, "register", "alice", "--version", "1")
        assert made["token"].startswith("rvb_") and made["new_bot"]
        assert told(capsys, "register", "alice", "--version", "1")["token"] == ""
        assert run(["ladder", "register", "alice", "--version", "1"]) == 0
        told_again = capsys.readouterr()
        assert told_again.out == "" and "--new-token gives it another" in told_again.err
        (why,) = told(capsys, "why", "alice")["explanations"]
        assert [reason["code"] for reason in why["reasons"]] == ["not-connected", "probe-owed"]
        until(lambda: told(capsys, "season")["seasons"][0]["matches"] >= 5)
        process.kill()
        process.wait()
    with serving(tmp_path) as (_, process):
        before = told(capsys, "season")["seasons"][0]["matches"]
        until(lambda: told(capsys, "season")["seasons"][0]["matches"] >= before + 5)
        assert "away" in said(capsys, "list")
        assert told(capsys, "pause", "--queue", "kuhn", "--why", "tea")["paused"]
        until(lambda: told(capsys, "list", "--queues")["queues"][0]["playing"] == 0)
        matches = told(capsys, "matches", "--count", "1000")["matches"]
        assert {match["state"] for match in matches} <= {"ended", "dropped"}
        table = told(capsys, "table")
        assert table["matches"] == sum(match["counted"] for match in matches) >= before + 5
        assert {row["bot"] for row in table["rows"]} == {"house", "other", "alice"}
        shown = said(capsys, "table")
        assert "interval" in shown and "Probe matches do not count" in shown
        assert "dials-in" in said(capsys, "list") and "a new bot has 25.0 ± 16.7" in said(capsys, "list")
        assert "dials-in" in said(capsys, "show", "alice")
        assert "queue paused" in said(capsys, "list")
        why = said(capsys, "why", "house")
        assert "queue-paused: the queue kuhn is paused: tea" in why and "ladder resume --queue kuhn" in why
        assert "begun: two" in said(capsys, "season", "two")
        assert told(capsys, "table", "--season", "1")["snapshot"]
        assert "resumed: kuhn" in said(capsys, "resume", "--queue", "kuhn")
        assert "house@1 (rank " in said(capsys, "matches", "house")
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


@pytest.mark.parametrize(
    ("words", "said_of_it"),
    [
        (["list", "--address", "localhost:1"], "start one with `rivalry ladder serve`"),
        (["why", "nobody", "--address", "unix:/nowhere"], "unix:/nowhere"),
        (["pause"], "expected a BOT or --queue QUEUE, one of them"),
        (["register", "x"], "Missing option '--version'"),
        (["register", "x", "--version", "1", "--digest", "00", "--file", "x"], "--digest and --file: give one of them"),
        (
            ["serve", "--data", "here"],
            "there is no here/ladder.toml; write one, for example with the two lines [queues.kuhn] and",
        ),
        (["serve", "--data", ""], "is a variable unset?"),
        (["serve", "--data", "there", "--address", "x"], "--address 'x': expected host:port"),
        (["serve", "--data", "there", "--address", "0.0.0.0:0"], "takes TLS"),
        (["serve", "--data", "there", "--database", "mysql://x"], "expected sqlite or postgresql"),
        (["serve", "--data", "bad"], "[queues.kuhn] probe: there is no built-in bot 'nobody'"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said_of_it: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, more in (("there", ""), ("bad", 'probe = "nobody"\n')):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ladder.toml").write_text(f'[queues.kuhn]\ngame = "kuhn"\n{more}')

    status = run(["ladder", *words])

    error = capsys.readouterr().err
    assert status == 2
    assert said_of_it in error
    assert error.count("\n") == 1


def test_what_is_not_installed_is_told_with_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("rivalry_ladder.serve_command.find_spec", lambda name: None if name == "openskill" else name)

    assert run(["ladder", "serve", "--data", str(tmp_path)]) == 2

    said = capsys.readouterr().err
    assert "the ladder needs openskill, which is not installed: in the clone" in said and "-e '.[ladder]'" in said
