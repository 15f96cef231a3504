"""The matches that run: opened in the arena, followed to their results, taken up again after a restart."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rivalry_engine.error import RivalryError
from rivalry_ladder import book, results
from rivalry_ladder.book import Made
from rivalry_ladder.deserted import Deserted
from rivalry_ladder.desk import Desk
from rivalry_ladder.results import Ended, Recorded
from rivalry_ladder.settings import Settings
from rivalry_ladder.store import Failed
from rivalry_ladder.trouble import Trouble
from rivalry_server.attempt import Attempt
from rivalry_server.logs import log
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rivalry_server.arena import Arena
    from rivalry_server.seating import Occupant

AGAIN_S: Final = 0.05
"""How often it is looked whether a spoiled match is run again, which the arena settles in a moment."""
DATABASE_S: Final = 1.0
"""Between two tries to write a result while the database cannot be reached."""


@dataclass(slots=True)
class Running:
    """A match that has no result yet."""

    made: Made
    bots: tuple[int, ...]
    excused: bool = False
    """True if it was taken up after a restart."""
    attempt: Attempt | None = None
    """The run of it that is followed now."""
    task: asyncio.Task[None] | None = None


class Course:
    """Keeps the matches that run."""

    def __init__(
        self,
        arena: Arena,
        desk: Desk,
        settings: Settings,
        *,
        recorded: Callable[[Made, Ended, Recorded], None],
        wall: Callable[[], float] = time.time,
    ) -> None:
        """``recorded`` is told of each result once it is written."""
        self._arena = arena
        self._desk = desk
        self._settings = settings
        self._recorded = recorded
        self._wall = wall
        self._running: dict[str, Running] = {}
        self._deserted = Deserted(arena.lobby, self._waiting)
        self.trouble = Trouble()
        self.writing = asyncio.Lock()
        """Whoever has it keeps results waiting, such as while a season's last tables are fitted."""

    def __len__(self) -> int:
        return len(self._running)

    def of_bot(self, bot: int) -> list[str]:
        """The matches of a bot."""
        return [match_id for match_id, running in self._running.items() if bot in running.bots]

    def of_entry(self, entry: int) -> list[str]:
        """The matches of an entry."""
        return [match_id for match_id, running in self._running.items() if entry in running.made.entries]

    def of_queue(self, queue: int) -> int:
        """How many matches of a queue run."""
        return sum(running.made.queue_id == queue for running in self._running.values())

    def probes(self, entry: int) -> bool:
        """True while the probe match of an entry runs."""
        return any(running.made.probe and entry in running.made.entries for running in self._running.values())

    def open(self, made: Made, bots: Sequence[int], queue: str, occupants: Sequence[Occupant]) -> str:
        """Opens a match that the book has; returns why it cannot be, empty where it can."""
        terms = self._settings.queues[queue]
        spec = MatchSpec(
            game=terms.game,
            seed=made.seed,
            match_id=made.match_id,
            time_control=terms.time_control,
            policies=terms.policies,
            wait_s=terms.wait_s,
        )
        try:
            attempt = self._arena.open_match(spec, occupants)
        except RivalryError as error:
            return str(error)
        self._follow(made, bots, [attempt], excused=False)
        return ""

    async def take_up(self, bots: Mapping[int, int]) -> None:
        """Goes on with the matches that have no result; those that never began are dropped.

        ``bots`` says by entry whose each is.
        """
        for made in await self._desk.do(book.unfinished):
            if made.match_id in self._running:
                continue  # it was taken up, and then the database failed
            runs = self._runs(made.match_id)
            if runs:
                seated = [bots[entry] for entry in made.entries if entry is not None and entry in bots]
                self._follow(made, seated, runs, excused=True)
            else:
                await self.drop(made, "the server was stopped before it began")

    async def drop(self, made: Made, why: str) -> None:
        """A match that could not be opened."""
        log.warning("match_dropped", match=made.match_id, why=why)
        await self._desk.do(lambda connection: results.dropped(connection, made.match_id, why))

    async def stop(self) -> None:
        """Follows nothing any more; what runs is taken up when the ladder is started again."""
        self._deserted.stop()
        tasks = [running.task for running in self._running.values() if running.task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _waiting(self) -> list[tuple[Attempt, bool]]:
        """What runs, each with whether it was taken up after a restart."""
        return [(running.attempt, running.excused) for running in self._running.values() if running.attempt is not None]

    def _runs(self, match_id: str) -> list[Attempt]:
        """The runs of a ladder's match that the arena knows, oldest first."""
        known = [
            attempt
            for attempt in self._arena.attempts.values()
            if match_id == attempt.spec.match_id or match_id in attempt.spec.earlier
        ]
        if not known:
            found = self._arena.match(match_id)
            known = [] if found is None else [found]
        return sorted(known, key=lambda attempt: attempt.spec.attempt)

    def _follow(self, made: Made, bots: Sequence[int], runs: Sequence[Attempt], *, excused: bool) -> None:
        running = self._running[made.match_id] = Running(made, tuple(bots), excused, runs[0])
        running.task = asyncio.get_running_loop().create_task(self._followed(running, list(runs)))
        running.task.add_done_callback(lambda task: self._over(made.match_id, task))

    def _over(self, match_id: str, task: asyncio.Task[None]) -> None:
        self._running.pop(match_id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("result_lost", match=match_id, exc_info=error)

    async def _followed(self, running: Running, runs: list[Attempt]) -> None:
        """Writes the result of each run, until one is no longer run again."""
        made = running.made
        while runs:
            attempt = running.attempt = runs.pop(0)
            result: Result = await asyncio.shield(attempt.finished)
            if not runs and result.owed:
                runs += await self._next(attempt)
                if not runs and self._arena.lobby.draining:
                    return  # the arena makes the next run when it is started again, and then it is taken up
            ended = ended_of(made.match_id, result, owed=bool(runs), excused=running.excused)
            recorded = await self._written(ended)
            if not runs:
                self._running.pop(made.match_id, None)  # so that whoever is told finds its bots free
            self._recorded(made, ended, recorded)

    async def _next(self, attempt: Attempt) -> list[Attempt]:
        """The run that is made in place of one that was spoiled, if one is."""
        while not (attempt.again_as or attempt.settled or self._arena.lobby.draining):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(AGAIN_S)
        following = self._arena.attempts.get(attempt.again_as)
        return [] if following is None else [following]

    async def _written(self, ended: Ended) -> Recorded:
        """Writes a result, however often the database has to be asked."""
        while True:
            try:
                async with self.writing:
                    return await self._desk.do(
                        lambda connection: results.record(connection, ended, self._settings.figures, now=self._wall())
                    )
            except Failed as error:
                self.trouble.begins(error)
                await asyncio.sleep(DATABASE_S)


def ended_of(match_id: str, result: Result, *, owed: bool, excused: bool) -> Ended:
    """A run's result as the ladder keeps it."""
    seats = result.seats
    return Ended(
        match_id=match_id,
        attempt=result.attempt,
        run_id=result.match_id,
        scores=tuple(seat.score for seat in seats),
        ranks=tuple(seat.rank for seat in seats),
        ends=tuple(str(seat.end) for seat in seats),
        texts=tuple(seat.text for seat in seats),
        versions=tuple(seat.version for seat in seats),
        digest=result.game_digest,
        transcript="" if result.void else _transcript(result),
        void=(result.text or "no result") if result.void else None,
        owed=owed,
        excused=excused,
        decisions=tuple(seat.decisions for seat in seats),
        illegal=tuple(seat.illegal for seat in seats),
        duration_us=round(result.duration_s * 1_000_000),
    )


def _transcript(result: Result) -> str:
    from rivalry_tournament.line_of import transcript

    scores = [seat.score for seat in result.seats if seat.score is not None]
    return transcript(result.game, result.seed, result.record(), scores)
