from __future__ import annotations

import json
import sys

from rivalry_server.commands import output


def test_a_table_is_plain_without_a_terminal(capsys):
    output.table(("rank", "bot"), [(1, "greedy"), (None, "x")], numbers=("rank",))

    assert capsys.readouterr().out == "rank  bot\n   1  greedy\n   –  x\n"


def test_a_table_without_rows_has_its_heading(capsys):
    output.table(("rank", "bot"), [])

    assert capsys.readouterr().out == "rank  bot\n"


def test_json_for_a_person_keeps_on_a_line_what_fits():
    value = {"hand": ["red elf"] * 12, "empty": [], "markers": {"Rhea": 2}, "é": None}

    written = output.written(value)

    assert json.loads(written) == value
    assert '  "markers": {"Rhea": 2},' in written.splitlines()
    assert max(map(len, written.splitlines())) <= output.WIDTH


def test_on_a_terminal_lines_are_broken_between_words_and_hang(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    move = "   7  seat 0 greedy: band red elf: blue elf, green elf  [seat 0 +1 = 3]"

    lines = output.wrapped(move, sys.stdout).split("\n")

    assert lines[0] == "   7  seat 0 greedy: band red elf: blue"
    assert all(line.startswith(" " * 8) and line[8] != " " for line in lines[1:])
    assert max(map(len, lines)) <= 40
    assert " ".join(" ".join(lines).split()) == " ".join(move.split())
    assert output.wrapped("        short\n\nlines", sys.stdout) == "        short\n\nlines"


def test_without_a_terminal_a_line_stays_one(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")

    assert output.wrapped("word " * 40, sys.stdout) == "word " * 40
