"""The programs of bots that the server runs: each stays and plays one match after the other.

They are those of ``rivalry_server.pool``, one pool a bot.  A program that plays nothing is ended after a fault of its
bot, while its bot is not matched at all, and where more stay so than the settings say.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import errors_pb2
from rivalry_server.seating import Command, Pooled

if TYPE_CHECKING:
    from rivalry_ladder.settings import Settings
    from rivalry_server.arena import Arena
    from rivalry_server.pool import Pool
    from rivalry_server.session import Session

OVER: Final = "it is not needed now"


class Programs:
    """The pools of a ladder's commands."""

    def __init__(self, arena: Arena, settings: Settings) -> None:
        self._arena = arena
        self._settings = settings
        self._pools: dict[str, Pool] = {}
        self._used: dict[str, float] = {}
        """When a seat was last given to a program of each bot."""

    def seat(self, name: str) -> Pooled:
        """A seat for whichever program of a bot has room; one is started if none has."""
        command = self._settings.bots[name].registered
        assert isinstance(command, Command)
        pool = self._pools.get(name)
        if pool is None:
            most = self._settings.bots[name].matches
            pool = self._pools[name] = self._arena.pool(name, command.argv, most=most)
        self._used[name] = asyncio.get_running_loop().time()
        return Pooled(pool, command.bot, registered=name)

    def faulty(self, name: str) -> None:
        """A match of the bot ended by its fault: what is left of the programs that play nothing may be broken."""
        for session in self._idle(name):
            _end(session)

    def tend(self, wanted: Collection[str]) -> None:
        """Ends programs that play nothing: those of bots not ``wanted``, and where too many stay the longest unused."""
        staying: list[tuple[float, Session]] = []
        for name in self._pools:
            if name in wanted:
                staying += [(self._used[name], session) for session in self._idle(name)]
            else:
                self.faulty(name)
        staying.sort(key=lambda each: each[0], reverse=True)
        for _, session in staying[self._settings.figures.idle_programs :]:
            _end(session)

    def _idle(self, name: str) -> list[Session]:
        """The sessions of a bot's programs that neither play nor are offered anything, silent ones among them."""
        pool = self._pools.get(name)
        sessions = [] if pool is None else pool.sessions
        return [session for session in sessions if session.idle]


def _end(session: Session) -> None:
    session.end(errors_pb2.SESSION_END_REASON_DONE, OVER)
