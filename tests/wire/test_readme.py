"""The protocol's README tells every reason, end, limit and feature, and none that is not there."""

import re
from pathlib import Path

import pytest

from rivalry.arena.v1 import errors_pb2, outcome_pb2
from rivalry.arena.v1.session_pb2 import Limits

README = (Path(__file__).resolve().parents[2] / "proto" / "README.md").read_text(encoding="utf-8")
ENUMS = [*errors_pb2.DESCRIPTOR.enum_types_by_name.values(), *outcome_pb2.DESCRIPTOR.enum_types_by_name.values()]


def section(title):
    """The text under the heading that begins with ``title``."""
    found = re.search(rf"^#+ {re.escape(title)}\b.*?$(.*?)(?=^#|\Z)", README, re.MULTILINE | re.DOTALL)
    assert found, f"no heading {title}"
    return found[1]


def rows(text):
    """The cells of each row of the tables in ``text``, heads and rules left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.name)
def test_every_value_has_its_row(enum):
    prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.name).upper() + "_"
    expected = [value.name.removeprefix(prefix) for value in enum.values if value.number]

    told = rows(section(enum.name))

    assert [cells[0].strip("`") for cells in told] == expected
    assert all(len(cells) == 3 and all(cells) for cells in told)
    assert re.search(r"\bsees?\b", section(enum.name)), f"who sees a {enum.name}?"


def test_every_limit_is_told():
    told = set(re.findall(r"`Limits\.(\w+)`", section("Frames and limits")))

    assert told == {field.name for field in Limits.DESCRIPTOR.fields}


def test_the_features_are_those_that_hello_names():
    told = [cells[0].strip("`") for cells in rows(section("Features"))]

    assert told == ["legal_text", "legal_full", "view_text", "live_events", "resume"]


def test_the_five_versions_are_told():
    assert [cells[0].split(",")[0] for cells in rows(section("Five version numbers"))] == [
        "package",
        "protocol",
        "rules",
        "record format",
        "journal format",
    ]
