"""The games that can be played in an arena."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from rivalry.arena.v1 import play_pb2
from rivalry_engine import catalog
from rivalry_server import describe
from rivalry_server.heavy import Step, Workers
from rivalry_server.identity import LOCAL, Identity
from rivalry_server.settings import Settings
from rivalry_server.trials import Trials

T = TypeVar("T")

KNOWN_MOST: Final = 1_024
"""So many games of families that were made here are known to be quickly made again."""
_WORKERS: Final = Workers(2)
"""For what is quick, so that what is slow never holds it up."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A game that somebody asks for, as far as making it depends on what was asked."""

    name: str
    options_json: str = ""
    seats: int | None = None
    """None where the game is only described."""

    @property
    def family(self) -> bool:
        """True if it is a game of a family."""
        return ":" in self.name

    def plain(self) -> bool:
        """True if a family lists it as it is wanted, with nothing chosen that would have to be tried.

        Raises RivalryError if the family lists it and yet cannot make it.
        """
        if self.options_json not in ("", "{}") or not catalog.is_listed(self.name):
            return False
        return self.seats is None or self.seats == catalog.rules(self.name).usual_seats


class Hosted(Container[str]):
    """The entries that are installed, and by membership also each game of a family by its whole name."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.names: Sequence[str] = catalog.names()
        """Games and families, sorted."""
        settings = settings or Settings()
        self._local_times = settings.local_times
        self._trials = Trials(each=settings.identity_trials)
        self._known: OrderedDict[Wanted, None] = OrderedDict()
        """Games of families that were made before, the one asked for last at the end."""
        self._listed: asyncio.Task[play_pb2.ListGamesResponse] | None = None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.names or catalog.is_listed(name))

    async def listed(self) -> play_pb2.ListGamesResponse:
        """The games and families; what they are is found out once, in a thread, since a family may take long for it."""
        if self._listed is None:
            self._listed = asyncio.ensure_future(_in_thread(lambda: describe.listed(self.names)))
        return await asyncio.shield(self._listed)

    async def aside(self, wanted: Wanted, work: Callable[[], T], *, who: Identity = LOCAL) -> T:
        """What ``work``, which makes the game ``wanted``, returns or raises; ``who`` asks for it.

        A game of a family is made in a thread, where it may take long and hold up nobody else.  One that was made
        before, or that its family lists without anything chosen, waits for no other.  Raises TooMuchError when too many
        others are being made, by ``who`` or by everybody.
        """
        if not wanted.family:
            return work()
        if wanted in self._known or await _in_thread(wanted.plain):
            made = await _in_thread(work)
        else:
            made = await self._trials.done(wanted.name[:80], who, self._local_times if who.local else 1, work)
        self._known[wanted] = None
        self._known.move_to_end(wanted)
        if len(self._known) > KNOWN_MOST:
            self._known.popitem(last=False)
        return made


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
