"""Seats whose bots are gone: nobody waits for a bot that was matched and hung up.

The lobby tells when somebody has left.  A seat of a waiting match that is offered to nobody, and that no session of its
bot can take any more, is given up then, as one that was not taken.  Where another could take it, or the same again, it
is kept for BACK_S after it was first given back, however often it is offered and given back meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from rivalry_server.attempt import Phase
from rivalry_server.outcome import End
from rivalry_server.patience import Patience
from rivalry_server.seat import AbsentSeat

if TYPE_CHECKING:
    from rivalry_server.attempt import Attempt
    from rivalry_server.lobby import Lobby, Vacancy

BACK_S: Final = 2.0
"""So long a seat is kept where its bot has hung up and has a session all the same: one that is full, that lost its
stream and may come back, or that was offered the seat next."""


class Deserted:
    """Looks at the seats of matches that wait, whenever a session has left."""

    def __init__(self, lobby: Lobby, waiting: Callable[[], Iterable[tuple[Attempt, bool]]]) -> None:
        """``waiting`` gives the matches that have no result, each with whether it was taken up after a restart."""
        self._lobby = lobby
        self._waiting = waiting
        self._looking: asyncio.Handle | None = None
        self._timer: Patience | None = None
        self._due = 0.0
        self._away: dict[Vacancy, float] = {}
        """Seats whose bots may yet come, and since when they are awaited."""
        lobby.on_left = self._left

    def stop(self) -> None:
        """Looks no more."""
        self._lobby.on_left = _nothing
        for handle in (self._looking, self._timer):
            if handle is not None:
                handle.cancel()

    def _left(self) -> None:
        # In a turn of its own: whoever has left may have left more than one seat.
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        """Whether time is up says the timer alone, which takes into account that the arena may have been held up."""
        self._looking = None
        self._give_up_where(lambda since: False)

    def _time_is_up(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        self._give_up_where(lambda since: now >= since + BACK_S)

    def _give_up_where(self, over: Callable[[float], bool]) -> None:
        """Gives up the seats that nobody can take any more, and those that were kept since a time that is ``over``."""
        if self._lobby.draining:  # what waits is left for the next start
            return
        loop = asyncio.get_running_loop()
        away: dict[Vacancy, float] = {}
        for vacancy in self._open_seats():
            since = vacancy.given_back_at
            if since is None:
                since = self._away.get(vacancy, loop.time())
            offered = vacancy.taken_by is not None
            if (offered or self._lobby.may_come(vacancy)) and not over(since):
                away[vacancy] = since
            else:
                self._give_up(vacancy)
        self._away = away
        due = min(away.values(), default=0.0) + BACK_S
        if self._timer is not None and (not away or due < self._due):
            self._timer.cancel()
            self._timer = None
        if away and self._timer is None:
            self._due = due
            self._timer = Patience(loop, max(0.0, due - loop.time()), self._time_is_up)

    def _open_seats(self) -> list[Vacancy]:
        """The seats that are for one bot each and are not taken, of matches that wait; but for those on first offer."""
        return [
            vacancy
            for attempt, taken_up in self._waiting()
            if attempt.phase is Phase.WAITING and not attempt.spec.policies.on(End.NO_SHOW).retries
            for vacancy in attempt.vacancies.values()
            if vacancy.reserved is not None and attempt.waiting_for(vacancy.seat)
            if vacancy.taken_by is None or vacancy.given_back_at is not None
            # Bots need a while to dial in anew after a restart.
            if vacancy.offered_as or not taken_up
        ]

    def _give_up(self, vacancy: Vacancy) -> None:
        why = vacancy.trouble or "its bot hung up before it took the seat"
        self._lobby.give_up((vacancy,))
        vacancy.attempt.seated(vacancy.seat, AbsentSeat(vacancy.bot, End.NO_SHOW, why))


def _nothing() -> None:
    """Nobody looks."""
