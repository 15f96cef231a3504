"""Whole games in which a bot loses its stream while it thinks, and ends its thought at every moment after that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from load.cutting import ClientEnd, Silent
from rivalry.arena.v1 import errors_pb2, play_pb2
from rivalry_client import link as client_link
from rivalry_client.bot import Bot
from rivalry_client.link import Link
from rivalry_client.prompt import Prompt
from rivalry_client.session import Session
from rivalry_client.streams import Streams
from rivalry_client.thinking import OnLoop
from rivalry_engine import catalog, playout
from rivalry_engine.chance import Stream
from rivalry_engine.game import Game
from rivalry_server.arena import Arena
from rivalry_server.link import QueueLink, pair
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from server import virtual
from server.peer import spec

WAY_S = 0.001
"""How long a frame is under way."""
THOUGHT_S = 0.01
AWAY_S = 0.05
"""How long the client waits before it dials again."""
COST_S = AWAY_S + 6 * WAY_S
"""More than a cut costs a seat: the wait, a resume and what is told again, and a thought that ends after that."""


@dataclass(frozen=True)
class Moment:
    """When a thought ends: so many turns of the loop, then seconds after the client dials; with None before that."""

    turns: int | None = 0
    seconds: float = 0.0


MOMENTS = [
    Moment(None),
    *(Moment(turns) for turns in range(8)),
    *(Moment(0, step * WAY_S / 4) for step in range(1, 13)),
]
"""A resume and what is told again take two ways: the last moments are well after it."""


class Soon(Streams):
    """Dials again after a wait that is always the same."""

    def __init__(self, dial: Callable[[], Link]) -> None:
        self._dial = dial

    async def next(self, session: str) -> Link:
        await asyncio.sleep(AWAY_S)
        return self._dial()


class Line(Link):
    """The bot's end of a stream, with frames that take their time; notes what must not happen on it."""

    def __init__(self, link: Link, faults: list[str]) -> None:
        self._link = link
        self._faults = faults
        self._told: set[tuple[int, int]] = set()

    async def read(self) -> bytes | None:
        frame = await self._link.read()
        await asyncio.sleep(WAY_S)
        for message in play_pb2.PlayResponse.FromString(frame or b"").messages:
            if message.HasField("prompt"):
                self._told.add((message.prompt.match, message.prompt.number))
            if message.ruling.kind == errors_pb2.RULING_KIND_STALE:
                self._faults.append(message.ruling.text)
        return frame

    async def write(self, frame: bytes) -> None:
        for message in play_pb2.PlayRequest.FromString(frame).messages:
            answer = message.answer
            if message.HasField("answer") and (answer.match, answer.number) not in self._told:
                self._faults.append(f"the answer to prompt {answer.number} left before that was told")
        await asyncio.sleep(WAY_S)
        await self._link.write(frame)

    async def finish(self) -> None:
        await self._link.finish()

    def hang_up(self) -> None:
        self._link.hang_up()

    async def close(self) -> None:
        await self._link.close()


class Thinker:
    """A bot in one session, whose stream is cut at every so manieth prompt of its first match, while all think."""

    def __init__(self, arena: Arena, *, moment: Moment, every: int) -> None:
        self.faults: list[str] = []
        self.chosen = 0
        self.cuts = 0
        self._arena = arena
        self._moment = moment
        self._every = every
        self._dialled = asyncio.Event()
        self._line: QueueLink
        self._holding: list[asyncio.Future[None]] = []

    async def play(self, matches: int) -> None:
        """Plays until it is cancelled."""
        session = Session(
            self._dial(),
            self._bot(),
            thinking=OnLoop(),
            report=Silent(talkative=False),
            matches=matches,
            prompts=matches,
            streams=Soon(self._dial),
        )
        await session.play()

    def _dial(self) -> client_link.Link:
        self._line, ours = pair()
        self._holding.append(asyncio.ensure_future(self._arena.hold(self._line)))
        self._dialled.set()
        return Line(ClientEnd(ours, ours), self.faults)

    async def _thinks(self, prompt: Prompt, *, leads: bool) -> None:
        await asyncio.sleep(THOUGHT_S)
        if leads and self._every and prompt.number % self._every == 1 % self._every:
            self.cuts += 1
            self._dialled.clear()
            self._line.cut()
        if self._dialled.is_set():
            return
        if self._moment.turns is None:
            await asyncio.sleep(AWAY_S / 2)
            return
        await self._dialled.wait()
        for _ in range(self._moment.turns):
            await asyncio.sleep(0)
        if self._moment.seconds:
            await asyncio.sleep(self._moment.seconds)

    def _bot(self) -> type[Bot]:
        outer = self
        leading: list[Bot] = []

        class Thinking(Bot):
            name = "thinking"

            async def choose(self, prompt: Prompt) -> object:
                outer.chosen += 1
                if not leading:
                    leading.append(self)
                await outer._thinks(prompt, leads=self is leading[0])
                return Stream(prompt.luck, f"prompt/{prompt.number}").below(len(prompt.shapes()))

        return Thinking


@dataclass(frozen=True)
class Played:
    """What became of the matches."""

    results: list[Result]
    thinker: Thinker


def played(game: Game, *, matches: int, every: int, moment: Moment) -> Played:
    """Matches of one session at once, against bots in the arena's process, in virtual time."""

    async def whole() -> Played:
        async with Arena() as arena:
            thinker = Thinker(arena, moment=moment, every=every)
            seats = [Listen(), *(InProcess(playout.first, "first") for _ in range(game.seats - 1))]
            specs = [replace(spec(game), seed=b"%d" % number, match_id=f"{number:032x}") for number in range(matches)]
            opened = [arena.run_match(spec, seats) for spec in specs]
            playing = asyncio.ensure_future(thinker.play(matches))
            results = await asyncio.gather(*opened)
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            return Played(list(results), thinker)

    return virtual.run(whole())


TABLES = {
    "kuhn": (catalog.game("kuhn"), 1, 1),
    "kuhn, four at once": (catalog.game("kuhn"), 4, 1),
    "ethnos": (catalog.game("ethnos", {"seats": 2}), 1, 7),
}
"""Game, matches, and at which prompts the stream is cut."""


@pytest.mark.parametrize(("game", "matches", "every"), TABLES.values(), ids=TABLES)
def test_a_thought_that_ends_at_any_moment_of_a_resume_costs_no_seat_and_changes_no_game(
    game: Game, matches: int, every: int
) -> None:
    whole = played(game, matches=matches, every=0, moment=Moment())

    for moment in MOMENTS:
        cut = played(game, matches=matches, every=every, moment=moment)

        thinker = cut.thinker
        assert (thinker.faults, thinker.chosen) == ([], whole.thinker.chosen), moment
        assert thinker.cuts > 0
        for result, uncut in zip(cut.results, whole.results, strict=True):
            assert all(seat.end is End.NORMAL for seat in result.seats), moment
            assert result.game_digest == uncut.game_digest, moment
            cost_us = result.seats[0].spent.charged_us - uncut.seats[0].spent.charged_us
            assert cost_us / 1e6 <= COST_S * thinker.cuts, moment
