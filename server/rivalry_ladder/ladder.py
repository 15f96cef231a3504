"""The ladder: again and again it looks who may play, brings them together, and opens their matches."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rivalry_ladder import book, health, pairing, results
from rivalry_ladder.book import Made, Row
from rivalry_ladder.course import Course
from rivalry_ladder.desk import Desk
from rivalry_ladder.fitting import Fitting
from rivalry_ladder.guests import Guests
from rivalry_ladder.pairing import Candidate, Terms
from rivalry_ladder.presence import Presence
from rivalry_ladder.programs import Programs
from rivalry_ladder.registry import Means
from rivalry_ladder.results import Ended, Recorded
from rivalry_ladder.settings import QueueSettings, Settings
from rivalry_ladder.store import Failed
from rivalry_ladder.waiting import Waiting
from rivalry_ladder.why import Facts, Reason, Why, alone, codes, may_probe, obstacles, shut_out
from rivalry_server import identity
from rivalry_server.logs import log
from rivalry_server.seating import Listen, Occupant, Reserved

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from rivalry_server.arena import Arena
    from rivalry_server.token_file import TokenFile

REST: Final = 2
"""After a round nothing is done for so many times as long as it took, however much happens."""
UNSURE: Final = "the database failed when it was made"
MET: Final = 8
"""So many of its last opponents a bot would rather not meet again at once."""


class Ladder:
    """One ladder in one arena's loop."""

    def __init__(
        self,
        arena: Arena,
        desk: Desk,
        settings: Settings,
        tokens: TokenFile,
        *,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """``wall`` tells the seconds since 1970."""
        self.arena = arena
        self.desk = desk
        self.settings = settings
        self.tokens = tokens
        self.wall = wall
        self.course = Course(arena, desk, settings, recorded=self._recorded, wall=wall)
        self.presence = Presence(arena, settings, tokens, self.course, wall=wall)
        self.programs = Programs(arena, settings)
        self.guests = Guests(arena.gate)
        self.fitting = Fitting(alpha=settings.figures.alpha, resamples=settings.figures.resamples)
        self._changed = asyncio.Event()
        self._making = asyncio.Lock()
        """Had by a round from its look at the book until its matches are opened."""
        self._loop: asyncio.Task[None] | None = None
        self.waiting = Waiting(settings.figures.starve_s)
        self._left: Mapping[int, Reason] = {}
        """Why the last round seated it nowhere."""
        self._doubtful: set[str] = set()
        """Matches that may be in the book and were not opened: the database failed between the two."""
        self._same_bot: dict[int, list[int]] = {}
        """By entry: all entries of its bot."""
        self._bots: Mapping[int, str] = {}
        """By entry: its bot's name."""
        self._met: dict[int, deque[int]] = {}
        self.rounds = 0

    async def prepare(self) -> None:
        """Looks who is registered: before the arena listens, so that nobody of them is refused."""
        self.guests.invite(row.token_id for row in await self.desk.do(book.read) if row.means is Means.DIALS_IN)

    def begin(self) -> None:
        """Takes up what ran before and makes matches from now on, in an arena that was started."""
        self._loop = asyncio.get_running_loop().create_task(self._run())

    def change(self) -> None:
        """Something is other than it was: the next round is made at once."""
        self._changed.set()

    async def heeded(self) -> None:
        """Returns when no match begins any more that was made without what is in the book now."""
        async with self._making:
            return

    async def stop(self) -> None:
        """Makes no matches any more, and follows none."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.wait((self._loop,))
        await self.course.stop()
        await self.fitting.stop()

    def reasons(self, row: Row) -> list[Reason]:
        """Why an entry is not matched now; there always is one."""
        if trouble := self.course.trouble.text:
            text = f"the ladder's database could not be written ({trouble}); until it can, no match is made"
            return [Reason(Why.DATABASE, text, "the operator sees to the disk, or to who holds the database")]
        found = obstacles(self.presence.facts(row, self.presence.sessions()))
        if found:
            return found
        waited = self.waiting.told(row.entry)
        reason = self._left.get(row.entry)
        if reason is None:
            return [Reason(Why.TURN, f"nothing keeps it: it is matched in the next round; {waited}")]
        return [replace(reason, text=f"{reason.text}; {waited}")]

    async def round(self) -> int:
        """Looks once who may play and opens their matches; returns how many."""
        async with self._making:
            return await self._round()

    async def _round(self) -> int:
        await self._settle_doubtful()
        rows = await self.desk.do(book.read)
        self._same_bot = _same_bot(rows)
        self._bots = {row.entry: row.name for row in rows}
        sessions = self.presence.sessions()
        facts = {row.entry: self.presence.facts(row, sessions) for row in rows}
        free = self.settings.figures.concurrent - len(self.course)
        planned = self._probes(rows, facts, free)
        probed = {row.bot for row in rows for made in planned if row.entry in made.entries}
        left: dict[int, Reason] = {}
        ready = [row for row in rows if not obstacles(facts[row.entry])]
        self.waiting.count([row.entry for row in ready], self._elsewhere(rows, facts))
        room = {row.bot: facts[row.entry].room - (row.bot in probed) for row in ready}
        queues = {name: [row for row in ready if row.queue == name] for name in self.settings.queues}
        for name, queued in sorted(queues.items(), key=self._by_wait):
            terms = self.settings.queues[name]
            found = self._paired(queued, terms, room, free - len(planned))
            owners = {row.bot: row.owner_id for row in rows if row.queue == name}
            left |= alone(found.left, terms.game.seats, owners, same_owner=terms.same_owner)
            planned += self._made(found.tables, {row.entry: row for row in queued})
            for row in queued:
                room[row.bot] -= sum(row.entry in table for table in found.tables)
        self._left = left
        self.rounds += 1
        await self._opened(planned, {row.entry: row for row in rows})
        self.programs.tend({row.name for row in rows if not shut_out(facts[row.entry])})
        self.waiting.alarm(ready, self._left)
        return len(planned)

    def _elsewhere(self, rows: Iterable[Row], facts: Mapping[int, Facts]) -> set[int]:
        """The entries that nothing keeps but that their bots play in other queues."""
        return {
            row.entry
            for row in rows
            if not self.course.of_entry(row.entry) and codes(obstacles(facts[row.entry])) == [Why.BUSY]
        }

    def _by_wait(self, queue: tuple[str, Sequence[Row]]) -> float:
        """Where somebody has waited longest comes first: a bot may be in many queues, and be free for one match."""
        return -self.waiting.longest_s(row.entry for row in queue[1])

    async def _run(self) -> None:
        taken_up = False
        while True:
            self._changed.clear()
            began = asyncio.get_running_loop().time()
            try:
                if not taken_up:
                    rows = await self.desk.do(book.read)
                    await self.course.take_up({row.entry: row.bot for row in rows})
                    taken_up = True
                if self.course.trouble.text:
                    await self.desk.do(book.touched)
                await self.round()
                self.course.trouble.less()
            except Failed as error:
                self.course.trouble.begins(error)
            except Exception as error:
                log.error("round_failed", exc_info=error)
                await asyncio.sleep(self.settings.figures.round_s)
            await asyncio.sleep(REST * (asyncio.get_running_loop().time() - began))
            try:
                async with asyncio.timeout(self.settings.figures.round_s):
                    await self._changed.wait()
            except TimeoutError:
                continue

    def _probes(self, rows: Sequence[Row], facts: Mapping[int, Facts], free: int) -> list[Made]:
        """The probe matches that are made now."""
        owed = [row for row in rows if row.queue in self.settings.queues and may_probe(facts[row.entry])]
        made: list[Made] = []
        bots: set[int] = set()
        for row in owed[: max(0, free)]:
            if row.bot in bots:
                continue
            bots.add(row.bot)
            terms = self.settings.queues[row.queue]
            others = terms.game.seats - 1
            entries: tuple[int | None, ...] = (row.entry, *[None] * others)
            labels = (row.label, *[terms.probe] * others)
            made.append(_match(row.queue_id, entries, labels, probe=True))
        return made

    def _paired(self, queued: Sequence[Row], terms: QueueSettings, room: Mapping[int, int], most: int) -> pairing.Round:
        figures = self.settings.figures
        candidates = [
            Candidate(
                entry=row.entry,
                bot=row.bot,
                owner=row.owner_id,
                rating=row.rating,
                waited_s=self.waiting.waited_s(row.entry),
                room=room[row.bot],
                met=tuple(self._met.get(row.entry, ())),
                explores=pairing.explores(row.entry, row.rated, figures.explore),
            )
            for row in queued
        ]
        asked = Terms(terms.game.seats, terms.same_owner, figures.gap, figures.patience_s)
        return pairing.paired(candidates, asked, most=most, seed=secrets.token_bytes(32))

    def _made(self, tables: Iterable[tuple[int, ...]], rows: Mapping[int, Row]) -> list[Made]:
        return [_match(rows[table[0]].queue_id, table, tuple(rows[entry].label for entry in table)) for table in tables]

    def _noted(self, made: Made, seated: Sequence[Row]) -> None:
        """A match is in the book: those who play it wait no more, and have met."""
        if made.probe:
            return
        self.waiting.matched(made.match_id, [row.entry for row in seated])
        for row in seated:
            self.presence.made(row.entry)
            met = self._met.setdefault(row.entry, deque(maxlen=MET))
            met.extend(other.bot for other in seated if other is not row)

    async def _settle_doubtful(self) -> None:
        """Drops what was noted, if it was, and never opened."""

        def drop(connection: Connection) -> None:
            for match_id in doubtful:
                results.dropped(connection, match_id, UNSURE)

        if doubtful := tuple(self._doubtful):
            await self.desk.do(drop)
            self._doubtful.clear()

    async def _opened(self, planned: Sequence[Made], rows: Mapping[int, Row]) -> None:
        if not planned:
            return
        now = self.wall()
        self._doubtful.update(made.match_id for made in planned)
        await self.desk.do(lambda connection: book.make(connection, planned, now=now))
        for made in planned:
            seated = [rows[entry] for entry in made.entries if entry is not None]
            self._noted(made, seated)
            try:
                occupants = [self._occupant(entry, rows, seated[0].queue) for entry in made.entries]
                why = self.course.open(made, [row.bot for row in seated], seated[0].queue, occupants)
            except Exception as error:  # a built-in bot of others may fail in any way
                why = str(error) or type(error).__name__
            if why:
                self.waiting.over(made.match_id)
                await self.course.drop(made, why)
                for row in seated:
                    self.presence.void(row.entry, why)
            self._doubtful.discard(made.match_id)

    def _occupant(self, entry: int | None, rows: Mapping[int, Row], queue: str) -> Occupant:
        game = self.settings.queues[queue].game.name
        if entry is None:
            return self.arena.built_in(self.settings.queues[queue].probe, game)
        row = rows[entry]
        if row.means is Means.DIALS_IN:
            return Listen(row.label, reserved=Reserved(row.token_id, row.version))
        if row.means is Means.BUILT_IN:
            return self.arena.built_in(self.settings.bots[row.name].built_in, game)
        if row.means is Means.COMMAND:
            return self.programs.seat(row.name)
        return self.arena.registered(row.name)

    def _recorded(self, made: Made, ended: Ended, recorded: Recorded) -> None:
        """A result is written."""
        if not ended.owed:
            self._over(made, ended)
        for label, reason in recorded.quarantined.items():
            log.warning("bot_quarantined", bot=label, reason=reason)
        self.change()

    def _over(self, made: Made, ended: Ended) -> None:
        """Whoever made a match come to nothing is not matched for a while; the others are where they were before it."""
        before = self.waiting.over(made.match_id)
        guilty = [end in health.KINDS for end in ended.ends]
        for entry, at_fault in zip(made.entries, guilty, strict=True):
            if entry is None:
                continue
            if at_fault and (bot := self._bots.get(entry)) is not None:
                self.programs.faulty(bot)
            if ended.void is None:
                self.presence.well(entry)
            elif at_fault:
                for each in self._same_bot.get(entry, [entry]):
                    self.presence.void(each, ended.void)
            elif not any(guilty):
                self.presence.void(entry, ended.void)
            elif entry in before:
                self.waiting.again(entry, before[entry])
                self.presence.not_played(entry)


def _same_bot(rows: Iterable[Row]) -> dict[int, list[int]]:
    by_bot: dict[int, list[int]] = {}
    for row in rows:
        by_bot.setdefault(row.bot, []).append(row.entry)
    return {entry: entries for entries in by_bot.values() for entry in entries}


def _match(queue: int, entries: Sequence[int | None], labels: Sequence[str], *, probe: bool = False) -> Made:
    return Made(identity.match_id(), queue, secrets.token_bytes(32), tuple(entries), tuple(labels), probe=probe)
