"""Every rule has a test that names it."""

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = HERE.parents[2] / "engine" / "rivalry_engine" / "foederati" / "RULES.md"


def rule_ids() -> list[str]:
    """The ids of all rules: those in bold, and the sections that are a rule themselves."""
    text = RULES.read_text()
    listed = re.findall(r"\*\*(FO\d+\.\d+)\*\*", text)
    sections = re.findall(r"^## (FO\d+)", text, re.MULTILINE)
    return listed + [section for section in sections if section not in ("FO4", "FO8", "FO10")]


def cited() -> set[str]:
    """The ids in the docstrings of these tests."""
    found = set()
    for path in HERE.glob("test_*.py"):
        for docstring in re.findall(r'"""(.*?)"""', path.read_text(), re.DOTALL):
            found |= set(re.findall(r"FO\d+(?:\.\d+)?", docstring))
    return found


def test_every_rule_id_is_cited():
    known = cited()

    assert [rule for rule in rule_ids() if rule not in known] == []


def test_no_other_id_is_cited():
    sections = set(re.findall(r"^## (FO\d+)", RULES.read_text(), re.MULTILINE))

    assert cited() - set(rule_ids()) - sections == set()


def test_every_worked_example_is_a_test():
    numbers = set()
    for path in HERE.glob("test_*.py"):
        for told in re.findall(r"worked examples? ((?:\d+(?:, | and )?)+)", path.read_text()):
            numbers |= {int(number) for number in re.findall(r"\d+", told)}

    examples = re.findall(r"^(\d+)\. ", RULES.read_text().split("## Worked examples")[1], re.MULTILINE)
    assert [number for number in map(int, examples) if number not in numbers] == []
    assert len(examples) == 11


def test_the_rules_are_numbered_without_gaps():
    found = [tuple(map(int, rule[2:].split("."))) for rule in rule_ids() if "." in rule]

    assert len(found) == len(set(found))
    assert [number for section, number in found if section == 10] == list(range(1, 78))
    for section in {top for top, _ in found}:
        numbers = [number for top, number in found if top == section]
        assert numbers == list(range(1, len(numbers) + 1))
