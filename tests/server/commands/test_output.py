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


def test_what_moves_a_cursor_is_shown_and_not_obeyed(capsys):
    said = "\x1b[2Jboo\x9b1m\rend\u202e\n\tnext\u3000line"
    shown = "\\x1b[2Jboo\\x9b1m end\\u202e\n\tnext\u3000line\n"

    output.say(said)
    output.tell(said)
    output.table(("game", "title"), [("x", "a\nb\x1b[31m")])

    told = capsys.readouterr()
    assert told.out == shown + "game  title\nx     a b\\x1b[31m\n"
    assert told.err == shown


def test_json_holds_what_moves_a_cursor_as_escapes_and_means_the_same(capsys):
    value = {"a\x9b": ["\x1b[2J\x7f\u2028", "é"]}

    output.emit(value)
    output.show(value)

    line, shown = capsys.readouterr().out.splitlines()
    assert json.loads(line) == json.loads(shown) == value
    assert all(each.isprintable() for each in (line, shown)) and "é" in line


def test_on_a_terminal_too(capsys, monkeypatch):
    monkeypatch.setattr(output, "on_terminal", lambda stream: True)
    monkeypatch.setenv("COLUMNS", "80")

    output.table(("game", "title"), [("x", "a\x1b]0;b\x07")])

    assert "a\\x1b]0;b\\x07" in capsys.readouterr().out
