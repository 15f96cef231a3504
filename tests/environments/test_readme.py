"""The tables of the README are those of the code."""

import re
from pathlib import Path

import pytest

from environments.playing import begun

README = Path(__file__).resolve().parents[2] / "engine" / "rivalry_environments" / "README.md"


def rows(name, options):
    """The layout as the README has it: the seats beyond ``p0`` and what every layout ends with are said in words."""
    for row in begun(name, **options).encoder.layout:
        if row.name == "said" or re.match(r"p[1-9]\.", row.name):
            continue
        yield f"| `{row.name}` | {row.size} | {row.most} | {row.meaning} |"


@pytest.mark.parametrize(("name", "options"), [("kuhn", {}), ("ethnos", {"seats": 4}), ("foederati", {"seats": 4})])
def test_the_layouts_are_those_of_the_readme(name, options):
    text = README.read_text(encoding="utf-8")
    table = text.partition(f"<!-- layout {name} -->\n")[2].partition("\n\n")[0]

    assert table.splitlines()[2:] == list(rows(name, options))


@pytest.mark.parametrize(("name", "options"), [("kuhn", {}), ("ethnos", {"seats": 4}), ("foederati", {"seats": 4})])
def test_the_words_are_those_of_the_readme(name, options):
    texts = begun(name, **options).encoder.words.texts
    table = README.read_text(encoding="utf-8").partition(f"<!-- words {name} -->\n")[2].partition("\n\n")[0]

    end = 0
    for line in table.splitlines()[2:]:
        first, last, example, index = re.match(r"\| (\d+)(?: to (\d+))? \| .* \| `(.+)` is (\d+) \|", line).groups()
        assert int(first) == end
        end = int(last or first) + 1
        assert int(first) <= int(index) < end
        assert texts[int(index)] == example
    assert end == len(texts)
