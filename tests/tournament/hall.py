"""A hall whose matches are dreamt up from their seeds, and small tournaments to play there."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from rivalry_engine.chance import Stream
from rivalry_tournament import log, making
from rivalry_tournament import schedule as schedules
from rivalry_tournament.line_of import owed
from rivalry_tournament.lines import Result
from rivalry_tournament.log import Log
from rivalry_tournament.made import Hall, Made, Making
from rivalry_tournament.progress import Progress
from rivalry_tournament.results import Order, Place, Tournament, settled
from rivalry_tournament.runner import Runner
from rivalry_tournament.settings import Entrant, Kind, Settings

NAMES = ("ada", "bob", "cleo", "dan")


def settings(kind: Kind = Kind.ROUND_ROBIN, *, blocks: int = 2, **more: object) -> Settings:
    """Four entrants of Kuhn."""
    usual = Settings(
        kind=kind,
        game="kuhn",
        options={"seats": 2},
        seats=2,
        entrants=tuple(Entrant(name, "inproc:random") for name in NAMES),
        seed=b"the seed of this tournament",
        blocks=blocks,
        bots=2,
        rotations="full",
        concurrency=3,
        rounds=2 if kind is Kind.SWISS else 0,
    )
    return replace(usual, **more)  # type: ignore[arg-type]


def begun(folder: Path, of: Settings) -> Path:
    """A folder with a schedule."""
    folder.mkdir(parents=True, exist_ok=True)
    making.schedule(of).write(folder / schedules.FILE)
    return folder


def logged(folder: Path, values: Iterable[Mapping[str, Any]]) -> None:
    """Writes a log of any JSON, whose chain holds."""
    before = hashlib.sha256((folder / schedules.FILE).read_bytes()).digest()
    text = b""
    for value in values:
        bare = {key: value[key] for key in value if key != "chain"}
        before = hashlib.sha256(before + _json(bare)).digest()
        text += _json({**bare, "chain": before.hex()}) + b"\n"
    (folder / log.FILE).write_bytes(text)


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


class DreamHall(Hall):
    """Each match takes a few turns of the loop, and comes out as its seed and its seats say.

    ``spoiled`` says how often the arena spoils a match, by its place; the matches of ``slow`` bots never end, and when
    ``most`` have ended nor do those that begin then.
    """

    def __init__(
        self,
        *,
        spoiled: Mapping[Place, int] | None = None,
        void: Collection[Place] = (),
        slow: Collection[str] = (),
        most: int | None = None,
    ) -> None:
        self.spoiled = Counter(spoiled or {})
        self.void = void
        self.slow = slow
        self.most = most
        self.stuck = asyncio.Event()
        """Set when a match has begun that does not end because there were ``most``."""
        self.begun: list[Order] = []
        self.ended: list[Order] = []
        self.at_once = 0
        self.running = 0
        self.opened = self.closed = False

    async def open(self) -> None:
        self.opened = True

    async def play(self, order: Order) -> Making:
        self.begun.append(order)
        self.running += 1
        self.at_once = max(self.at_once, self.running)
        try:
            if self.most is not None and len(self.ended) >= self.most:
                self.stuck.set()
                await asyncio.Event().wait()
            if set(order.seats) & set(self.slow):
                await asyncio.Event().wait()
            for _ in range(Stream(order.seed, f"{order.place}").below(5)):
                await asyncio.sleep(0)
        finally:
            self.running -= 1
        self.ended.append(order)
        if self.spoiled[order.block, order.place] > 0:
            self.spoiled[order.block, order.place] -= 1
            return lambda: Made(owed(order, "it was spoiled"), "spoiled\n")
        made = Made(dreamt(order, void=(order.block, order.place) in self.void), f"the record of {order.match_id}\n")
        return lambda: made

    def capacity(self, entrant: str) -> int:
        return 99

    async def close(self) -> None:
        self.closed = True


def dreamt(order: Order, *, void: bool = False) -> Result:
    """The result of a match, which follows from its seed and seats."""
    ranks = list(range(1, len(order.seats) + 1))
    Stream(order.seed, "ranks").shuffle(ranks)
    each = (0,) * len(order.seats)
    return Result(
        block=order.block,
        place=order.place,
        match=order.match_id,
        attempt=order.attempt,
        bots=order.seats,
        scores=() if void else tuple(-rank for rank in ranks),
        ranks=() if void else tuple(ranks),
        ends=("void",) * len(order.seats) if void else ("normal",) * len(order.seats),
        texts=("",) * len(order.seats),
        void="a seat crashed" if void else "",
        digest="",
        transcript=order.match_id,
        decisions=each,
        illegal=each,
        retries=each,
        spent=((1, 2, 3, 4),) * len(order.seats),
        duration_us=5,
    )


def played(
    folder: Path, hall: DreamHall, *, concurrency: int = 3, results: int | None = None, out: io.StringIO | None = None
) -> Tournament:
    """The tournament in ``folder``, played on in ``hall`` to its end, or until the hall is stuck or so many results
    are in the log; then it is stopped.  ``out`` is where progress is shown.
    """
    schedule, digest = settled(folder)

    async def run() -> Tournament:
        async with asyncio.timeout(120):
            return await on()

    async def on() -> Tournament:
        with Log(folder, digest, at=1) as opened:
            tournament = Tournament(folder, schedule, opened.lines)
            progress = Progress(tournament, out or io.StringIO(), now=lambda: 0.0)
            runner = Runner(tournament, opened, hall, concurrency=concurrency, progress=progress, now=lambda: 2)
            running = asyncio.ensure_future(runner.run())
            while not (running.done() or hall.stuck.is_set() or len(tournament.results) == results):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            running.cancel()
            await asyncio.wait((running,))
            if not running.cancelled():
                running.result()
            return tournament

    return asyncio.run(run())
