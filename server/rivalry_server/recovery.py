"""What an arena goes on with when it is started on the journal of one before: matches, sessions, results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import errors_pb2
from rivalry_engine.error import RivalryError
from rivalry_server.attempt import Attempt
from rivalry_server.handles import LOST, Handles
from rivalry_server.identity import Kind
from rivalry_server.logs import log
from rivalry_server.past import Past, end_told
from rivalry_server.seating import Command, Dial
from rivalry_server.session import Session

if TYPE_CHECKING:
    from rivalry_server.journal import Journal, KeptSession
    from rivalry_server.journal.reading import KeptMatch, Recovered
    from rivalry_server.lobby import Lobby
    from rivalry_server.seat import InProcess
    from rivalry_server.session_seat import SessionSeat
    from rivalry_server.settings import Settings
    from rivalry_server.untold import Untold

RESTART: Final = "the arena was restarted"


@dataclass(frozen=True, slots=True)
class House:
    """What an arena has that its matches are made of."""

    lobby: Lobby
    settings: Settings
    journal: Journal
    built_in: Callable[[str, str], InProcess]
    registered: Callable[[str], Command | Dial]


def recovered(house: House, found: Recovered) -> list[Attempt]:
    """All matches that an arena begins with, oldest first: those that go on, and the newest that have ended.

    Nothing runs yet: ``Attempt.expects`` says which programs are to be started.
    """
    going_on = [(kept, _made(house, kept)) for kept in found.matches.values()]
    past = house.journal.newest(house.settings.ended_matches)  # after those that cannot go on have ended
    attempts: dict[str, Attempt] = {}
    rows: dict[int, Attempt] = {}
    for kept, attempt in going_on:
        if attempt is not None:
            rows[kept.row] = attempts[attempt.spec.match_id] = attempt
    for ended in past:
        try:
            rows[ended.row] = Past(ended, house.journal)
        except RivalryError as error:
            log.warning("result_unreadable", match=ended.opening.match_id, error=str(error))
    sitters = _Sessions(house, attempts, doubtful=found.doubtful).taken_in(found.sessions)
    for kept, attempt in going_on:
        if attempt is not None and attempt.goes_on:
            attempt.go_on(kept.entries, sitters.get(attempt.spec.match_id, {}), kept.trouble)
    if found.doubtful:
        house.journal.commit()  # whoever may have seen more is told so, however often the arena is killed before
    ordered = [rows[row] for row in sorted(rows)]
    for number, attempt in enumerate(ordered, start=1):
        attempt.number = number
    log.info("journal_read", matches=len(attempts), ended=len(ordered) - len(attempts), sessions=len(found.sessions))
    return ordered


def _made(house: House, kept: KeptMatch) -> Attempt | None:
    """The attempt of a match that goes on; one that cannot be made any more ends as a fault of the arena."""
    try:
        spec = kept.opening.spec()
        occupants = kept.opening.occupants(built_in=house.built_in, registered=house.registered)
        if len(occupants) != spec.game.seats:
            raise RivalryError(f"{len(occupants)} bots were kept for {spec.game.seats} seats")
        spec.check_position()
    except Exception as error:  # a game of others may fail in any way
        text = f"the match could not go on after {RESTART}: {error}"
        log.error("match_not_restored", match=kept.opening.match_id, error=str(error))
        house.journal.spoiled(kept, text)
        return None
    attempt = Attempt(
        0,
        spec,
        occupants,
        house.lobby,
        page=house.journal.page(kept),
        exit_grace_s=house.settings.exit_grace_s,
    )
    if kept.entries or kept.trouble:
        attempt.goes_on = True
        for vacancy in attempt.vacancies.values():
            house.lobby.add(vacancy)
        house.lobby.begun(attempt.vacancies.values())
    else:
        attempt.open()
    return attempt


class _Sessions:
    """Makes sessions again, with the seats that they hold."""

    def __init__(self, house: House, attempts: Mapping[str, Attempt], *, doubtful: bool) -> None:
        self._house = house
        self._attempts = attempts
        self._doubtful = doubtful
        self._sitters: dict[str, dict[int, SessionSeat]] = {}

    def taken_in(self, sessions: Mapping[int, KeptSession]) -> dict[str, dict[int, SessionSeat]]:
        """By match id and seat: the bots that are expected back."""
        for number in sorted(sessions):
            self._take_in(sessions[number])
        return self._sitters

    def _take_in(self, kept: KeptSession) -> None:
        house = self._house
        now = {place: handle for handle, place in sorted(kept.seats.items())}
        handles = Handles(kept.handles, {was: now[place] for was, place in kept.seats.items() if now[place] != was})
        held = {handle: place for place, handle in now.items() if self._holds(*place)}
        told = {handle: self._told(handle, *place) for place, handle in now.items() if handle not in held}
        untold = {handle: end for handle, end in told.items() if end is not None}
        if self._doubtful:
            handles.last += LOST
            held = {handles.replaced(handle): place for handle, place in held.items()}
        if not held and not untold:
            house.journal.session_over(kept.session_id)
            return
        for_one_seat = kept.greeting.who.kind is Kind.SEAT
        invited_to = None
        if for_one_seat and held:
            match_id, seat = next(iter(held.values()))
            invited_to = self._attempts[match_id].vacancies[seat]
        session = Session.restored(
            kept, house.lobby, house.settings, house.journal, handles=handles, invited_to=invited_to
        )
        for handle, (match_id, seat) in held.items():
            attempt = self._attempts[match_id]
            vacancy = attempt.vacancies[seat]
            sitter = session.sits(handle, vacancy)
            self._sitters.setdefault(match_id, {})[seat] = sitter
            if not attempt.goes_on:
                house.lobby.begun((vacancy,))
                attempt.seated(seat, sitter)
        for handle, end in untold.items():
            session.has_not_heard(handle, end)
        house.lobby.restored(session)
        if self._doubtful:
            session.keep()
        if for_one_seat and not held:
            session.end(errors_pb2.SESSION_END_REASON_DONE, "the match is over")

    def _holds(self, match_id: str, seat: int) -> bool:
        """True if a bot is expected back there."""
        attempt = self._attempts.get(match_id)
        if attempt is None or seat not in attempt.vacancies or seat in self._sitters.get(match_id, {}):
            return False
        # Before a match has begun, a program that is started anew takes its seat like any other.
        return attempt.goes_on or not isinstance(attempt.occupants[seat], Command)

    def _told(self, handle: int, match_id: str, seat: int) -> Untold | None:
        """The end of a match that the bot may not have heard; None where it cannot be told."""
        if match_id in self._attempts:
            return None
        try:
            ended = self._house.journal.ended(match_id)
            return None if ended is None else end_told(ended, seat, handle)
        except Exception as error:  # a game of others may fail in any way
            log.warning("end_untold", match=match_id, seat=seat, error=str(error))
            return None
