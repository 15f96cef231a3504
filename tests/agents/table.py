"""A whole match at a real arena in this process, in real time, for bots that talk to the world."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from rivalry_bots import catalog as bots
from rivalry_client.client import Seating
from rivalry_client.ending import Ending
from rivalry_client.link import Link, LinkError
from rivalry_client.report import Report
from rivalry_client.thinking import OnLoop
from rivalry_engine import catalog
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.link import LinkLostError, QueueLink, pair
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Invitation, Listen, Occupant

Coming = Callable[[str, str], Coroutine[None, None, object]]
"""Takes a seat at an address with a token, and returns when its session is over."""


class ArenaLink(Link):
    """The bot's end of a queue link of the arena's."""

    def __init__(self, end: QueueLink) -> None:
        self._end = end

    async def read(self) -> bytes | None:
        return await self._end.read()

    async def write(self, frame: bytes) -> None:
        try:
            await self._end.write(frame)
        except LinkLostError as error:
            raise LinkError("cancelled", str(error)) from error

    def hang_up(self) -> None:
        self._end.cut()

    async def close(self) -> None:
        self._end.close()


def _spec(game: str, seats: int, prompt_s: float | None) -> MatchSpec:
    limit_us = None if prompt_s is None else round(prompt_s * 1e6)
    control = TimeControl(prompt_us=limit_us, first_prompt_us=limit_us)
    return MatchSpec(catalog.game(game, {"seats": seats}), b"agents", time_control=control)


async def match(game: str, *specs: str, prompt_s: float | None = 5.0) -> tuple[Result, list[Ending]]:
    """Plays one match over queues; how it ended, and how each bot's session did."""
    playing: list[asyncio.Task[Ending]] = []
    holding: list[asyncio.Future[None]] = []
    async with Arena() as arena:

        def invited(invitation: Invitation) -> None:
            ours, theirs = pair(token=invitation.token)
            spec = bots.parsed(specs[invitation.seat])
            bot = bots.bot_class(spec.name)
            seating = Seating(bot, settings=bot.settings_from(spec.settings))
            session = seating.session(ArenaLink(theirs), OnLoop(), Report(talkative=False))
            playing.append(asyncio.ensure_future(session.play()))
            holding.append(asyncio.ensure_future(arena.hold(ours)))

        spec = _spec(game, len(specs), prompt_s)
        result = await arena.run_match(spec, [Listen()] * len(specs), invite=invited)
        endings = list(await asyncio.gather(*playing))
        await asyncio.gather(*holding)
    return result, endings


async def match_over_grpc(game: str, own: Coming, *others: str, prompt_s: float | None = 5.0) -> Result:
    """Plays one match in which ``own`` takes seat 0 over gRPC, against bots in the arena's process."""
    async with Arena() as arena:
        address = await arena.start("127.0.0.1:0")
        coming: list[asyncio.Future[object]] = []
        seats: list[Occupant] = [Listen()]
        for each in others:
            local = bots.local(each, game)
            seats.append(InProcess(local, local.name, local.version, each))

        def invited(invitation: Invitation) -> None:
            coming.append(asyncio.ensure_future(own(address, invitation.token)))

        result = await arena.run_match(_spec(game, len(seats), prompt_s), seats, invite=invited)
        await asyncio.gather(*coming)
    return result
