"""A seat whose bot is at the other end of a session."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rivalry.arena.v1 import session_pb2
from rivalry_engine.game import Objection
from rivalry_engine.prompt import Answer
from rivalry_server import rulings
from rivalry_server.live_events import LiveEvents
from rivalry_server.messages import measured
from rivalry_server.outbox import Due
from rivalry_server.outcome import End, shortened
from rivalry_server.patience import Patience
from rivalry_server.prompt_clock import PromptClock
from rivalry_server.rejection import Rejection
from rivalry_server.seat import Seat
from rivalry_server.watch import Reader
from rivalry_wire.bytewise import varint

if TYPE_CHECKING:
    from asyncio import TimerHandle

    from rivalry_server.lobby import Vacancy
    from rivalry_server.match import Match
    from rivalry_server.messages import Wire
    from rivalry_server.outcome import Result
    from rivalry_server.player import Player
    from rivalry_server.seat_clock import Charge
    from rivalry_server.session import Session


class SessionSeat(Seat, Due):
    """Asks over a session; keeps the seat's clock, which starts when the frame with the prompt is begun.

    As ``Due`` it is its own open prompt on the way out.
    """

    def __init__(self, session: Session, vacancy: Vacancy, handle: int, offer: int) -> None:
        self.session = session
        self.vacancy = vacancy
        self.bot = vacancy.bot
        self.name = session.greeting.name
        self.version = session.greeting.version
        self.live = "live_events" in session.greeting.features
        self._handle = handle
        self._offer = offer
        self._head = b"\x08" + varint(handle)
        self.begun = False
        """True once the match has begun and the bot knows the handle."""
        self._stopped = False
        """True once nothing is asked of the bot any more: what becomes of it then is nothing to the match."""
        self._match: Match
        self._wire: Wire
        self._player: Player
        self._clock = PromptClock(session, on_flag=self._flag_fell)
        self._prompt: bytes | None = None
        """The open prompt as long as it is not in a frame."""
        self._holds_slot = False
        self._queued = False
        """True while the prompt waits for room among the session's open prompts."""
        self._room: TimerHandle | None = None
        """Set while it does: when it fires, the prompt's clock starts all the same."""
        self._excused = False
        """True while the bot is away by no fault of its own, since the arena was started anew."""
        self._away_since = 0.0
        self._away_s = 0.0
        """How long the bot was away in this match while its clock stood still."""
        self._grace: Patience | None = None
        """Set while the bot is away: the seat is lost when it fires."""
        self._rejection = Rejection(self._ruled_rejected)
        self._known = False
        """True while the open prompt waits to be told again to a bot that has it."""
        self._reader = Reader(0)
        """Has what the bot is known to have."""
        self._told = 0
        """The number of the last event that went out, with the open prompt or live."""
        self._last = b""
        self._taken: Answer | None = None
        """The answer that was taken last; None before the first."""
        self._expired: int | None = None
        """The number of the prompt whose time was up; None before."""
        self._live = LiveEvents(self)

    def started(self, match: Match, player: Player) -> None:
        self._match = match
        self._player = player
        self.begun = True
        self._wire = match.wire
        self._reader = match.log.reader()
        self._told = self._reader.have
        self._clock.seated(match, player)
        claimed = self.session.handles.claimed(self._handle)  # where a power cut took the beginning of the match
        self._tell_start(resumed=player.resumed or claimed > 0, replaces=claimed)
        self._excused = player.resumed and not self.session.attached
        if not self.session.attached and not self.kept_without_stream("the bot was away"):
            self.absent = (End.DISCONNECT, "the bot was away when its match went on")

    def greeted(self) -> None:
        """The session's bot was started anew and has said hello: it may be another version, and want other things."""
        greeting = self.session.greeting
        self.live = "live_events" in greeting.features
        if (self.name, self.version) != (greeting.name, greeting.version):
            self.name, self.version = greeting.name, greeting.version
            if self.begun:
                self._match.renamed(self._player.seat, self.name, self.version)

    def resumed(self, ack: session_pb2.Ack | None) -> None:
        """The bot is back on a new stream and has what ``ack`` says, None for nothing: it is told what it misses."""
        if not self.begun:
            return
        self._stopped = self._player.end is not None
        self._back()
        self.vacancy.attempt.returned(self.vacancy.seat, by=self.session)
        match, player = self._match, self._player
        if ack is not None and (ack.prompt > player.number or ack.events > len(match.log)):
            ack = None
            self._handle = self.session.rehandled(self, self._handle)
            self._head = b"\x08" + varint(self._handle)
        replaces = self.session.handles.replaces(self._handle)
        if replaces:
            # The bot has seen what the arena has lost: what it thinks about is not what is asked now, and of the events
            # that it has some did not happen, so that all are told again.
            self._reader.have = match.log.forgotten
        elif ack is not None:
            self._reader.have = max(self._reader.have, ack.events)
        try:
            self._tell_start(resumed=True, replaces=replaces)
            self._live.lost()
            self._rejection.hush()
            if self.live:
                self._told = self._reader.have
                if self._told < len(match.log):
                    self.happened()
            if self._holds_slot:
                self._put_prompt()
                if ack is not None and ack.prompt == player.number:
                    self._known = True
                    if player.rejections:
                        self.session.put(self._rejection.again())
            elif self._queued:
                self._wait_for_room()
            elif player.open:  # another was awaited in its place
                self.ask()
        except BaseException as error:
            match.fault(error)

    def _tell_start(self, *, resumed: bool, replaces: int = 0) -> None:
        wire = self._match.wire
        self.session.put(wire.started(self._player, self._handle, self._offer, resumed=resumed, replaces=replaces))

    def kept_without_stream(self, text: str) -> bool:
        """The stream is gone without a word; False if the seat is not kept for its bot to come back.

        The clock of an open prompt runs on, and that of one that is asked meanwhile runs too; or they stand still until
        the bot is back, as the match's policies say.
        """
        session = self.session
        if not self.begun or not session.resumable:
            return False
        policies = self._match.spec.policies
        grace_s = session.settings.grace_s if policies.grace_us is None else policies.grace_us / 1_000_000
        # While the clock stands still the bot may think: then the grace is for all its absences of a match together.
        grace_s -= self._away_s
        if grace_s <= 0:
            return False
        if self._player.end is not None:
            return True
        child = self.vacancy.child
        if child is not None and child.ended_well:
            return False
        why = f"{text}, and the bot did not come back in {grace_s:g} s"
        if policies.grace_paused:
            self._clock.stop()
        self.vacancy.on_good_end = partial(self._away_too_long, text)
        self.away = True
        self._away_since = session.now()
        self._grace = Patience(session.loop, grace_s, partial(self._away_too_long, why))
        self._pass_time()
        return True

    def _away_too_long(self, text: str) -> None:
        self._back()
        self._lost(End.DISCONNECT, text)

    def _back(self) -> None:
        """The bot is there again, or will not be."""
        self._excused = False
        if self.away and self._match.spec.policies.grace_paused:
            self._away_s += self.session.now() - self._away_since
        self.away = False
        if self._grace is not None:
            self._grace.cancel()
            self._grace = None
            self.vacancy.on_good_end = None

    def ask(self) -> None:
        if self.session.slots.take(self):
            self.open()
        else:
            self._queued = True
            self._wait_for_room()

    @property
    def _stands(self) -> bool:
        """True while the bot is away and its clock stands still."""
        return self.away and (self._excused or self._match.spec.policies.grace_paused)

    def _wait_for_room(self) -> None:
        if self._room is None and not self._stands and not self._clock.runs:
            self._room = self.session.loop.call_later(self.session.settings.room_s, self._waited_for_room)

    def _waited_for_room(self) -> None:
        """The bot has taken on more than it gets to: others need not wait for it without end."""
        self._room = None
        if self.wanted and not self._stands:
            self._clock.ask()
            self._clock.start(self.session.now())

    def _leave_queue(self) -> None:
        self._queued = False
        if self._room is not None:
            self._room.cancel()
            self._room = None

    def open(self) -> None:
        """Writes the prompt: there is room for it among the session's open prompts."""
        self._holds_slot = True
        if self._queued:
            self._leave_queue()
        if not self._clock.runs:
            self._clock.ask()
        try:
            self._put_prompt()
        except BaseException as error:
            self._match.fault(error)
            return
        self._pass_time()

    def _pass_time(self) -> None:
        """Starts the clock of a prompt that cannot be written, since the bot is away, where its time passes."""
        if self.away and not self._stands and self._holds_slot and not self._clock.runs:
            self._clock.start(self.session.now())

    def _put_prompt(self) -> None:
        """Puts the open prompt into the next frame, with what is left of its time."""
        session = self.session
        match = self._match
        pieces = self._wire.prompt(
            self._player,
            self._head,
            budget_us=self._clock.left_us(),
            events_after=self._reader.have,
            last=self._last,
            features=session.greeting.features,
        )
        self._prompt = pieces.pop()
        self._known = False
        for events in pieces:
            session.put(events)
        self._told = len(match.log)
        session.put(self)

    def written(self, now: float) -> bytes:
        prompt = self._prompt
        if prompt is None:
            return b""
        self._prompt = None
        self._clock.start(now)
        ledger = self._match.ledger
        if ledger is not None:
            ledger.committed(now)
        return prompt

    def returned(self, now: float) -> None:
        self._clock.returned(now)

    @property
    def wanted(self) -> bool:
        """True while a prompt waits for room that is still open."""
        return self._queued and self._player.open

    def happened(self) -> None:
        self._live.happened()

    def live_events(self) -> bytes:
        """What happened since the bot was told last, as a piece of a frame."""
        match = self._match
        if match.result is not None:
            return b""
        for first, count, data in match.wire.events(self._player.seat, self._told):
            self._told = first + count - 1
            if self._told < len(match.log):
                self.happened()
            return match.wire.live_events(self._head, first, count, data)
        return b""

    def stop(self) -> None:
        self._stopped = True
        player = self._player
        if player.open and player.end is not None:
            if self._queued and not self._clock.runs:
                self._clock.ask()
            now = self.session.now()
            self._match.lost_time(player.seat, self._clock.charge(now), self._clock.stamps(now))
            self._clock.clear()
        self._leave_queue()
        self._close_prompt()

    def replaced(self) -> None:
        self.stop()
        self._back()
        self._clock.close()
        self._match.log.close(self._reader)
        self.session.release(self._handle)

    def ended(self, result: Result) -> None:
        self._leave_queue()
        self._close_prompt()
        self._clock.close()
        self._back()
        pieces: list[bytes] = []
        if self.begun and self.session.end_reason is None:
            pieces = self._match.wire.ended(
                self._player, self._handle, result, events_after=self._reader.have, last=self._last
            )
        started = b""
        if pieces and self.session.handles.replaces(self._handle):
            started = self._match.wire.started(self._player, self._handle, self._offer, resumed=True)
        self.session.match_over(self._handle, pieces, started=started, owed=result.owed)

    def gone(self, end: End, text: str) -> None:
        """The session is over."""
        self._back()
        if self.begun:
            self._match.log.close(self._reader)
            self._lost(end, text)
        else:
            self.vacancy.attempt.vacated(self, end, text)

    def hung_up(self, text: str) -> None:
        """The stream is gone without a word.

        The end of a program that was started for the seat may close its stream first, so that is waited for a little:
        if the program failed, the end is a crash.
        """
        child = self.vacancy.child
        if child is None or child.ended_well:
            self.gone(End.DISCONNECT, text)
        else:
            self._clock.mute()
            self.vacancy.on_good_end = partial(self.gone, End.DISCONNECT, text)
            Patience(self.session.loop, self.session.settings.exit_grace_s, self.vacancy.on_good_end)

    def resign(self, why: str) -> bool:
        """The bot gives up; False if there is nothing to give up any more."""
        if not self.begun or self._player.end is not None:
            return False
        self._lost(End.RESIGNED, shortened(why))
        return True

    def fault(self, error: Exception) -> None:
        """The arena failed in something to do with this seat."""
        if self.begun:
            self._match.fault(error)

    def _lost(self, end: End, text: str) -> None:
        if self.begun and not self._stopped:
            self._match.lost(self._player.seat, end, text)

    def acknowledge(self, number: int) -> bool:
        """The bot has the events up to ``number``; False if that is nothing new."""
        if not self.begun or not self._reader.have < number <= self._told:
            return False
        self._reader.have = number
        return True

    def answered(self, message: session_pb2.Answer, at: float) -> bool:
        """An answer that was read at ``at``; False if no open prompt asked for it."""
        player = self._player
        pending = self._prompt is not None and not self._known
        if not player.open or message.number != player.number or pending or not self._holds_slot:
            self._rule_out_of_turn(message)
            return False
        charge = self._clock.charge(at)
        if charge.arena_us and self._spoils(charge):
            return True
        if not charge.in_time:
            self._time_is_up(charge)
            self._rule_out_of_turn(message)
            return True
        if (before := self._rejection.repeated_by(message)) is not None:
            left_us = self._clock.left_us()
            self.session.put(rulings.rejected_already(before, player, match=self._handle, budget_us=left_us))
            return True
        free = self._rejection.forgotten
        self._reader.have = self._told
        match = self._match
        try:
            answer = rulings.answer_in(message, self._wire.codec, self.session.settings.note_bytes)
            if isinstance(answer, Objection):
                self._reject(message, answer, at, free=free)
                return True
            verdict = match.judged(player.seat, answer)
        except BaseException as error:
            match.fault(error)
            return True
        if isinstance(verdict, Objection):
            self._reject(message, verdict, at, free=free)
            return True
        self._taken = answer
        self._last = measured(player.number, charge)
        stamps = self._clock.stamps(at) if match.ledger is not None else None
        self._clock.clear()
        self._close_prompt()
        measured_us = charge.bot_us + charge.network_us + charge.arena_us
        match.take(player.seat, verdict, measured_us, answer.note, charge=charge, stamps=stamps)
        return True

    def _reject(self, message: session_pb2.Answer, objection: Objection, at: float, *, free: bool) -> None:
        """An answer to the open prompt is not taken; it costs a try unless it is ``free``."""
        player = self._player
        if not free:
            self._match.rejected(player.seat)
        self._clock.rejected(at)
        self._rejection.of(message, objection)
        self.session.put(self._ruled_rejected(objection))
        if not player.tries:
            text = f"prompt {player.number}: {shortened(objection.text)} ({objection.code})"
            self._lost(End.ILLEGAL, text)

    def _ruled_rejected(self, objection: Objection | None) -> bytes:
        """The ruling on an answer to the open prompt; None where nobody knows any more why it was not taken."""
        player = self._player
        budget_us = self._clock.left_us() if player.tries else None
        return rulings.rejection(objection, player, match=self._handle, budget_us=budget_us)

    def _rule_out_of_turn(self, message: session_pb2.Answer) -> None:
        """Says what became of an answer to a prompt that is not open."""
        self.session.put(
            rulings.out_of_turn(
                message,
                self._player,
                match=self._handle,
                told=self._prompt is None and self._holds_slot,
                taken=self._taken,
                expired=self._expired,
                codec=self._match.wire.codec,
                note_bytes=self.session.settings.note_bytes,
            )
        )

    def _flag_fell(self) -> None:
        if not self._player.open:
            return
        charge = self._clock.charge(self.session.now())
        if not self._spoils(charge):
            self._time_is_up(charge)

    def _spoils(self, charge: Charge) -> bool:
        """True if the arena held up the seat so long that the match is void."""
        why = self._clock.held_up(charge)
        if why:
            self._match.held_up(why)
        return bool(why)

    def _time_is_up(self, charge: Charge) -> None:
        self._expired = self._player.number
        self._lost(End.TIMEOUT, self._clock.up(charge))

    def _close_prompt(self) -> None:
        """Stops the clock and makes room for another of the session's prompts."""
        self._prompt = None
        self._rejection.close()
        if self._clock.runs:
            self._clock.stop()
        if self._holds_slot:
            self._holds_slot = False
            self.session.slots.freed()
