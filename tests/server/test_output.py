"""What programs write, within bounds, in virtual time and through a real pipe."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Coroutine
from typing import Any

import pytest
import uvloop

from rivalry_server import spawn
from rivalry_server.output import LINE_BYTES, SECOND_BYTES, TOTAL_BYTES, Output


class Clock:
    """A time that is set."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


class Shown:
    """An output and the lines it showed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.clock = Clock()
        self.output = Output(self.lines.append, now=self.clock)


def test_lines_are_shown_as_they_were_written_wherever_they_are_cut() -> None:
    text = "one\n\ntwo äöü \x1b[2J\tthree\r\nlast".encode()
    for size in range(1, len(text) + 1):
        shown = Shown()
        for start in range(0, len(text), size):
            assert shown.output.wrote(text[start : start + size])
        shown.output.ended()

        assert shown.lines == ["one", "", "two äöü [2J\tthree", "last"]


def test_a_line_without_an_end_is_shown_in_pieces() -> None:
    shown = Shown()
    shown.output.wrote(b"x" * (2 * LINE_BYTES + 5))
    shown.output.ended()

    assert [len(line) for line in shown.lines] == [LINE_BYTES, LINE_BYTES, 5]


@pytest.mark.parametrize("line", [b"\n", b"short\n", b"y" * 500 + b"\n", b"z" * 100_000 + b"\n"])
def test_of_a_flood_so_much_a_second_is_shown_and_so_much_in_all_with_one_note_for_the_rest(line: bytes) -> None:
    shown = Shown()
    chunk = (line * (1 + 65_536 // len(line)))[:65_536]
    written = 0
    for _ in range(200):
        for _ in range(10):
            shown.output.wrote(chunk)
            written += len(chunk)
        shown.clock.at += 1
    shown.output.ended()

    notes = [shown_line for shown_line in shown.lines if shown_line.endswith("bytes left out")]
    told = sum(int(note.split()[1]) for note in notes)
    size = sum(len(shown_line) for shown_line in shown.lines if shown_line not in notes)
    assert size <= TOTAL_BYTES + SECOND_BYTES
    assert told + size <= written
    assert told > written - TOTAL_BYTES - SECOND_BYTES
    assert len(notes) <= TOTAL_BYTES // SECOND_BYTES + 3


def test_after_a_flood_the_next_whole_line_is_shown() -> None:
    shown = Shown()
    shown.output.wrote(b"a" * 200_000)
    shown.clock.at += 2
    shown.output.wrote(b"aaa\nhere I am\n")

    assert shown.lines[-1] == "here I am"
    assert shown.lines[-2].endswith("bytes left out")


@pytest.mark.parametrize("error", [BrokenPipeError(), ValueError("I/O operation on closed file")])
def test_what_cannot_be_shown_is_read_all_the_same(error: Exception) -> None:
    tried: list[str] = []

    def show(line: str) -> None:
        tried.append(line)
        raise error

    async def work() -> None:
        stream = asyncio.StreamReader()
        stream.feed_data(b"one\ntwo\n" * 10)
        stream.feed_eof()
        await Output(show, now=time.monotonic).drain(stream)
        assert stream.at_eof()

    asyncio.run(work())

    assert tried == ["one"]


def on_uvloop(work: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def test_a_programs_flood_is_drained_beside_the_loops_other_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawn, "Output", lambda show, now: Output(show, now=Clock()))  # all of it in one second
    flood = "import os\nlines = (b'x' * 99 + b'\\n') * 10_000\nfor _ in range(20): os.write(1, lines)"

    async def work() -> tuple[list[str], float]:
        lines: list[str] = []
        ended = asyncio.get_running_loop().create_future()
        child = await spawn.started(
            (sys.executable, "-c", flood), {}, show=lines.append, on_exit=lambda child, how: ended.set_result(how)
        )
        latest = time.thread_time()
        longest = 0.0
        while not ended.done():
            await asyncio.sleep(0.001)
            longest, latest = max(longest, time.thread_time() - latest), time.thread_time()
            assert len(lines) < 5_000
        await child.end()
        assert ended.result() == "the program exited with status 0"
        return lines, longest

    lines, longest = on_uvloop(asyncio.wait_for(work(), 60))

    assert sum(map(len, lines)) < 2 * SECOND_BYTES
    assert lines[-1].endswith("bytes left out")
    assert longest < 0.25
