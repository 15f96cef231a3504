"""Going down in good order: nothing new is begun, what runs may end, and everybody is told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rivalry_engine.error import RivalryError
from rivalry_server.attempt import Phase
from rivalry_server.logs import log

if TYPE_CHECKING:
    from rivalry_server.attempt import Attempt
    from rivalry_server.lobby import Lobby


class DrainingError(RivalryError):
    """An arena that is being stopped takes no new matches; the next one does."""


async def drained(lobby: Lobby, attempts: Iterable[Attempt], *, grace_s: float, hurry: asyncio.Event) -> None:
    """Returns when no match runs any more, ``grace_s`` is over, or ``hurry`` is set.

    From now on the lobby takes no new bots, but those that come back for what they play, and those that are awaited in
    place of a bot that failed there; matches that still wait for their seats go on waiting, since nobody takes one.
    """
    lobby.drain(grace_s)
    running = [attempt.finished for attempt in attempts if attempt.phase is Phase.RUNNING]
    log.info("arena_draining", grace_s=grace_s, matches=len(running), sessions=len(lobby.sessions))
    if not running or grace_s <= 0:
        return
    hurried = asyncio.ensure_future(hurry.wait())
    over = asyncio.ensure_future(asyncio.wait(running))
    try:
        await asyncio.wait((hurried, over), timeout=grace_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hurried.cancel()
        over.cancel()
