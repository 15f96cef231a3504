"""Tracebacks that a bot writes again and again."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from rivalry_server import aside
from rivalry_server.repeats import HEAD, LINES_MOST, Listener, Repeats

TRACE = (HEAD, '  File "bot.py", line 5, in choose', "    raise KeyError(1)", "KeyError: 1")
CAUSE = ("", "During handling of the above exception, another exception occurred:", "")


def listened(*lines: str, who: str = "bot", repeats: Repeats | None = None) -> list[str]:
    shown: list[str] = []
    listener = Listener(repeats or Repeats(), who, shown.append)
    for line in lines:
        listener.line(line)
    listener.ended()
    return shown


def test_a_traceback_is_shown_once_and_then_how_often_it_came() -> None:
    shown = listened(*("hello", *TRACE) * 25)

    again = [f"KeyError: 1: again (×{count}), by the traceback that was shown" for count in (2, 10)]
    assert shown[:5] == ["hello", *TRACE]
    assert [line for line in shown[5:] if line != "hello"] == again
    assert shown.count("hello") == 25


def test_what_the_exception_says_does_not_make_another_but_its_way_and_its_bot_do() -> None:
    repeats = Repeats()
    other = (HEAD, '  File "bot.py", line 6, in choose', "KeyError: 1")

    assert listened(*TRACE, repeats=repeats) == list(TRACE)
    assert listened(*TRACE[:-1], "KeyError: 2", repeats=repeats) == [
        "KeyError: 2: again (×2), by the traceback that was shown"
    ]
    assert listened(*TRACE[:-1], "ValueError: 1", repeats=repeats)[-1] == "ValueError: 1"
    assert listened(*other, repeats=repeats) == list(other)
    assert listened(*TRACE, who="another", repeats=repeats) == list(TRACE)


def test_tracebacks_that_belong_together_go_together() -> None:
    pair = (*TRACE, *CAUSE, HEAD, '  File "bot.py", line 9, in handle', "OSError: 2")

    assert listened(*pair, *pair, *pair, "on") == [
        *pair,
        "KeyError: 1: again (×2), by the traceback that was shown",
        "OSError: 2: again (×2), by the traceback that was shown",
        "on",
    ]


def test_a_traceback_that_breaks_off_or_has_no_end_is_shown_as_it_came() -> None:
    endless = (HEAD, *(f"  {number}" for number in range(LINES_MOST + 9)))

    assert listened(*TRACE[:2]) == list(TRACE[:2])
    assert listened(*endless, "end") == [*endless, "end"]
    assert listened(HEAD, *TRACE) == [HEAD, *TRACE]


def test_a_bot_in_this_process_has_its_traceback_shown_once(capfd: pytest.CaptureFixture[str]) -> None:
    def fail(seat: int) -> None:
        try:
            raise KeyError(seat)
        except KeyError as error:
            aside.show_failure(f"seat {seat} mine| ", error)

    def said(work: Any) -> list[str]:
        work()
        sys.stderr.flush()
        return capfd.readouterr().err.splitlines()

    with aside.set_aside():
        first = said(lambda: fail(0))
        with aside.set_aside():  # as a match within a tournament does
            again = said(lambda: fail(1))
    with aside.set_aside():
        anew = said(lambda: fail(0))

    assert first[0] == f"seat 0 mine| {HEAD}" and first[-1] == "seat 0 mine| KeyError: 0"
    assert again == ["seat 1 mine| KeyError: 1: again (×2), by the traceback that was shown"]
    assert anew == first
