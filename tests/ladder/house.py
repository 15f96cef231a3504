"""A ladder in this process: an arena on a socket, its store, and whoever dials in."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio
from sqlalchemy import func, select

from ladder.crew import Crew, Hand
from rivalry.ladder.v1 import ladder_pb2, ladder_pb2_grpc
from rivalry_ladder import book
from rivalry_ladder.desk import Desk
from rivalry_ladder.ladder import Ladder
from rivalry_ladder.service import NAME, handlers
from rivalry_ladder.settings import Settings
from rivalry_ladder.store import Store
from rivalry_ladder.tables import RESULTS
from rivalry_server.arena import Arena
from rivalry_server.commands.serve import _built_in
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.settings import Settings as ArenaSettings
from rivalry_server.token_file import TokenFile

PATIENCE_S = 60.0


class House:
    """What a test has of a ladder that runs."""

    def __init__(self, ladder: Ladder, address: str, channel: grpc.aio.Channel) -> None:
        self.ladder = ladder
        self.address = address
        self.channel = channel
        self.crew = Crew(address)
        self._stub = ladder_pb2_grpc.LadderServiceStub(channel)  # type: ignore[no-untyped-call]

    async def ask(self, method: str, /, *, token: str = "", **fields: Any) -> Any:
        """The response to one call."""
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        return await getattr(self._stub, method)(getattr(ladder_pb2, f"{method}Request")(**fields), metadata=metadata)

    async def hired(self, hand: Hand, *, matches: int = 1, owner: str = "") -> str:
        """Registers one of the crew, which comes to work; returns its token."""
        done = await self.ask("RegisterBot", name=hand.name, version=hand.bot.version, owner=owner or hand.name)
        self.crew.works(hand, done.token, matches=matches)
        return str(done.token)

    async def why(self, name: str) -> list[str]:
        """The reasons why a bot does not play."""
        told = await self.ask("ExplainBot", name=name)
        return [reason.code for each in told.explanations for reason in each.reasons]

    async def until(self, holds: Callable[[], Any]) -> None:
        """Returns when ``holds()`` does, which may be a coroutine function."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                found = holds()
                if await found if asyncio.iscoroutine(found) else found:
                    return
                await asyncio.sleep(0.03)

    async def more_rounds(self, count: int) -> None:
        """Returns when so many rounds more were made."""
        enough = self.ladder.rounds + count
        await self.until(lambda: self.ladder.rounds >= enough)

    async def counted(self) -> int:
        """How many results count."""
        query = select(func.count()).select_from(RESULTS).where(RESULTS.c.counted)
        return int(await self.ladder.desk.do(lambda connection: connection.execute(query).scalar_one()))


@asynccontextmanager
async def house(
    folder: Path,
    settings: Settings,
    *,
    url: str | None = None,
    ask_for_tokens: bool = False,
    wall: Callable[[], float] = time.time,
) -> AsyncIterator[House]:
    """A ladder that runs as long as the block; the same ``folder`` again goes on with it."""
    store = Store.in_folder(folder) if url is None else Store.at(url)
    tokens = TokenFile(folder)
    registered = {bot.name: bot.registered for bot in settings.bots.values() if bot.registered is not None}
    arena = Arena(
        ArenaSettings(ask_for_tokens=ask_for_tokens),
        built_in=_built_in,
        registered=registered,
        journal=FileJournal(folder, threads=False),
        tokens=tokens,
    )
    ladder = Ladder(arena, Desk(store), settings, tokens, wall=wall)
    arena.services[NAME] = handlers(ladder)
    await ladder.desk.do(lambda connection: book.settle(connection, settings, now=ladder.wall()))
    await ladder.prepare()
    address = await arena.start(f"unix:{folder}/socket", introspection=True)
    ladder.begin()
    async with grpc.aio.insecure_channel(address) as channel:
        try:
            yield House(ladder, address, channel)
        finally:
            await ladder.stop()
            await arena.stop()
            await ladder.desk.close()
