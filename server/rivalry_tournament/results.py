"""What is known of a tournament: its schedule, and what its log says was played."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_server import files
from rivalry_tournament import log, making
from rivalry_tournament import schedule as schedules
from rivalry_tournament.lines import Ended, Line, Opened, Owed, Result
from rivalry_tournament.log import LogError
from rivalry_tournament.names import shown
from rivalry_tournament.schedule import Block, Match, Round, Schedule

if TYPE_CHECKING:
    from rivalry_evaluation.played import Played
    from rivalry_tournament.points import Results

RECORDS: Final = "records"
"""The folder of the records, each in a file ``MATCH_ID.jsonl``."""
Place = tuple[str, int]
"""A block's id, and a match's place in it."""


class FolderError(RivalryError):
    """A folder that holds no tournament."""


@dataclass(frozen=True, slots=True)
class Order:
    """A match to play: its block, its place there, who sits where, and which run of it this is, from 1."""

    block: str
    place: int
    seed: bytes
    seats: tuple[str, ...]
    attempt: int
    match_id: str
    earlier: tuple[str, ...] = ()
    """The match ids of the runs before, which the arena spoiled."""


@dataclass(frozen=True, slots=True)
class Timing:
    """What one seat of one match took: decisions, and microseconds of the bot's own, the network's and the arena's."""

    bot: str
    match: str
    seat: int
    end: str
    decisions: int
    illegal: int
    retries: int
    bot_us: int
    network_us: int
    arena_us: int
    charged_us: int
    match_us: int
    """How long the whole match took."""


