"""Names as they are shown."""

from __future__ import annotations

import pytest

from rivalry_report.names import cell, clipped, padded, shown, width


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("greedy", "greedy"),
        ("naïve ボット 🤖", "naïve ボット 🤖"),
        ("a\nb\x00", "a\\nb\\x00"),
        ("\u202eevil", "\\u202eevil"),
        ("\u2028", "\\u2028"),
        ("", '""'),
    ],
)
def test_what_cannot_be_seen_is_written_as_an_escape(name, expected):
    assert shown(name) == expected


def test_wide_characters_take_two_columns_and_combining_ones_none():
    assert width("ボット") == 6
    assert width("e\u0301") == 1
    assert padded("ボ", 4) == "ボ  "
    assert padded("a", 3, right=True) == "  a"


@pytest.mark.parametrize("columns", [5, 6, 9])
def test_a_long_name_loses_its_middle(columns):
    text = clipped("abcdefghijklmnopqrstuvwxyz", columns)

    assert width(text) == columns
    assert text[0] == "a" and text[-1] == "z" and "…" in text
    assert width(clipped("ボットボットボット", columns)) <= columns
    assert clipped("short", 5) == "short"


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'"])
def test_a_name_in_a_cell_is_no_formula_and_can_be_had_again(first: str) -> None:
    name = f"{first}cmd|' /C calc'!A0"

    assert cell(name) == f"'{name}"
    assert cell(name).removeprefix("'") == name


@pytest.mark.parametrize("name", ["", "ada", "a=1", "1+1", "ボット", '"=1"'])
def test_other_names_stand_in_a_cell_as_they_are(name: str) -> None:
    assert cell(name) == name
