"""Every rule has a test that names it."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SOURCES = HERE.parents[2] / "engine" / "rivalry_engine" / "ethnos"
RULES = {"E": SOURCES / "RULES.md", "N": SOURCES / "RULES-second-edition.md"}
EDITIONS = pytest.mark.parametrize("letter", RULES)


def rule_ids(letter: str) -> list[str]:
    """The ids of all rules: those in bold, and the sections that are a rule themselves."""
    text = RULES[letter].read_text()
    listed = re.findall(rf"\*\*({letter}\d+\.\d+)\*\*", text)
    sections = re.findall(rf"^## ({letter}\d+)", text, re.MULTILINE)
    return listed + sections


@EDITIONS
def test_every_rule_id_is_cited(letter):
    cited = set()
    for path in HERE.glob("test_*.py"):
        for docstring in re.findall(r'"""(.*?)"""', path.read_text(), re.DOTALL):
            cited |= set(re.findall(rf"{letter}\d+(?:\.\d+)?", docstring))

    assert [rule for rule in rule_ids(letter) if rule not in cited] == []


@EDITIONS
def test_every_worked_example_is_a_test(letter):
    numbers = set()
    for path in HERE.glob("test_*.py"):
        if path.name.startswith("test_second") is (letter == "N"):
            for told in re.findall(r"worked examples? ((?:\d+(?:, | and )?)+)", path.read_text()):
                numbers |= {int(number) for number in re.findall(r"\d+", told)}

    examples = re.findall(r"^(\d+)\. ", RULES[letter].read_text().split("## Worked examples")[1], re.MULTILINE)
    assert [number for number in map(int, examples) if number not in numbers] == []
    assert len(examples) == {"E": 16, "N": 8}[letter]


@EDITIONS
def test_the_rules_are_numbered_without_gaps(letter):
    found = [tuple(map(int, rule[1:].split("."))) for rule in rule_ids(letter) if "." in rule]

    assert len(found) == len(set(found)) == {"E": 80, "N": 28}[letter]
    for section in {top for top, _ in found}:
        numbers = [number for top, number in found if top == section]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        assert numbers[0] == (0 if (letter, section) == ("N", 3) else 1)
