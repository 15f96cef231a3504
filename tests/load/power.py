"""Power cuts in virtual time: an arena is started anew on what had reached the disk, while matches run."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from load.cutting import Blades
from load.laboratory import by_luck
from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_server import local
from rivalry_server.arena import Arena
from rivalry_server.journal import reading
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.journal.store import FILE
from rivalry_server.link import Link
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from server import virtual
from server.journal.house import FILES, arena
from server.returning import Returning

CUTS = 3
MATCHES = 5
LOG = f"{FILE}-wal"


class Bot(Returning):
    """Comes back with its seat's token where the session's is not known any more.

    A session's token is new with each stream, and the newest may be lost with the power; once its match is over, such a
    bot is not told the end, which stands in the arena.
    """

    untold = False

    def _reply(self, message: session_pb2.FromArena) -> list[session_pb2.FromBot]:
        if message.HasField("refused") and message.refused.reason == errors_pb2.REFUSAL_REASON_TOKEN:
            self.untold = True
            self.ended, self.over = session_pb2.MatchEnded(), session_pb2.SessionEnded()
            return []
        return super()._reply(message)


class Disk:
    """What of an arena's log has reached the disk: all of it that was synchronised, and any part of the rest."""

    def __init__(self, folder: Path, journal: FileJournal) -> None:
        self.log = folder / LOG
        self.durable = 0
        synced: Callable[[], None] = journal._store.synced

        def noted() -> None:
            synced()
            self.durable = self.written

        journal._store.synced = noted  # type: ignore[method-assign]
        self.durable = self.written

    @property
    def written(self) -> int:
        """How much was written, in bytes."""
        return self.log.stat().st_size if self.log.exists() else 0


class PowerHouse:
    """An arena whose machine loses power now and then."""

    def __init__(self, folder: Path, chance: Stream) -> None:
        self.arenas: list[Arena] = []
        self.cuts = 0
        self.lossy = 0
        """Power cuts that lost something that was written."""
        self.kept = 0
        """Results that were told before a power cut and stand after it."""
        self.lost: list[str] = []
        """Matches whose result was told and is another, or none, after a power cut."""
        self.told: Callable[[], dict[str, str]] = dict
        """By match id, the digests of the results that bots have been told."""
        self._folder = folder
        self._chance = chance
        self._links: list[Link] = []
        self._disk: Disk
        self._rise()

    @property
    def now(self) -> Arena:
        """The one that runs."""
        return self.arenas[-1]

    def power_cut(self) -> None:
        """What was written since the log was last synchronised is gone, or a part of it, and the arena starts anew."""
        told = self.told()
        cast(FileJournal, self.now._journal)._closed = True
        for attempt in self.now.attempts.values():
            attempt.suspend()
        disk = self._disk
        kept = disk.durable + self._chance.below(disk.written - disk.durable + 1)
        self.cuts += 1
        self.lossy += kept < disk.written
        links, self._links = self._links, []
        self._rise(kept)
        for link in links:
            link.cut()  # type: ignore[attr-defined]
        for match_id, digest in told.items():
            found = self.now.match(match_id)
            if found is None or found.result is None or found.result.game_digest != digest:
                self.lost.append(match_id)
            self.kept += 1

    def flush(self) -> None:
        """Lets all that was written reach the disk."""
        cast(FileJournal, self.now._journal)._store.synced()

    async def hold(self, link: Link) -> None:
        """As the arena's own."""
        self._links.append(link._link)  # type: ignore[attr-defined]
        await self.now.hold(link)

    async def close(self) -> None:
        """Ends all arenas."""
        for one in self.arenas:
            await one.stop()

    def _rise(self, kept: int | None = None) -> None:
        here = self._folder / str(len(self.arenas))
        if kept is not None:
            here.mkdir()
            before = self._folder / str(len(self.arenas) - 1)
            for name in FILES:
                shutil.copyfile(before / name, here / name)
            with (here / LOG).open("r+b") as log:
                log.truncate(kept)
        house = arena(here)
        self.arenas.append(house)
        self._disk = Disk(here, cast(FileJournal, house._journal))
        house.go_on()


@dataclass(frozen=True, slots=True)
class PowerCuts:
    """What became of some matches: power cuts, and those that lost something that was written; new handles of matches,
    results that were told before a cut, and bots that were not told their match's end.
    """

    cuts: int
    lossy: int
    new_handles: int
    kept: int
    untold: int
    matches: int


@contextmanager
def _starts() -> Iterator[None]:
    """Each arena finds that the machine was started since the one before."""
    before, count = reading._boot, iter(range(1_000_000))
    reading._boot = lambda: b"start %d" % next(count)
    try:
        yield
    finally:
        reading._boot = before


def power_lost(seed: bytes) -> PowerCuts:
    """Some matches with power cuts at random moments; raises AssertionError where one does not end as it should."""
    chance = Stream(seed, "power")
    games = [("kuhn", 2), ("ethnos", 2 + chance.below(3))]
    specs = [
        MatchSpec(catalog.game(name, {"seats": seats} if name == "ethnos" else {}), seed + b"/%d" % number)
        for number in range(MATCHES)
        for name, seats in [games[number % 2]]
    ]
    digests = [local.play(spec, [InProcess(by_luck, "by-luck")] * spec.game.seats).game_digest for spec in specs]

    async def played(folder: Path) -> PowerCuts:
        house = PowerHouse(folder, chance)
        attempts = [house.now.open_match(spec, [Listen() for _ in range(spec.game.seats)]) for spec in specs]
        house.flush()  # a match that is lost with its request is made again by whoever asked for it
        knife = Blades(sorted(1 + chance.below(3_000) for _ in range(CUTS)))
        bots = [
            (attempt.spec.match_id, Bot(cast(Arena, house), knife=knife, token=vacancy.token))
            for attempt in attempts
            for vacancy in attempt.vacancies.values()
        ]
        house.told = lambda: {
            match_id: bot.ended.outcome.game_digest
            for match_id, bot in bots
            if bot.ended is not None and bot.ended.outcome.game_digest
        }
        try:
            async with asyncio.timeout(3_600):
                await asyncio.gather(*(bot.play(cut=house.power_cut) for _, bot in bots))
            assert not house.lost, f"results that were told are lost: {house.lost}"
            for spec, digest in zip(specs, digests, strict=True):
                found = house.now.match(spec.match_id)
                assert found is not None and found.result is not None, f"{spec.match_id} is lost"
                assert [seat.end for seat in found.result.seats] == [End.NORMAL] * spec.game.seats, found.result.seats
                assert found.result.game_digest == digest, f"{spec.match_id}: another game was played"
        finally:
            await house.close()
        handles = sum(
            message.match_started.replaces != 0
            for _, bot in bots
            for message in bot.heard
            if message.HasField("match_started")
        )
        untold = sum(bot.untold for _, bot in bots)
        return PowerCuts(house.cuts, house.lossy, handles, house.kept, untold, len(specs))

    with tempfile.TemporaryDirectory() as folder, _starts():
        return virtual.run(played(Path(folder)))
