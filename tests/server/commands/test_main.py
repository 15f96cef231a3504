from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from rivalry_server import stop
from rivalry_server.commands import games
from rivalry_server.program import COMMANDS, program


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help(rivalry, name):
    said = rivalry(name, "--help")

    assert said.status == 0
    assert said.out.startswith(f"Usage: rivalry {name}")


def test_alone_it_prints_its_help(rivalry):
    said = rivalry()

    assert said.status == 0
    assert all(name in said.out for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["chess"], "rivalry: No such command 'chess'; see rivalry --help"),
        (["verify"], "rivalry verify: Missing argument 'FILE…'; see rivalry verify --help"),
        (["games", "--colour"], "rivalry games: No such option '--colour'; see rivalry games --help"),
        (["position", "new"], "rivalry position new: Missing option '--game'; see rivalry position new --help"),
        (["position", "new", "--game", "kuhn", "--option", "x"], "rivalry position new: --option x: expected K=V"),
        (
            ["position", "new", "--game", "kuhn", "--option", "x=1"],
            "rivalry position new: --option x=1: kuhn has no option 'x'",
        ),
        (["position", "new", "--game", "kuhn", "--option", "seats=9"], "rivalry: option seats: 9 is not allowed"),
    ],
)
def test_bad_input_is_one_line_and_status_2(rivalry, arguments, complaint):
    said = rivalry(*arguments)

    assert said.status == 2
    assert said.out == ""
    assert said.err.startswith(complaint)
    assert said.err.count("\n") == 1


def test_ctrl_c_is_status_130(rivalry, monkeypatch):
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "main", interrupted)

    said = rivalry("games")

    assert said.status == 130
    assert said.err == "rivalry: stopped by Ctrl-C\n"


@pytest.mark.parametrize(
    ("number", "status", "told"),
    [(signal.SIGINT, 130, "stopped by Ctrl-C"), (signal.SIGTERM, 143, "stopped by SIGTERM")],
)
def test_a_signal_within_a_command_is_told_by_its_name(rivalry, monkeypatch, number, status, told):
    def stopped(_: object) -> None:
        raise stop.Stopped(number)

    monkeypatch.setattr(games, "_all", stopped)

    said = rivalry("games")

    assert (said.status, said.err.strip()) == (status, f"rivalry: {told}")


def test_an_end_of_file_within_a_command_is_no_ctrl_c(rivalry, monkeypatch):
    def ended(_: object) -> None:
        raise EOFError("marshal data too short")

    monkeypatch.setattr(games, "_all", ended)

    with pytest.raises(EOFError, match="too short"):
        rivalry("games")


def test_too_little_memory_is_a_line_and_status_1(rivalry, monkeypatch):
    def full(_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(games, "_all", full)

    said = rivalry("games")

    assert (said.status, said.err) == (1, "rivalry: there is not enough memory; give it more, or less to do at once\n")


def test_help_imports_neither_the_wire_nor_a_game():
    script = (
        "import sys; from rivalry_server.program import run; run(['--help']);"
        "heavy = {'grpc', 'google.protobuf', 'rich', 'structlog', 'asyncio', 'rivalry_engine.kuhn'} & set(sys.modules);"
        "sys.exit(', '.join(heavy) or 0)"
    )

    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_help_of_a_match_says_what_policies_follow_and_how_settings_are_given(rivalry):
    said = " ".join(rivalry("match", "--help").out.split())

    assert "What follows when a seat ends by illegal answers." in said
    assert "NAME?key=value&key=value" in said


def test_nobody_who_reads_on_is_a_status_of_its_own_without_a_word():
    unread, pipe = os.pipe()
    os.close(unread)
    command = [sys.executable, "-m", "rivalry_server.main", "games"]
    ran = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    os.close(pipe)

    assert (ran.returncode, ran.stderr) == (141, "")
