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
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, Final, NamedTuple

from rivalry_server import stop
from rivalry_server.commands import output, play
from rivalry_server.commands.failure import FailedError

Match = dict[str, Any]
LEAVE_S: Final = 1.9
"""How long workers may take to end what they play."""
END_S: Final = 5.0
"""A process that brings nothing more is waited for this long, to tell how it ended."""

PATIENCE_S: Final = 0.5
"""A signal that comes just before the wait for a match begins does not end it: so often it is looked for."""


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
    workers: list[subprocess.Popen[str]] = []
    feeders: list[threading.Thread] = []
    try:
        with stop.held():
            for _ in range(min(jobs, len(numbers))):
                workers.append(_started(arguments))
                feeders.append(threading.Thread(target=_feed, args=(workers[-1], waiting, lock, done), daemon=True))
                feeders[-1].start()
        yield from _in_order(numbers, done)
    finally:
        with stop.held():
            with lock:
                waiting.clear()
            _end(workers)
            for feeder in feeders:
                feeder.join(LEAVE_S)


def _started(arguments: Sequence[str]) -> subprocess.Popen[str]:
    """A worker, in a session of its own: Ctrl-C in the terminal is for this process, which ends the workers."""
    return subprocess.Popen(
        [sys.executable, "-m", "rivalry_server.main", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )


def _end(workers: Sequence[subprocess.Popen[str]]) -> None:
    """Ends workers: one whose stdin is closed ends its match and goes; one that does not is killed."""
    for worker in workers:
        assert worker.stdin is not None
        with suppress(OSError, ValueError):
            worker.stdin.close()
    due = monotonic() + LEAVE_S
    for worker in workers:
        try:
            worker.wait(max(0.0, due - monotonic()))
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()


def _feed(
    worker: subprocess.Popen[str],
    waiting: deque[int],
    lock: threading.Lock,
    done: SimpleQueue[tuple[int, Match | Lost]],
) -> None:
    """Hands numbers to one worker until there are none; once a match is lost, nobody is handed another."""
    assert worker.stdin is not None and worker.stdout is not None
    with worker.stdout, suppress(OSError, ValueError), worker.stdin:
        while True:
            with lock:
                if not waiting:
                    return
                number = waiting.popleft()
            line = ""
            with suppress(OSError, ValueError):  # it is dead, or all are being ended
                worker.stdin.write(f"{number}\n")
                worker.stdin.flush()
                line = worker.stdout.readline()
            match = _brought(line, worker, number)
            done.put((number, match))
            if isinstance(match, Lost):
                with lock:
                    waiting.clear()
                return


def _brought(line: str, worker: subprocess.Popen[str], number: int) -> Match | Lost:
    if not line.endswith("\n"):
        return Lost(_how_ended(worker))
    try:
        match = json.loads(line)
    except (ValueError, RecursionError):
        match = None
    if isinstance(match, dict) and match.get("number") == number:
        return match
    return Lost(f"its process wrote {line.strip()[:80]!r} and no match")


def _how_ended(worker: subprocess.Popen[str]) -> str:
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
            try:
                finished, brought = done.get(timeout=PATIENCE_S)
            except Empty:
                continue
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
        self._bots = [play.who(seat) for seat in match["seats"]]
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
