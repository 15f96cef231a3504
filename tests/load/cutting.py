"""Matches in virtual time whose streams are cut at given moments: played by scripted bots or by the Python client."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from rivalry_client import link as client_link
from rivalry_client.bot import Bot
from rivalry_client.match import Match, Outcome
from rivalry_client.prompt import Prompt
from rivalry_client.report import Report
from rivalry_client.session import Session
from rivalry_client.streams import Dialled
from rivalry_client.thinking import OnLoop
from rivalry_engine.chance import Stream
from rivalry_engine.game import Game
from rivalry_server.arena import Arena
from rivalry_server.link import Link, LinkLostError, QueueLink, pair
from rivalry_server.outcome import End, Result
from rivalry_server.seating import Command
from server import virtual
from server.peer import spec
from server.returning import Knife, Marked, Returning

BROKEN = ("closed", "lost", "unreachable")
"""How a session of the client ends whose first stream was lost before the arena had given it a token."""


class Blades(Knife):
    """A knife that cuts at each of several moments."""

    def __init__(self, moments: Collection[int]) -> None:
        super().__init__(0)
        self.cuts = 0
        self._at = frozenset(moments)

    def passes(self) -> None:
        self.moments += 1
        cut = self.cut
        if self.moments in self._at and cut is not _nothing:
            self.cuts += 1
            self.cut = _nothing
            cut()


def _nothing() -> None:
    """The stream was cut before."""


class ClientEnd(client_link.Link):
    """The client's view of one end of the arena's queue link."""

    def __init__(self, link: Link, queue: QueueLink) -> None:
        self._link = link
        self._queue = queue

    async def read(self) -> bytes | None:
        return await self._link.read()

    async def write(self, frame: bytes) -> None:
        try:
            await self._link.write(frame)
        except LinkLostError as error:
            raise client_link.LinkError("unavailable", str(error)) from error

    async def finish(self) -> None:
        self._queue.close()
        while await self._link.read() is not None:
            pass

    def hang_up(self) -> None:
        self._queue.hang_up()

    async def close(self) -> None:
        self._queue.hang_up()


class Silent(Report):
    """Writes nothing."""

    def line(self, text: str) -> None:
        return


class Client:
    """Plays one seat with the Python client, whose program is started again where its first stream is lost at once."""

    def __init__(self, arena: Arena, *, knife: Knife, token: str) -> None:
        self.streams = 0
        self.chosen = 0
        self.ends = 0
        """How often the bot was told that the match is over."""
        self._arena = arena
        self._knife = knife
        self._token = token
        self._holding: list[asyncio.Future[None]] = []

    async def play(self) -> None:
        """Plays until the session is over."""
        ending = None
        while ending is None or ending.kind in BROKEN:
            session = Session(
                self._dial(),
                self._bot(),
                thinking=OnLoop(),
                report=Silent(talkative=False),
                streams=Dialled(self._dial, Stream(b"cut", "back-off")),
            )
            ending = await session.play()
        assert ending.kind == "done", ending
        await asyncio.gather(*self._holding)

    def _dial(self) -> client_link.Link:
        self.streams += 1
        assert self.streams < 20, "the bot had to dial too often"
        theirs, ours = pair(token=self._token)
        self._knife.cut = theirs.cut
        self._holding.append(asyncio.ensure_future(self._arena.hold(Marked(theirs, self._knife))))
        return ClientEnd(Marked(ours, self._knife), ours)

    def _bot(self) -> type[Bot]:
        outer = self

        class ByLuck(Bot):
            name = "by-luck"
            quick = True

            def choose(self, prompt: Prompt) -> object:
                outer.chosen += 1
                return Stream(prompt.luck, f"prompt/{prompt.number}").below(len(prompt.shapes()))

            def ended(self, match: Match, outcome: Outcome) -> None:
                outer.ends += 1

        return ByLuck


@dataclass(frozen=True, slots=True)
class Cut:
    """A match with cuts: its result, the moments that passed, how often each seat chose."""

    result: Result
    moments: Mapping[int, int]
    chosen: tuple[int, ...]
    cuts: int
    """How often a stream was cut."""


def played(
    game: Game, cuts: Mapping[int, Collection[int]], *, client: Collection[int] = (), seed: bytes = b"the seed"
) -> Cut:
    """A match in which the streams of some seats are cut: by seat, the moments; those in ``client`` play by the client.

    A moment is before or after a read or a write of either end.
    """

    async def whole() -> Cut:
        async with Arena() as arena:
            attempt = arena._attempt(replace(spec(game), seed=seed), [Command(("true",), "cmd")] * game.seats, None)
            attempt.open()
            knives = {seat: Blades(moments) for seat, moments in cuts.items()}
            bots: list[Returning | Client] = []
            for seat in range(game.seats):
                knife, token = knives.get(seat, Blades(())), attempt.vacancies[seat].token
                made = Client if seat in client else Returning
                bots.append(made(arena, knife=knife, token=token))
            async with asyncio.timeout(120):
                await asyncio.gather(*(bot.play() for bot in bots))
            assert all(bot.ends == 1 if isinstance(bot, Client) else bot.ended is not None for bot in bots)
            return Cut(
                attempt.finished.result(),
                {seat: knife.moments for seat, knife in knives.items()},
                tuple(bot.chosen for bot in bots),
                sum(knife.cuts for knife in knives.values()),
            )

    return virtual.run(whole())


def differences(cut: Cut, whole: Cut) -> list[str]:
    """What a match with cuts differs in from the one without, in words; none are expected."""
    found = []
    if cut.result.game_digest != whole.result.game_digest:
        found.append("another game was played")
    if any(seat.end is not End.NORMAL for seat in cut.result.seats):
        found.append(f"a seat was lost: {[f'{seat.end} {seat.text}' for seat in cut.result.seats]}")
    if cut.chosen != whole.chosen:
        found.append(f"choices were made again: {cut.chosen}, not {whole.chosen}")
    return found
