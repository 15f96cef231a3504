from __future__ import annotations

import json

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
