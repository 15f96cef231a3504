"""A whole match at a real arena in this process, in real time, for bots that talk to the world."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from rivalry_bots import catalog as bots
from rivalry_engine import catalog
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Invitation, Listen, Occupant

Coming = Callable[[str, str], Coroutine[None, None, object]]
"""Takes a seat at an address with a token, and returns when its session is over."""


def _spec(game: str, seats: int, prompt_s: float | None) -> MatchSpec:
    limit_us = None if prompt_s is None else round(prompt_s * 1e6)
    control = TimeControl(prompt_us=limit_us, first_prompt_us=limit_us)
    return MatchSpec(catalog.game(game, {"seats": seats}), b"agents", time_control=control)


async def match_over_grpc(game: str, own: Coming, *others: str, prompt_s: float | None = 60.0) -> Result:
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
