"""A process that plays matches whose bots are all functions: ``python -m rivalry_tournament.worker``.

The settings come as the first line on stdin, then an order a line; each is answered with a line on stdout, the line of
the log and the record.  Its end is the end of stdin, or of who writes there.
"""

from __future__ import annotations

import json
import os
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from rivalry_engine.chance import seed_from_text, seed_text
from rivalry_server import local, logs
from rivalry_server.aside import set_aside
from rivalry_server.seat import InProcess
from rivalry_tournament import lines, seats
from rivalry_tournament.line_of import line_of, owed
from rivalry_tournament.made import Made
from rivalry_tournament.results import Order
from rivalry_tournament.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator


def order_text(order: Order) -> bytes:
    """An order as a line."""
    value = {name: getattr(order, name) for name in Order.__slots__}
    return json.dumps({**value, "seed": seed_text(order.seed)}).encode() + b"\n"


def order_of(text: bytes) -> Order:
    """The order of a line."""
    value: dict[str, Any] = json.loads(text)
    value["seed"] = seed_from_text(value["seed"])
    value["seats"], value["earlier"] = tuple(value["seats"]), tuple(value["earlier"])
    return Order(**value)


def made_text(made: Made) -> bytes:
    """What came of an order as a line."""
    return json.dumps({"line": lines.written(made.line).decode(), "record": made.record}).encode() + b"\n"


def made_of(text: bytes) -> Made:
    """What came of an order, of its line; raises ValueError, KeyError, TypeError or LineError for what is none."""
    value = json.loads(text)
    line = lines.read(value["line"].encode())
    if not isinstance(line, lines.Result | lines.Owed):
        raise TypeError("no result came back")
    return Made(line, str(value["record"]))


class Worker:
    """Plays by the settings of one tournament."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._rules = seats.Rules.of(settings)

    def play(self, order: Order) -> Made:
        """Plays one run of a match."""
        bots = [seats.occupant(self._settings, name) for name in order.seats]
        inside = [bot for bot in bots if isinstance(bot, InProcess)]
        try:
            result = local.play(self._rules.spec(order), inside)
            record = result.record()
            return Made(line_of(order, result, record), "".join(line + "\n" for line in record))
        except Exception as error:
            return Made(owed(order, f"{type(error).__name__}: {error}"), "")


def main() -> None:
    """Plays what comes on stdin until it ends."""
    source, target = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what bots print is none of ours
    logs.configure("warning")
    told = _read(source)
    with set_aside():
        worker = Worker(Settings.of(json.loads(next(told))))
        for text in told:
            _write(target, made_text(worker.play(order_of(text))))


def _read(source: int) -> Iterator[bytes]:
    """The lines that come; when there will be none any more the process ends, whatever its bots do."""
    waiting: SimpleQueue[bytes] = SimpleQueue()

    def read() -> None:
        with open(source, "rb") as stream:
            for line in stream:
                waiting.put(line)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield waiting.get()


def _write(target: int, text: bytes) -> None:
    rest = memoryview(text)
    while rest:
        rest = rest[os.write(target, rest) :]


if __name__ == "__main__":
    main()
