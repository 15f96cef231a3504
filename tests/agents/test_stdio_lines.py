"""The lines of the protocol for programs, both ways."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rivalry_agents.stdio_lines import RubbishError, answer_in, line
from rivalry_agents.stdio_program import LINE_MOST
from rivalry_engine.prompt import Answer, Resign
from rivalry_server.settings import NOTE_BYTES

STDIO = Path(__file__).resolve().parents[2] / "clients" / "stdio"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b'{"index":3}', Answer(index=3)),
        (b' {"index": 3, "parts": [2, 0]} \r', Answer(index=3, parts=(0, 2))),
        (b'{"index":3,"parts":[]}', Answer(index=3, parts=())),
        (b'{"index":3,"parts":null,"note":"why"}', Answer(index=3, note="why")),
        (b'{"text":"take blue orc","number":5}', Answer(text="take blue orc")),
        (b'{"index":3,"number":4}', None),
    ],
)
def test_an_answer_is_read(said: bytes, answer: Answer | None) -> None:
    assert answer_in(said, 5) == answer


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"3",
        b"null",
        b"[]",
        b"{}",
        b"[" * 60_000,
        b'{"index":1' + b"0" * 5_000 + b"}",
        b'{"index":-1}',
        b'{"index":2147483648}',
        b'{"index":true}',
        b'{"index":"3"}',
        b'{"index":1.0}',
        b'{"index":3,"parts":3}',
        b'{"index":3,"parts":["0"]}',
        b'{"text":"pass","parts":[0]}',
        b'{"index":3,"text":"pass"}',
        b'{"text":"\\ud800"}',
        b'{"text":3}',
        b'{"resign":true}',
        b'{"index":3,"number":6}',
        b'{"index":3,"number":"5"}',
        b'{"index":3,"choice":1}',
        b"\xff\xfe",
    ],
)
def test_anything_else_is_rubbish_and_told(said: bytes) -> None:
    with pytest.raises(RubbishError) as rubbish:
        answer_in(said, 5)

    assert str(rubbish.value).startswith("the program answered prompt 5 with '")
    assert 'expected one line such as {"index":0}' in str(rubbish.value)
    assert len(str(rubbish.value)) < 400


def test_a_program_may_resign() -> None:
    with pytest.raises(Resign, match="too hard"):
        answer_in(b'{"resign":"too hard"}', 1)


def test_a_line_is_ascii_and_one_line() -> None:
    assert line({"type": "x", "text": "é\n☃"}) == b'{"type":"x","text":"\\u00e9\\n\\u2603"}\n'


def test_the_page_names_the_bounds() -> None:
    page = (STDIO / "README.md").read_text(encoding="utf-8")

    assert f"A note has at most {NOTE_BYTES:,} bytes in UTF-8" in page
    assert f"adds a note of more than {NOTE_BYTES:,} bytes" in page
    assert f"one of more than {LINE_MOST:,} bytes" in page


def test_the_page_shows_the_example_as_it_is() -> None:
    page = (STDIO / "README.md").read_text(encoding="utf-8")

    shown = re.search(r"<!-- file last\.sh -->\n```sh\n(.*?)```", page, re.DOTALL)
    assert shown is not None
    assert shown[1] == (STDIO / "last.sh").read_text(encoding="utf-8")
