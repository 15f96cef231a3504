"""What comes from elsewhere does not command the terminal on which an error is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from rivalry_server.program import run

ESCAPED = "\x1b[2J\x07\u202e"


@pytest.mark.parametrize(
    "arguments",
    [
        (f"play{ESCAPED}",),
        ("match", f"--{ESCAPED}"),
        ("match", "--game", f"kuhn{ESCAPED}", "--bot", "first", "--bot", "first"),
        ("match", "--game", "kuhn", "--option", f"seats={ESCAPED}", "--bot", "first", "--bot", "first"),
        ("match", "--game", "kuhn", "--bot", f"first{ESCAPED}", "--bot", "first"),
        ("match", "--game", "kuhn", "--bot", "first", "--bot", "first", "--time", f"2s{ESCAPED}"),
        ("verify", f"missing{ESCAPED}"),
        ("tournament", "check", f"missing{ESCAPED}"),
    ],
)
def test_what_is_given_on_the_command_line_is_told_without_control_characters(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2

    told = capsys.readouterr().err
    assert told.rstrip("\n").isprintable() and "\\x1b[2J\\x07\\u202e" in told


def test_what_a_file_holds_is_told_without_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text('{"format": "rivalry/1", "game": "\\u001b[2J\\u0007\\u202e"}\n')

    assert run(("verify", str(path))) in (1, 2)
    assert capsys.readouterr().err.rstrip("\n").isprintable()