class Tournament:
    """A schedule and the lines of its log until now."""

    def __init__(self, folder: Path, schedule: Schedule, lines: Iterable[Line] = ()) -> None:
        """Raises LogError where the lines do not go with the schedule."""
        self.folder = folder
        self.schedule = schedule
        self.rounds: list[Round] = list(schedule.rounds)
        self.results: dict[Place, Result] = {}
        self.owed: dict[Place, list[Owed]] = {}
        self.ended = False
        self._blocks: dict[str, Block] = {block.id: block for block in schedule.blocks}
        self._ids = schedule.settings.ids()
        self._names = frozenset(schedule.settings.names())
        self._lines = 1
        """The number of the line of the log that was taken in last; its head is not told."""
        for line in lines:
            self.add(line)

    def add(self, line: Line) -> None:
        """Takes in a line that is in the log; raises LogError where it does not go with what is known."""
        self._lines += 1
        if self.ended:
            raise self._refused("it stands after the end")
        match line:
            case Opened():
                self._open(line.round)
            case Result():
                self._check(line)
                self.results[line.block, line.place] = line
            case Owed():
                self._check(line)
                self.owed.setdefault((line.block, line.place), []).append(line)
            case Ended():
                if self.orders() or self.following() is not None:
                    raise self._refused("the tournament has ended there, and not all of its matches are played")
                self.ended = True
            case _:
                raise self._refused("a second head")

    @property
    def blocks(self) -> Iterator[Block]:
        """The blocks of all rounds that are settled, in order."""
        return (block for round_ in self.rounds for block in round_.blocks)

    @property
    def matches(self) -> int:
        """How many matches all settled rounds have."""
        return sum(len(block.matches) for block in self._blocks.values())

    def orders(self) -> list[Order]:
        """The matches of settled rounds that are to be played yet, in the schedule's order."""
        return [
            self.order(block, match)
            for block in self.blocks
            for match in block.matches
            if (block.id, match.place) not in self.results and not self._given_up(block.id, match.place)
        ]

    def order(self, block: Block, match: Match) -> Order:
        """The next run of a match."""
        earlier = tuple(line.match for line in self.owed.get((block.id, match.place), ()))
        attempt = 1 + len(earlier)
        match_id = schedules.match_id(self._ids, block.id, match.place, attempt)
        return Order(block.id, match.place, block.seed, match.seats, attempt, match_id, earlier)

    def again(self, owed: Owed) -> Order | None:
        """The run in place of one that is known to be owed; None if there were enough."""
        if self._given_up(owed.block, owed.place):
            return None
        block = self._blocks[owed.block]
        return self.order(block, block.matches[owed.place - 1])

    def settled(self, block: Block) -> bool:
        """True if nothing of a block is to be played any more."""
        return all(
            (block.id, match.place) in self.results or self._given_up(block.id, match.place) for match in block.matches
        )

    def excluded(self, block: Block) -> str:
        """Why a settled block is left out of the analysis; empty if it counts."""
        for match in block.matches:
            result = self.results.get((block.id, match.place))
            if result is None:
                owed = self.owed[block.id, match.place][-1]
                return f"match {owed.match} is owed after {counted(owed.attempt, 'run')}: {owed.why}"
            if result.void:
                return f"match {result.match} is void: {result.void}"
        return ""

    def counted(self) -> list[Block]:
        """The whole blocks that are evaluated, in the schedule's order."""
        return [block for block in self.blocks if self.settled(block) and not self.excluded(block)]

    def left_out(self) -> list[tuple[Block, str]]:
        """The settled blocks that are left out, and why."""
        return [(block, why) for block in self.blocks if self.settled(block) for why in [self.excluded(block)] if why]

    def following(self) -> Round | None:
        """The round that follows when all settled rounds are played; None where there is none."""
        return making.following(self.schedule, self.rounds, self._outcomes())

    def places(self) -> list[tuple[int, str]] | None:
        """Rank and name, best first, as rounds were won; None where the kind has no such standing, or not yet."""
        if not all(map(self.settled, self.blocks)):
            return None
        return making.standing(self.schedule, self.rounds, self._outcomes())

    def _outcomes(self) -> Results:
        return {
            block.id: None
            if self.excluded(block)
            else [self.results[block.id, match.place].ranks for match in block.matches]
            for block in self.blocks
        }

    def played(self) -> list[Played]:
        """The matches of whole blocks, in the schedule's order; blocks of one seed are one unit of analysis."""
        from rivalry_evaluation.played import Played

        return [
            Played(
                block.cluster, result.match, result.bots, result.ranks, result.scores, result.ends, result.transcript
            )
            for block in self.counted()
            for match in block.matches
            for result in [self.results[block.id, match.place]]
        ]

    def timings(self) -> list[Timing]:
        """A row a seat of every match with a result, in the schedule's order."""
        return [
            _timing(result, seat)
            for block in self.blocks
            for match in block.matches
            for result in [self.results.get((block.id, match.place))]
            if result is not None
            for seat in range(len(result.bots))
        ]

    def faults(self) -> dict[str, dict[str, int]]:
        """By bot how often its seats ended otherwise than normal, by end; in entrants' and alphabetical order."""
        counts: dict[str, dict[str, int]] = {name: {} for name in self.schedule.settings.names()}
        for result in self.results.values():
            for bot, end in zip(result.bots, result.ends, strict=True):
                if end != "normal":
                    counts[bot][end] = counts[bot].get(end, 0) + 1
        return {bot: dict(sorted(ends.items())) for bot, ends in counts.items()}

    def _given_up(self, block: str, place: int) -> bool:
        return len(self.owed.get((block, place), ())) >= self.schedule.settings.attempts

    def _open(self, round_: Round) -> None:
        """Takes in a round that is settled now."""
        if not making.dependent(self.schedule.settings) or round_.number != len(self.rounds) + 1:
            raise self._refused(f"round {round_.number} stands there, after {counted(len(self.rounds), 'round')}")
        if self.orders():
            raise self._refused(f"round {round_.number} begins there, and not all matches before it are played")
        for block in round_.blocks:
            self._check_block(block)
            self._blocks[block.id] = block
        self.rounds.append(round_)

    def _check_block(self, block: Block) -> None:
        settings = self.schedule.settings
        if block.id in self._blocks:
            raise self._refused(f"there are two blocks {shown(block.id)}")
        for place, match in enumerate(block.matches, 1):
            if match.place != place or len(match.seats) != settings.seats or not set(match.seats) <= self._names:
                raise self._refused(
                    f"match {place} of block {shown(block.id)} is none of entrants at {counted(settings.seats, 'seat')}"
                )

    def _check(self, line: Result | Owed) -> None:
        """Raises LogError where a run is none that was to be played."""
        block = self._blocks.get(line.block)
        where = f"match {line.place} of block {shown(line.block)}"
        if block is None or not 1 <= line.place <= len(block.matches):
            raise self._refused(f"{where} is not in the schedule")
        if (line.block, line.place) in self.results:
            raise self._refused(f"{where} has a result already")
        if self._given_up(line.block, line.place):
            raise self._refused(f"{where} was run after its last attempt")
        order = self.order(block, block.matches[line.place - 1])
        if isinstance(line, Result) and line.bots != order.seats:
            raise self._refused(f"{where} was played by others than the schedule says")
        if (line.attempt, line.match) != (order.attempt, order.match_id):
            raise self._refused(
                f"{where} is run {line.attempt}, {shown(line.match)}; expected {order.attempt}, {order.match_id}"
            )

    def _refused(self, why: str) -> LogError:
        return LogError(f"{self.folder / log.FILE}: line {self._lines}: {why}; put the log back as it was")


def _timing(result: Result, seat: int) -> Timing:
    bot_us, network_us, arena_us, charged_us = result.spent[seat]
    return Timing(
        bot=result.bots[seat],
        match=result.match,
        seat=seat,
        end=result.ends[seat],
        decisions=result.decisions[seat],
        illegal=result.illegal[seat],
        retries=result.retries[seat],
        bot_us=bot_us,
        network_us=network_us,
        arena_us=arena_us,
        charged_us=charged_us,
        match_us=result.duration_us,
    )


def read(folder: Path) -> Tournament:
    """The tournament in a folder, also while it is played; raises FolderError, ScheduleError, LogError, OSError."""
    schedule, digest = settled(folder)
    return Tournament(folder, schedule, log.read(folder / log.FILE, digest))


def settled(folder: Path) -> tuple[Schedule, str]:
    """The schedule in a folder, and the SHA-256 of its file; raises FolderError, ScheduleError, OSError."""
    path = folder / schedules.FILE
    try:
        text = files.content(path, most=files.SCHEDULE_MOST)
    except (FileNotFoundError, NotADirectoryError):
        raise FolderError(
            f"{folder}: no {schedules.FILE} is there; expected a folder that `rivalry tournament run` made"
        ) from None
    return schedules.parsed(text, str(path)), hashlib.sha256(text).hexdigest()
