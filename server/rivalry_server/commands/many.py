"""Many matches of the same bots: one after the other, or over several processes that are handed numbers to play.

What crosses between the processes is text: a number a line to a worker, a match as JSON a line back.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from queue import SimpleQueue
from typing import Any, Final, NamedTuple

from rivalry_server.commands import output
from rivalry_server.commands.failure import FailedError

Match = dict[str, Any]
END_S: Final = 5.0
"""A process that brings nothing more is waited for this long, to tell how it ended."""


class Lost(NamedTuple):
    """A match that its process did not bring back, and why."""

    why: str


def in_turn(numbers: Sequence[int], play: Callable[[int], Match]) -> Generator[Match]:
    """The matches of ``numbers``, one after the other in this process."""
    for number in numbers:
        yield play(number)


def spread(numbers: Sequence[int], arguments: Sequence[str], *, jobs: int) -> Generator[Match]:
    """The matches of ``numbers`` in order, played by ``jobs`` processes that run ``rivalry`` with ``arguments``.

    Raises FailedError in the place of the first match that its process did not bring back, once all before it are
    yielded; all processes have ended when this returns or is closed.
    """
    waiting = deque(numbers)
    lock = threading.Lock()
    done: SimpleQueue[tuple[int, Match | Lost]] = SimpleQueue()
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "rivalry_server.main", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        for _ in range(min(jobs, len(numbers)))
    ]
    for worker in workers:
        threading.Thread(target=_feed, args=(worker, waiting, lock, done), daemon=True).start()
    try:
        yield from _in_order(numbers, done)
    finally:
        for worker in workers:
            if worker.poll() is None:
                worker.terminate()
        for worker in workers:
            with worker:
                worker.wait()


def _feed(
    worker: subprocess.Popen[str],
    waiting: deque[int],
    lock: threading.Lock,
    done: SimpleQueue[tuple[int, Match | Lost]],
) -> None:
    """Hands numbers to one worker until there are none; once a match is lost, nobody is handed another."""
    assert worker.stdin is not None and worker.stdout is not None
    while True:
        with lock:
            if not waiting:
                break
            number = waiting.popleft()
        try:
            worker.stdin.write(f"{number}\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
        except OSError:
            line = ""
        match = _brought(line, worker)
        done.put((number, match))
        if isinstance(match, Lost):
            with lock:
                waiting.clear()
            return
    worker.stdin.close()


def _brought(line: str, worker: subprocess.Popen[str]) -> Match | Lost:
    if not line.endswith("\n"):
        return Lost(_end(worker))
    try:
        match = json.loads(line)
    except ValueError:
        match = None
    return match if isinstance(match, dict) else Lost(f"its process wrote {line.strip()[:80]!r} and no match")


def _end(worker: subprocess.Popen[str]) -> str:
    """How the process of a worker ended, in words."""
    try:
        status = worker.wait(END_S)
    except subprocess.TimeoutExpired:
        return "its process closed its output"
    if status >= 0:
        return f"its process exited with status {status}; what it said stands above"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"its process was ended by {name}"


def _in_order(numbers: Sequence[int], done: SimpleQueue[tuple[int, Match | Lost]]) -> Generator[Match]:
    early: dict[int, Match | Lost] = {}
    for number in numbers:
        while number not in early:
            finished, brought = done.get()
            early[finished] = brought
        match = early.pop(number)
        if isinstance(match, Lost):
            raise FailedError(f"match {number} failed: {match.why}")
        yield match


class Tally:
    """What many matches came to, for a person."""

    def __init__(self) -> None:
        self._bots: list[str] = []
        self.matches: list[Match] = []
        self.void = 0

    def add(self, match: Match) -> None:
        """Counts one more."""
        self._bots = [seat["bot"] for seat in match["seats"]]
        self.void += match["void"]
        self.matches.append(match)

    def table(self) -> None:
        """A row a seat: matches with an outcome, wins (shared ones count for each), means, other ends than normal."""
        counted = [match for match in self.matches if not match["void"]]
        rows: list[tuple[object, ...]] = []
        for seat, bot in enumerate(self._bots):
            ranks = [match["seats"][seat]["rank"] for match in counted]
            scores = [match["seats"][seat]["score"] for match in counted]
            failed = sum(match["seats"][seat]["end"] != "normal" for match in self.matches)
            rows.append((seat, bot, len(counted), ranks.count(1), _mean(ranks), _mean(scores), failed))
        columns = ("seat", "bot", "matches", "wins", "mean rank", "mean score", "failed")
        output.table(columns, rows, numbers=tuple(column for column in columns if column != "bot"))
        if self.void:
            output.say(f"{self.void} void")


def _mean(values: Sequence[int]) -> str | None:
    return f"{sum(values) / len(values):.2f}" if values else None
