"""An attempt: one run of a match, from the wait for its seats to its result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from rivalry.arena.v1 import errors_pb2
from rivalry_engine.error import RivalryError
from rivalry_server import logs
from rivalry_server.awaited import Absence, AwaitedSeat
from rivalry_server.beginning import Beginning, FirstState
from rivalry_server.clock import reading
from rivalry_server.heavy_match import HeavyMatch
from rivalry_server.journal import NO_PAGE
from rivalry_server.journal.entries import Begun, Entry, Lost, Seated
from rivalry_server.lag import LEAST_S, sampler
from rivalry_server.lobby import Lobby, Vacancy
from rivalry_server.match import Match
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.patience import Patience
from rivalry_server.seat import AbsentSeat, InProcess, InProcessSeat, Seat
from rivalry_server.seat_clock import SeatClock
from rivalry_server.seating import Command, Dial, Listen, Occupant, Pooled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rivalry_server.clock import TimeControl
    from rivalry_server.journal import Page
    from rivalry_server.session import Session
    from rivalry_server.session_seat import SessionSeat
    from rivalry_server.spawn import Child
    from rivalry_server.spectator import Spectator


class TooManyMatchesError(RivalryError):
    """An arena takes no more matches for now."""


class Phase(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"
    RUNNING = "running"
    ENDED = "ended"


class Attempt:
    """Gathers the bots of a match, starts it when the last seat is taken or given up, and keeps its result."""

    def __init__(
        self,
        number: int,
        spec: MatchSpec,
        occupants: Sequence[Occupant],
        lobby: Lobby,
        *,
        page: Page,
        exit_grace_s: float,
        spectator: Spectator | None = None,
    ) -> None:
        """``number`` orders the attempts of an arena."""
        self._grace_s = exit_grace_s
        self.number = number
        self.spec = spec
        self.occupants = tuple(occupants)
        self.match: Match | None = None
        """The match while it runs."""
        self.result: Result | None = None
        self.finished: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.watchers: list[Callable[[], None]] = []
        """Called when the match begins, when there are new events, and when it has ended."""
        self.goes_on = False
        """True for a match that had begun before the arena was started."""
        self.suspended = False
        """True once the arena goes down and leaves the match for the next to go on with."""
        self.hushed = False
        """True once what its programs say is not shown: it could not begin, and that alone is told."""
        self.vacancies: dict[int, Vacancy] = {}
        self._loop = asyncio.get_running_loop()
        self._now = reading(self._loop)
        self._lobby = lobby
        self._page = page
        self.spectator = spectator
        self._created_at = self._now()
        self._sitters: list[Seat | None] = [None] * len(occupants)
        self.again_as = ""
        """The id of the run that was made in place of this one, which the arena spoiled."""
        self.restart: Callable[[int], None] = _nothing
        """Starts the program of a seat anew; whoever starts programs sets it."""
        self._expected: dict[int, Session] = {}
        """By seat: bots that are here already, from a run of the match that the arena spoiled."""
        self.settled = False
        """True once no run of the match goes on or will be made: then its seed is no secret."""
        self._retries = [0] * len(occupants)
        """How often the bot of a seat was started or awaited again before the match began."""
        self._absent: dict[int, Absence] = {}
        """The clocks of awaited seats, where they run."""
        self._awaited: dict[int, asyncio.TimerHandle] = {}
        """The seats of a running match whose bots are awaited again, each with the end of the wait."""
        self._cancelled: str | None = None
        self._given_up: tuple[End, str] | None = None
        """What became of the seats that nobody had taken, once that is settled."""
        self._first: Beginning | Exception | None = None
        """Where a game begins whose first state a worker makes, once that is known, or why it does not."""
        self._beginning: FirstState | None = None
        """The worker's part, once it was asked for it."""
        self._timer = Patience(self._loop, spec.wait_s, self._waited)
        for seat, occupant in enumerate(occupants):
            if not isinstance(occupant, InProcess):
                walk_in = isinstance(occupant, Listen) and occupant.walk_in
                vacancy = self.vacancies[seat] = Vacancy(self, seat, occupant.bot, walk_in=walk_in)
                if isinstance(occupant, Pooled):
                    vacancy.pool = occupant.pool
                if isinstance(occupant, Listen):
                    vacancy.reserved = occupant.reserved
                if isinstance(occupant, Listen) and occupant.fingerprint:
                    vacancy.token, vacancy.fingerprint = occupant.token, occupant.fingerprint

    @property
    def phase(self) -> Phase:
        """Where the match stands."""
        if self.result is not None:
            return Phase.ENDED
        return Phase.WAITING if self.match is None else Phase.RUNNING

    def open(self) -> None:
        """Opens the seats that bots are to dial in for, and seats those that are functions here."""
        for seat, vacancy in self.vacancies.items():
            self._lobby.add(vacancy, to=self._expected.pop(seat, None))
        for seat, occupant in enumerate(self.occupants):
            if isinstance(occupant, InProcess):
                self.seated(seat, InProcessSeat(occupant, now=self._now, later=self._loop.call_soon))

    def go_on(self, entries: Sequence[Entry], sitters: Mapping[int, Seat], trouble: str) -> None:
        """A match that had begun goes on from what the journal kept of it, or ends if there is ``trouble``.

        ``sitters`` are those that are expected back.  Functions of this process are there at once; other bots are
        awaited as at the beginning.
        """
        self._timer.cancel()
        names, ends = _known(entries, len(self.occupants))
        for seat, occupant in enumerate(self.occupants):
            sitter = sitters.get(seat)
            if sitter is None and seat in ends:
                sitter = AbsentSeat(occupant.bot, *ends[seat], name=names[seat][0], version=names[seat][1])
            elif sitter is None and isinstance(occupant, InProcess):
                sitter = InProcessSeat(occupant, now=self._now, later=self._loop.call_soon)
            elif sitter is None:
                sitter = AwaitedSeat(occupant.bot, *names[seat])
                self._await(seat, End.NO_SHOW, "its bot did not come back after the arena was restarted")
            self._sitters[seat] = sitter
        match = self._matched([sitter for sitter in self._sitters if sitter is not None])
        match.restore(entries, trouble)
        if self.match is not None:
            for seat in list(self._awaited):
                self._lobby.add(self.vacancies[seat])
            self._changed()

    def suspend(self) -> bool:
        """Leaves the match as it is for an arena that goes on with it later; False if nobody keeps it."""
        if self.phase is Phase.ENDED or self._page is NO_PAGE:
            return False
        self.suspended = True
        self._timer.cancel()
        if self._beginning is not None:
            self._beginning.give_up()
        for timer in self._awaited.values():
            timer.cancel()
        if self.match is not None:
            self.match.suspend()
        return True

    @property
    def kept(self) -> bool:
        """True if the journal keeps this match."""
        return self._page is not NO_PAGE

    def followed_by(self, following: Attempt | None, *, later: bool = False) -> None:
        """Bots that are here for a seat of this match alone are offered the same of ``following``, or done.

        ``later``: it is left to the next start of the arena to run the match again.
        """
        for seat, vacancy in self.vacancies.items():
            session = vacancy.taken_by
            if session is None or session.invited_to is not vacancy:
                continue
            dials_in = isinstance(self.occupants[seat], Listen)
            if following is not None and session.attached and dials_in:
                session.invited_to = following.vacancies[seat]
                following._expected[seat] = session
            elif later and dials_in:
                session.comes_again = True
            else:
                session.end(errors_pb2.SESSION_END_REASON_DONE, "the match is over")

    def named(self, seat: int) -> tuple[str, str]:
        """Name and version of the bot that took a seat; empty before."""
        if self.result is not None:
            return self.result.seats[seat].name, self.result.seats[seat].version
        sitter = self._sitters[seat]
        return ("", "") if sitter is None else (sitter.name, sitter.version)

    def waiting_for(self, seat: int) -> bool:
        """True while the seat is neither taken nor given up."""
        return seat in self._awaited or (self.phase is Phase.WAITING and self._sitters[seat] is None)

    def expects(self, seat: int) -> bool:
        """True while a bot may still come for the seat, or come back for it."""
        if self.waiting_for(seat):
            return True
        return self.match is not None and self.match.players[seat].sitter.away

    def seated(self, seat: int, sitter: Seat) -> None:
        """A seat is taken, or given up if ``sitter`` is absent; the last one starts the match."""
        if seat in self._awaited and self.match is not None:
            self.returned(seat, by=self.vacancies[seat].taken_by)
            if self.spectator is not None:
                self.spectator.seated(seat, sitter.name, sitter.version)
            self.match.reseat(seat, sitter)
            return
        if self.phase is not Phase.WAITING or self._sitters[seat] is not None:
            return
        self._sitters[seat] = sitter
        if self.spectator is not None and sitter.absent is None:
            self.spectator.seated(seat, sitter.name, sitter.version)
        if None not in self._sitters:
            # In a turn of its own: whoever seated the last bot is done with his frame first.
            self._loop.call_soon(self._begin)

    def vacated(self, sitter: SessionSeat, end: End, text: str) -> None:
        """The bot that took a seat is gone before the match began: the seat is open again, unless its bot failed."""
        seat = sitter.vacancy.seat
        if self.phase is not Phase.WAITING or self._sitters[seat] is not sitter:
            return
        if end is End.CRASH:
            self._failed(seat, text)
            return
        self._sitters[seat] = None
        if self._given_up is None:
            self._lobby.vacated(sitter.vacancy, text)
        else:
            end, why = self._given_up
            self.seated(seat, AbsentSeat(sitter.bot, end, f"{why}; its bot left before the match began: {text}"))

    def exited(self, seat: int, child: Child, text: str) -> None:
        """The program that was started for a seat has ended.

        Where it ended well and its bot had taken the seat or was offered it, the stream tells how: it closes now if it
        has not yet.
        """
        vacancy = self.vacancies[seat]
        if self.phase is Phase.ENDED or self.suspended or child is not vacancy.child:
            return
        on_good_end = vacancy.on_good_end
        if child.ended_well and on_good_end is not None:
            on_good_end()
        elif child.ended_well and (vacancy.taken_by is not None or not self.waiting_for(seat)):
            Patience(self._loop, self._grace_s, partial(self._crashed_unless_again, seat, child, text))
        else:
            self._crashed(seat, text)

    def returned(self, seat: int, *, by: Session | None) -> None:
        """A seat whose bot was awaited again is not open any more: ``by`` has it, or None where nobody came.

        Another session that was offered it has room again.
        """
        timer = self._awaited.pop(seat, None)
        absence = self._absent.pop(seat, None)
        if absence is not None:
            absence.over()
        if timer is not None:
            timer.cancel()
            vacancy = self.vacancies[seat]
            self._lobby.begun((vacancy,))
            offered, vacancy.taken_by = vacancy.taken_by, by
            if offered is not None and offered is not by:
                offered.withdraw(vacancy)

    def not_started(self, seat: int, text: str) -> None:
        """The program of a seat could not be started again."""
        self.returned(seat, by=None)
        self._crashed(seat, text)

    def _again(self, seat: int, end: End, text: str) -> None:
        """The bot of a seat has failed and is started or awaited again."""
        occupant = self.occupants[seat]
        if isinstance(occupant, InProcess):
            self._loop.call_soon(self._made_again, seat, occupant)
            return
        vacancy = self.vacancies[seat]
        vacancy.on_good_end = None
        vacancy.trouble = text
        self._await(seat, end, text)
        self._lobby.add(vacancy)
        self.restart(seat)

    def _await(self, seat: int, end: End, text: str) -> None:
        wait_s = self.spec.wait_s
        absence = self._absence(seat)
        if absence is not None:
            self._absent[seat] = absence
            left_s = absence.left_s()
            wait_s = wait_s if left_s is None else min(wait_s, left_s)
        self._awaited[seat] = self._loop.call_later(wait_s, self._nobody_came, seat, end, text, wait_s)

    def _absence(self, seat: int) -> Absence | None:
        """The clock of an awaited seat's open prompt; None where it stands still, or there is none.

        A bot that dials in may think while it is away, so that its clock runs unless the match's grace stops it.  A
        program that the arena starts again cannot: it was ended.
        """
        if self.match is None or isinstance(self.occupants[seat], Command | Pooled) or self.spec.policies.grace_paused:
            return None
        player = self.match.players[seat]
        if not player.open:
            return None
        lag = sampler(self._loop, self._now, every_s=self._lobby.settings.lag_sample_s)
        return Absence(player, self.spec.time_control.margin_us, lag, self._now)

    def _made_again(self, seat: int, occupant: InProcess) -> None:
        if self.match is not None:
            self.match.reseat(seat, InProcessSeat(occupant, now=self._now, later=self._loop.call_soon))

    def _nobody_came(self, seat: int, end: End, text: str, waited_s: float) -> None:
        absence = self._absent.get(seat)
        more_s = min(self.spec.wait_s - waited_s, (absence.left_s() if absence is not None else None) or 0.0)
        if more_s > LEAST_S:  # the arena held up what passed
            waited_s += more_s
            self._awaited[seat] = self._loop.call_later(more_s, self._nobody_came, seat, end, text, waited_s)
            return
        self.returned(seat, by=None)
        if self.match is not None:
            self.match.lost(seat, end, f"{text}; it was awaited again for {waited_s:g} s and nobody came")

    def _crashed_unless_again(self, seat: int, child: Child, text: str) -> None:
        if child is self.vacancies[seat].child:
            self._crashed(seat, text)

    def _crashed(self, seat: int, text: str) -> None:
        if self.match is not None:
            self.match.lost(seat, End.CRASH, text)
        elif self.phase is Phase.WAITING:
            self._failed(seat, self._explained(seat, text))

    def _explained(self, seat: int, text: str) -> str:
        """``text``, and what kept the seat from being taken."""
        vacancy = self.vacancies.get(seat)
        why = "" if vacancy is None else vacancy.trouble or vacancy.trouble_before
        return f"{text}; {why}" if why else text

    def _failed(self, seat: int, text: str) -> None:
        """The bot of a seat has crashed before the match began."""
        name, version = self.named(seat)
        self._sitters[seat] = None
        if self._given_up is None and self._retried(seat, End.CRASH, text):
            self._lobby.vacated(self.vacancies[seat], text)
            return
        self._lobby.give_up((self.vacancies[seat],))
        self.seated(seat, AbsentSeat(self.occupants[seat].bot, End.CRASH, text, name=name, version=version))

    def cancel(self, why: str) -> None:
        """Ends the match without a result; bots that are seated are told."""
        if self.suspended:
            return
        if self.match is not None:
            self.match.cancel(why)
        elif self.phase is Phase.WAITING and self._cancelled is None:
            self._cancelled = why
            self._give_up(End.CANCELLED, why)

    def _retried(self, seat: int, end: End, text: str) -> bool:
        """True if the bot of a seat that is not taken is started or awaited again."""
        if self._retries[seat] >= self.spec.policies.on(end).retries:
            return False
        self._retries[seat] += 1
        if self.spectator is not None:
            self.spectator.retried(seat, end, text, self._retries[seat])
        self.restart(seat)
        return True

    def _waited(self) -> None:
        text = f"the seat was not taken in {self.spec.wait_s:g} s"
        empty = [seat for seat, sitter in enumerate(self._sitters) if sitter is None]
        again = [seat for seat in empty if self._retried(seat, End.NO_SHOW, self._explained(seat, text))]
        if again:
            self._timer = Patience(self._loop, self.spec.wait_s, self._waited)
        else:
            self._give_up(End.NO_SHOW, text)

    def _give_up(self, end: End, text: str) -> None:
        self._given_up = (end, text)
        seats = [seat for seat, sitter in enumerate(self._sitters) if sitter is None]
        self._lobby.give_up(self.vacancies[seat] for seat in seats if seat in self.vacancies)
        for seat in seats:
            why = self._explained(seat, text) if end is End.NO_SHOW else text
            self.seated(seat, AbsentSeat(self.occupants[seat].bot, end, why))

    def _begin(self) -> None:
        sitters = [sitter for sitter in self._sitters if sitter is not None]
        if self.phase is not Phase.WAITING or len(sitters) < len(self._sitters) or self.suspended:
            return
        if self.spec.begins_aside and self._first is None:
            if self._beginning is None:
                most_s = self._lobby.settings.first_state_s
                self._beginning = FirstState(self._loop, self.spec.first_state, self._first_made, most_s=most_s)
            return
        self._timer.cancel()
        self._lobby.begun(self.vacancies.values())
        match = self._matched(sitters)
        for player, retries in zip(match.players, self._retries, strict=True):
            player.retries = retries
            if (loading := self._loading(player.seat)) is not None:
                player.clock = SeatClock(loading)
        match.start(self._cancelled)
        self._first = None
        self._changed()

    def _loading(self, seat: int) -> TimeControl | None:
        """The time of a seat whose bot may have to load something yet; None where it has the match's."""
        occupant = self.occupants[seat]
        if isinstance(occupant, Dial):
            return occupant.loading
        if not isinstance(occupant, Pooled) or occupant.loading is None:
            return None
        session = self.vacancies[seat].taken_by
        member = None if session is None else session.member
        return occupant.loading if member is not None and member.fresh else None

    def _first_made(self, first: Beginning | Exception) -> None:
        self._first = first
        self._begin()

    def _is_heavy(self) -> bool:
        """True if its steps take long: the game says so, or its first state did."""
        slow = isinstance(self._first, Beginning) and self._first.took_s > self._lobby.settings.heavy_s
        return slow or self.spec.game.heavy

    def _matched(self, sitters: Sequence[Seat]) -> Match:
        kind: Callable[..., Match] = Match
        if self._is_heavy():
            kind = partial(HeavyMatch, loop=self._loop, step_s=self._lobby.settings.step_s)
        match = self.match = kind(
            self.spec,
            sitters,
            now=self._now,
            later=self._loop.call_soon,
            on_end=self._ended,
            page=self._page,
            on_retry=self._again,
            spectator=self.spectator,
            first=self._first,
        )
        match.watchers.append(self._changed)
        return match

    def _changed(self) -> None:
        for watcher in list(self.watchers):
            watcher()

    def _ended(self, result: Result) -> None:
        self.result = result
        self._lobby.remove(self.vacancies.values())
        for seat in list(self._awaited):
            self.returned(seat, by=None)
        self._changed()
        self.match = None
        self._sitters.clear()
        logs.match_ended(result, waited_s=round(self._now() - self._created_at - result.duration_s, 3))
        if not self.finished.done():
            self.finished.set_result(result)


def _known(entries: Sequence[Entry], seats: int) -> tuple[list[tuple[str, str]], dict[int, tuple[End, str]]]:
    """Names and versions of the bots that sat there last, and how the seats ended that did."""
    names = [("", "")] * seats
    ends: dict[int, tuple[End, str]] = {}
    for entry in entries:
        if isinstance(entry, Begun):
            names = list(entry.sitters)
        elif isinstance(entry, Seated):
            names[entry.seat] = (entry.name, entry.version)
        elif isinstance(entry, Lost):
            ends[entry.seat] = (entry.end, entry.text)
    return names, ends


def _nothing(seat: int) -> None:
    """Nobody starts programs here."""
