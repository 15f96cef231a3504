"""The order that tests begin in."""

from __future__ import annotations

import re
from pathlib import Path

import order

FOLDER = Path(__file__).resolve().parent


def there(name: str) -> bool:
    file, _, test = name.partition("::")
    path = FOLDER / file
    return path.is_file() and re.search(rf"^(async )?def {test or 'test_'}", path.read_text(), re.MULTILINE) is not None


def test_what_is_said_to_take_long_is_there():
    assert [name for name in order.LONG if not there(name)] == []


def test_the_longest_begin_first_and_all_else_stays_in_its_order():
    ids = [
        "tests/agents/test_mcp_command.py::test_any[a::b]",
        "tests/bots/test_bad.py::test_one",
        "tests/test_readmes.py::test_every_block_marked_run_runs[README.md:26]",
        "tests/test_readmes.py::test_no_mark_is_misspelt[README.md]",
        "tests/test_package.py::test_any",
    ]

    assert sorted(ids, key=order.rank) == [ids[2], ids[4], ids[0], ids[1], ids[3]]


def test_the_order_is_that_of_this_run(request):
    ranks = [order.rank(item.nodeid) for item in request.session.items]

    assert ranks == sorted(ranks)
