"""The games that can be played in an arena."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Sequence
from typing import Any, Final, TypeVar

from rivalry.arena.v1 import play_pb2
from rivalry_engine import catalog
from rivalry_server import describe
from rivalry_server.heavy import Step, Workers
from rivalry_server.limits import TooMuchError

T = TypeVar("T")

ASIDE_MOST: Final = 8
"""So many calls may wait until a game of a family is made."""
_WORKERS: Final = Workers(1)


class Hosted(Container[str]):
    """The entries that are installed, and by membership also each game of a family by its whole name."""

    def __init__(self) -> None:
        self.names: Sequence[str] = catalog.names()
        """Games and families, sorted."""
        self._aside = 0
        self._listed: asyncio.Task[play_pb2.ListGamesResponse] | None = None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.names or catalog.is_listed(name))

    async def listed(self) -> play_pb2.ListGamesResponse:
        """The games and families; what they are is found out once, in a thread, since a family may take long for it."""
        if self._listed is None:
            self._listed = asyncio.ensure_future(self._in_thread(lambda: describe.listed(self.names)))
        return await asyncio.shield(self._listed)

    async def aside(self, name: str, work: Callable[[], T]) -> T:
        """What ``work``, which makes the game ``name``, returns or raises.

        A game of a family is made in a thread, where it may take long and hold up nobody else.  Raises TooMuchError
        when many are being made.
        """
        if ":" not in name:
            return work()
        if self._aside >= ASIDE_MOST:
            raise TooMuchError(f"{ASIDE_MOST} calls wait for games of families already; try again in a moment")
        self._aside += 1
        try:
            return await self._in_thread(work)
        finally:
            self._aside -= 1

    @staticmethod
    async def _in_thread(work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def settled(result: Any, error: Exception | None) -> None:
            if done.cancelled():
                return
            if error is None:
                done.set_result(result)
            else:
                done.set_exception(error)

        step = Step(loop, work, settled)
        try:
            _WORKERS.take(step)
            return await done
        finally:
            if not done.done() or done.cancelled():
                _WORKERS.give_up(step)
