"""What is written to the log."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from rivalry_server import logs


@pytest.fixture(autouse=True)
def _usual_log() -> Iterator[None]:
    before = logs._Target.threshold
    yield
    logs.configure("none")
    logs._Target.threshold = before


def test_a_peers_words_are_shortened_and_reach_no_terminal() -> None:
    stream = io.StringIO()
    logs.configure("info", stream=stream)

    logs.log.bind(session="s").warning("bot_failed", error="\x1b[2J" + "x" * 1_000_000, why="a\nb")

    told = json.loads(stream.getvalue())
    assert len(stream.getvalue()) < 1_000
    assert "\x1b" not in told["error"]
    assert (told["session"], told["event"]) == ("s", "bot_failed")


def test_what_is_done_goes_on_when_the_log_is_closed() -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    logs.configure("info", stream=Closed())

    logs.log.info("arena_started", address="127.0.0.1:1")


def test_a_line_is_written_without_what_would_only_colour_tracebacks() -> None:
    code = (
        "import sys; from rivalry_server import logs; logs.log.warning('match_spoiled');"
        " print('rich' in sys.modules); import rich; print(rich.__name__)"
    )

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert json.loads(ran.stderr)["event"] == "match_spoiled"
    assert ran.stdout.split() == ["False", "rich"]
