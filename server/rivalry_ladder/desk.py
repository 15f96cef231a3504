"""The desk: the database's one thread, which the server's loop hands work to and does not wait for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection

from rivalry_ladder.store import Store

T = TypeVar("T")


class Desk:
    """Does one thing after the other, each in a transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ladder")

    async def do(self, work: Callable[[Connection], T]) -> T:
        """What ``work`` returns or raises; once begun it is done, whoever is cancelled meanwhile."""
        doing = asyncio.get_running_loop().run_in_executor(self._thread, self._store.do, work)
        return await asyncio.shield(doing)

    async def close(self) -> None:
        """Returns when all that was handed in is done, and the database is let go."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._store.close)
        self._thread.shutdown(wait=False)
