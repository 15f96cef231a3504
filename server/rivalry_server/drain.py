"""Going down in good order: nothing new is begun, what runs may end, and everybody is told."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rivalry_server.attempt import Phase
from rivalry_server.logs import log

if TYPE_CHECKING:
    from rivalry_server.attempt import Attempt
    from rivalry_server.lobby import Lobby


async def drained(lobby: Lobby, attempts: Iterable[Attempt], *, grace_s: float, hurry: asyncio.Event) -> None:
    """Returns when no match runs any more, ``grace_s`` is over, or ``hurry`` is set.

    From now on the lobby takes no new bots, but those that come back for what they play; matches that still wait for
    their seats go on waiting, since nobody new can take one.
    """
    lobby.draining = True
    running = [attempt.finished for attempt in attempts if attempt.phase is Phase.RUNNING]
    text = "the arena is stopping: running matches may end, and no new ones begin"
    for session in lobby.sessions:
        session.drain(round(grace_s * 1_000_000), text)
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
