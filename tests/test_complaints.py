"""The table of what goes wrong elsewhere names, in every row, tests that are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent
PAGE = FOLDER / "COMPLAINTS.md"
NAMED = re.compile(r"`([\w/.-]+\.py)::(test_\w+)`")
SECTIONS = (
    "Clocks",
    "Disconnects",
    "Crashes and blame",
    "Leaks",
    "Evaluation",
    "Protocol changes",
    "Traps of gRPC",
    "Traps of Protobuf",
)


class Row(NamedTuple):
    """One complaint or trap."""

    section: str
    elsewhere: str
    here: str
    tests: str


def rows(text: str) -> list[Row]:
    """The rows of all tables of a page, heads left out."""
    found: list[Row] = []
    section = ""
    for line in text.splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("|") and not line.startswith(("|---", "| elsewhere |")):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == 3, line
            found.append(Row(section, *cells))
    return found


@cache
def names_of(file: Path) -> frozenset[str]:
    """The names of the tests of a file, without running any of it; none if there is no such file."""
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


def faults(text: str) -> list[str]:
    """What is wrong with a page."""
    found: list[str] = []
    for row in rows(text):
        named = NAMED.findall(row.tests)
        if not row.elsewhere or not row.here or not named:
            found.append(f"{row.elsewhere}: a row without a cell or without a test")
        if NAMED.sub("", row.tests).strip():
            found.append(f"{row.elsewhere}: something else than tests beside them")
        if len(set(named)) < len(named):
            found.append(f"{row.elsewhere}: a test is named twice")
        found += [f"{file}::{name} is not there" for file, name in named if name not in names_of(FOLDER / file)]
    return found


def test_every_complaint_has_tests_and_they_are_there() -> None:
    assert faults(PAGE.read_text(encoding="utf-8")) == []


def test_every_section_has_complaints_and_none_is_there_twice() -> None:
    found = rows(PAGE.read_text(encoding="utf-8"))

    assert tuple(dict.fromkeys(row.section for row in found)) == SECTIONS
    assert len({row.elsewhere for row in found}) == len(found) > 40


def test_the_page_is_linked_from_that_on_the_tests() -> None:
    assert "](COMPLAINTS.md)" in (FOLDER / "README.md").read_text(encoding="utf-8")


def test_a_row_without_a_test_and_one_whose_test_is_gone_are_found() -> None:
    here = "`test_complaints.py::test_the_page_is_linked_from_that_on_the_tests`"

    assert faults(f"## A\n| a | b | {here} |") == []
    assert len(faults("## A\n| a | b | |")) == 1
    assert len(faults(f"## A\n| a |  | {here} |")) == 1
    assert len(faults(f"## A\n| a | b | {here} {here} |")) == 1
    assert len(faults(f"## A\n| a | b | {here} by hand |")) == 1
    assert faults("## A\n| a | b | `test_complaints.py::test_gone` |") == ["test_complaints.py::test_gone is not there"]
    assert faults("## A\n| a | b | `gone.py::test_x` |") == ["gone.py::test_x is not there"]
