"""Seats whose bots are gone: nobody waits for a bot that was matched and hung up.

The lobby tells when somebody has left.  A seat of a waiting match that is offered to nobody, and that no session of its
bot can take any more, is given up then, as one that was not taken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from rivalry_server.attempt import Phase
from rivalry_server.outcome import End
from rivalry_server.seat import AbsentSeat

if TYPE_CHECKING:
    from rivalry_server.attempt import Attempt
    from rivalry_server.lobby import Lobby, Vacancy

BACK_S: Final = 2.0
"""A bot whose stream was lost while its session goes on, since it plays another match, may come back for so long."""


class Deserted:
    """Looks at the seats of matches that wait, whenever a session has left."""

    def __init__(self, lobby: Lobby, waiting: Callable[[], Iterable[tuple[Attempt, bool]]]) -> None:
        """``waiting`` gives the matches that have no result, each with whether it was taken up after a restart."""
        self._lobby = lobby
        self._waiting = waiting
        self._looking: asyncio.Handle | None = None
        self._away: dict[Vacancy, float] = {}
        """Seats whose bots may come back, and until when they are awaited."""
        lobby.on_left = self._left

    def stop(self) -> None:
        """Looks no more."""
        self._lobby.on_left = _nothing
        if self._looking is not None:
            self._looking.cancel()

    def _left(self) -> None:
        # In a turn of its own: whoever has left may have left more than one seat.
        if self._looking is None:
            self._looking = asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        self._looking = None
        if self._lobby.draining:  # what waits is left for the next start
            return
        loop = asyncio.get_running_loop()
        away: dict[Vacancy, float] = {}
        for vacancy in self._open_seats():
            coming = self._lobby.may_come(vacancy)
            if any(session.attached for session in coming):
                continue
            until = self._away.get(vacancy, loop.time() + BACK_S)
            if coming and loop.time() < until:
                away[vacancy] = until
            else:
                self._give_up(vacancy)
        self._away = away
        if away and self._looking is None:
            self._looking = loop.call_at(min(away.values()), self._look)

    def _open_seats(self) -> list[Vacancy]:
        """The seats that are for one bot each and are offered to nobody, of matches that wait."""
        return [
            vacancy
            for attempt, taken_up in self._waiting()
            if attempt.phase is Phase.WAITING and not attempt.spec.policies.on(End.NO_SHOW).retries
            for vacancy in attempt.vacancies.values()
            if vacancy.reserved is not None and vacancy.taken_by is None and attempt.waiting_for(vacancy.seat)
            # Bots need a while to dial in anew after a restart.
            if vacancy.offered_as or not taken_up
        ]

    def _give_up(self, vacancy: Vacancy) -> None:
        why = vacancy.trouble or "its bot hung up before it took the seat"
        self._lobby.give_up((vacancy,))
        vacancy.attempt.seated(vacancy.seat, AbsentSeat(vacancy.bot, End.NO_SHOW, why))


def _nothing() -> None:
    """Nobody looks."""
