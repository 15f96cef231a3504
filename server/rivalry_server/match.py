"""A match: asks its seats, applies their answers, and settles what follows when a seat fails.

It knows no stream and no loop: seats answer by calling ``judged`` and ``take``, ``later`` puts off what would be too
long at once, and ``now`` is the clock.  So the same code plays in a server, in one process without asyncio, in tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from rivalry_engine.chance import luck
from rivalry_engine.error import RivalryError
from rivalry_engine.game import PUBLIC, Action, Objection, State
from rivalry_engine.prompt import Answer, StatePrompt
from rivalry_server import given
from rivalry_server.blame import fault_of, tamed
from rivalry_server.given import BrokenGameError
from rivalry_server.journal import NO_PAGE, Page
from rivalry_server.journal.entries import Entry
from rivalry_server.ledger import Ledger, Stamps
from rivalry_server.logs import log
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.player import Player
from rivalry_server.policies import Policy
from rivalry_server.record import Move
from rivalry_server.restoring import RestoreError, play_again
from rivalry_server.seat_clock import Charge
from rivalry_server.settings import ACTIONS, REJECTED, TRIES
from rivalry_server.settling import settled, tell_bots
from rivalry_server.spectator import Spectator
from rivalry_server.watch import EventLog
from rivalry_server.words import cleaned, shortened

if TYPE_CHECKING:
    from rivalry_server.beginning import Beginning
    from rivalry_server.messages import Wire
    from rivalry_server.seat import Seat

STAND_IN: Final = "stand-in"
STRIDE: Final = 64
"""Rounds that nobody is waited for, done before others get their turn."""


class Match:
    """One match from its first prompt to its outcome."""

    def __init__(
        self,
        spec: MatchSpec,
        sitters: Sequence[Seat],
        *,
        now: Callable[[], float],
        later: Callable[[Callable[[], None]], object],
        on_end: Callable[[Result], None],
        page: Page = NO_PAGE,
        on_retry: Callable[[int, End, str], None] | None = None,
        spectator: Spectator | None = None,
        first: Beginning | Exception | None = None,
    ) -> None:
        """``on_retry`` starts the bot of a seat again, or awaits it: ``reseat`` follows, or ``lost``.

        ``first`` is where the match begins, or why it cannot, where a worker has found that out.  Raises RivalryError
        if the seats are not as many as the game's.
        """
        if len(sitters) != spec.game.seats:
            raise RivalryError(f"{spec.game.name} has {spec.game.seats} seats here; {len(sitters)} bots were given")
        self.spec = spec
        self.game = spec.game
        self.state: State
        """From ``start`` on."""
        self.log = EventLog()
        self.players = [
            Player(seat, sitter, luck(spec.seed, seat), spec.time_control) for seat, sitter in enumerate(sitters)
        ]
        self.moves: list[Move] = []
        self.movers: tuple[int, ...] = ()
        """The seats of this round."""
        self.result: Result | None = None
        self.clocks_told = b""
        """What a prompt of this round tells of all seats' clocks: as they were when it was asked."""
        self.ledger = Ledger(spectator.decided) if spectator is not None and spectator.wants_decisions else None
        """None where nobody wants to see it."""
        self.watchers: list[Callable[[], None]] = []
        """Called when there are new events, and at the end."""
        self._now = now
        self._later = later
        self._on_end = on_end
        self._page = page
        self._on_retry = on_retry
        self._spectator = spectator
        self._first = first
        self._told = 0
        self._suspended = False
        self._owed = False
        self._answers: dict[int, Move] = {}
        self._waited_for = 0
        self._started_at = now()
        self._wire: Wire | None = None
        control = spec.time_control
        self._tells_clocks = control.bank_us is not None or control.soft_us is not None

    @property
    def wire(self) -> Wire:
        """How this match's values become bytes; made when first needed."""
        if self._wire is None:
            from rivalry_server.messages import Wire

            self._wire = Wire(self)
            self.log.encode_with(self._wire.event)
        return self._wire

    def start(self, cancelled: str | None = None) -> None:
        """Tells the seats that the match begins and asks the first; or that it was ``cancelled``, and why."""
        try:
            self._started_at = self._now()
            if self._spectator is not None:
                self._spectator.started(self.game, self.spec.match_id, self.players)
            self._page.begun([(player.sitter.name, player.sitter.version) for player in self.players])
            self._begin()
            if cancelled is not None:
                self.cancel(cancelled)
            self._note_absent()
            if self.result is None:
                self._advance()
        except BaseException as error:
            self.fault(error)

    def restore(self, entries: Sequence[Entry], trouble: str = "") -> None:
        """In place of ``start``: plays again what the journal kept of the match and goes on asking from there.

        Each open prompt has its number, its rejected answers and its whole time.  Where there is ``trouble``, or the
        rules do not allow what was kept, the match ends as a fault of the arena.
        """
        try:
            for player in self.players:
                player.resumed = True
            page, self._page = self._page, NO_PAGE
            self._started_at = self._now()
            try:
                self._begin()
                play_again(self, entries)
                if trouble:
                    raise RestoreError(trouble)
            finally:
                self._page = page
            if self._follows_from_ends():
                return
            self._note_absent()
            if self.result is None:
                self._ask_round()
        except RestoreError as error:
            log.error("match_not_restored", match=self.spec.match_id, error=str(error))
            text = f"the match could not go on after the arena was restarted: {error}"
            self._break_off(End.ARENA_FAULT, text, owed=True)
        except BaseException as error:
            self.fault(error)

    def played_again(self, entries: Sequence[Entry], result: Result | None) -> None:
        """Does what the journal kept and no more, so that it can be looked at or its end told; raises RestoreError."""
        self._begin()
        play_again(self, entries)
        self.result = result

    def reseat(self, seat: int, sitter: Seat) -> bool:
        """A bot takes a seat whose bot was awaited; False if nobody is asked there any more."""
        player = self.players[seat]
        if self.result is not None or player.end is not None:
            return False
        try:
            player.sitter.replaced()
            player.sitter = sitter
            player.resumed = True
            self._page.seated(seat, sitter.name, sitter.version)
            sitter.started(self, player)
            if sitter.absent is not None:
                self.lost(seat, *sitter.absent)
            elif player.open:
                sitter.ask()
        except BaseException as error:
            self.fault(error)
        return True

    def renamed(self, seat: int, name: str, version: str) -> None:
        """The bot of a seat was started anew and calls itself something else."""
        if self.result is None and not self._suspended:
            self._page.seated(seat, name, version)
            if self._spectator is not None:
                self._spectator.seated(seat, name, version)

    def caught_up(self) -> None:
        """All events so far are told, to whom they concern."""
        self._told = len(self.log)

    def suspend(self) -> None:
        """The arena goes down and the journal keeps the match: nothing that comes after changes it."""
        self._suspended = True
        for player in self.players:
            player.open = False

    def judged(self, seat: int, answer: Answer) -> Action | Objection:
        """What ``answer`` to the seat's open prompt means; the seat counts an objection, by ``rejected``.

        Raises RivalryError for an answer with a field of another type than is declared.
        """
        player = self.players[seat]
        assert player.open, f"seat {seat} has no open prompt"
        try:
            return given.judged(self.state, seat, player.choices, answer)
        except Exception:
            raise
        except BaseException as error:
            raise tamed(self, error) from error

    def rejected(self, seat: int) -> None:
        """Counts an answer to the seat's open prompt that was not taken; the seat ends it when no tries are left."""
        self.players[seat].rejected()
        self._page.rejected(seat)

    def take(
        self,
        seat: int,
        action: Action,
        elapsed_us: int,
        note: str = "",
        *,
        charge: Charge | None = None,
        stamps: Stamps | None = None,
    ) -> None:
        """The seat's legal answer to its open prompt, with its time, which without a ``charge`` is all the bot's."""
        player = self.players[seat]
        clock = player.clock
        if charge is None:
            charge = clock.charged(player.number, elapsed_us, network_us=0, arena_us=0)
        if self.ledger is not None:
            self.ledger.enter(player, self.state.question(seat), charge, stamps, now=self._now())
        clock.settle(charge)
        player.open = False
        player.decisions += 1
        move = (seat, action, elapsed_us, None, cleaned(note) if note else "", charge.network_us, charge.arena_us)
        self._take(tuple.__new__(Move, move))  # as quick as can be: once for every decision

    def lost_time(self, seat: int, charge: Charge, stamps: Stamps) -> None:
        """The seat's open prompt was lost after the time of ``charge``."""
        player = self.players[seat]
        if self.ledger is not None:
            self.ledger.enter(player, self.state.question(seat), charge, stamps, now=self._now(), lost=True)
        player.clock.settle(charge)

    def held_up(self, text: str) -> None:
        """Ends the match without a result because the arena took too much of its bots' time."""
        log.error("match_held_up", match=self.spec.match_id, error=text)
        self._break_off(End.ARENA_FAULT, text, owed=True)

    def lost(self, seat: int, end: End, text: str) -> None:
        """The seat's bot plays no more; the policy for ``end`` says what follows."""
        player = self.players[seat]
        if self.result is not None or player.end is not None or self._suspended:
            return
        text = shortened(text)
        if self._on_retry is not None and player.retries < self.spec.policies.on(end).retries:
            player.retries += 1
            self._page.retried(seat, end, text)
            if self._spectator is not None:
                self._spectator.retried(seat, end, text, player.retries)
            log.info("seat_retried", match=self.spec.match_id, seat=seat, end=str(end), text=text, retry=player.retries)
            player.sitter.stop()
            self._on_retry(seat, end, text)
            return
        player.end = end
        player.text = text
        player.fell = len(self.moves)
        self._page.lost(seat, end, text)
        if self._spectator is not None:
            self._spectator.failed(seat, end, text)
        player.sitter.stop()
        if self._follows_from(player):
            return
        if player.open:
            player.open = False
            self._take(Move(seat, player.choices[0].action, 0, STAND_IN, ""))

    def cancel(self, why: str) -> None:
        """Ends the match without a result because its operator says so."""
        self._break_off(End.CANCELLED, why or "cancelled by the operator")

    def fault(self, raised: BaseException) -> None:
        """Ends the match without a result because the arena failed, or the game; raises what is to end more than that.

        Bots are told the exception's type alone: its message may hold what they are not to know.
        """
        error, text, told, owed = fault_of(self, raised)
        log.error("match_failed", match=self.spec.match_id, error=text, exc_info=error)
        self._break_off(End.ARENA_FAULT, text, told=told, owed=owed)

    @property
    def codec(self) -> object:
        """What makes messages of the game's values; None where nothing has."""
        return None if self._wire is None else self._wire.codec

    def _break_off(self, end: End, text: str, *, told: str | None = None, owed: bool = False) -> None:
        """``told`` is what bots hear instead of ``text``; ``owed``: the match is to be run again."""
        if self.result is not None or self._suspended:
            return
        self._owed = owed
        text = shortened(text)
        told = text if told is None else told
        for player in self.players:
            if player.end is None:
                player.end = end
                player.text = told
                player.fell = len(self.moves)
        self._finish(void=text, told=told)

    def _begin(self) -> None:
        """Tells the seats that the match begins, or goes on."""
        self._begin_state()
        for player in self.players:
            player.sitter.started(self, player)

    def _begin_state(self) -> None:
        first, self._first = self._first, None
        if isinstance(first, Exception):
            raise first
        self.state = self.spec.first_state() if first is None else first.still.inner
        self.state.log = self.log.events

    def _note_absent(self) -> None:
        for player in self.players:
            absent = player.sitter.absent
            if absent is not None:
                self.lost(player.seat, *absent)

    def _follows_from_ends(self) -> bool:
        """True if the match is over by what became of its seats before."""
        return any(player.end is not None and self._follows_from(player) for player in self.players)

    def _follows_from(self, player: Player) -> bool:
        """True if the match is over because a seat ended as it did."""
        assert player.end is not None
        policy = self.spec.policies.on(player.end).policy
        if policy is Policy.VOID:
            self._finish(void=f"seat {player.seat} ended by {player.end}, and the policy for that is void")
        elif policy is Policy.END:
            self._finish_guarded()
        return self.result is not None

    def _advance(self) -> None:
        """Asks until an answer has to be waited for."""
        if self.result is None:
            self.next_round()
            self._ask_round()

    def next_round(self) -> None:
        """Who is asked next: counts the prompts."""
        self.movers = given.movers(self.state)
        if len(self.moves) >= ACTIONS and self.movers:
            raise BrokenGameError(f"it has not ended after {ACTIONS:,} actions")
        for seat in self.movers:
            player = self.players[seat]
            player.number += 1
            player.tries = TRIES if player.illegal <= REJECTED - TRIES else REJECTED - player.illegal
            player.spent_us = player.spent_arena_us = player.rejections = 0
        if self._tells_clocks:
            from rivalry_server.messages import clocks

            self.clocks_told = clocks([player.clock for player in self.players], self.spec.time_control)

    def _ask_round(self) -> None:
        """Asks the movers, and those after them, until an answer has to be waited for."""
        state = self.state
        players = self.players
        for _ in range(STRIDE):
            movers = self.movers
            if not movers:
                self._finish()
                return
            waited_for = 0
            for seat in movers:
                player = players[seat]
                player.choices = given.choices(state, seat)
                if player.end is None:
                    player.open = True
                    waited_for += 1
                else:
                    self._answers[seat] = Move(seat, player.choices[0].action, 0, STAND_IN, "")
            self._waited_for = waited_for
            if waited_for:
                self._ask(movers)
                return
            if not self._apply() or self.result is not None:
                return
            self.next_round()
        self._later(self._ask_round_guarded)

    def _ask_round_guarded(self) -> None:
        try:
            if self.result is None and not self._suspended:
                self._ask_round()
        except BaseException as error:
            self.fault(error)

    def _ask(self, movers: tuple[int, ...]) -> None:
        spectator = self._spectator
        for seat in movers:
            player = self.players[seat]
            if not player.open:
                continue
            if spectator is not None:
                spectator.asked(seat, player.number)
                if spectator.wants_prompts:
                    spectator.prompted(StatePrompt(self.state, seat, number=player.number, luck=player.luck, events=()))
            player.sitter.ask()

    def _take(self, move: Move) -> None:
        self._answers[move.seat] = move
        self._waited_for -= 1
        if self._waited_for:
            return
        try:
            if self._apply():
                self._advance()
        except BaseException as error:
            self.fault(error)

    def _apply(self) -> bool:
        """Applies what all movers answered, in seat order; False if that is done later and the match then goes on."""
        answers = self._answers
        for seat in self.movers:
            move = answers.pop(seat)
            self.state.apply(seat, move.action)
            self._applied(move)
        total = len(self.log)
        if total > self._told:
            self._tell(total)
        return True

    def _applied(self, move: Move) -> None:
        """Keeps and tells an action that was done."""
        self.moves.append(move)
        self._page.applied(move)
        if self._spectator is not None:
            self._spectator.acted(move)

    def _tell(self, total: int) -> None:
        """Tells the events up to number ``total``, the last."""
        if self._spectator is not None and self._spectator.wants_events:
            for seen in self.log.seen(PUBLIC, self._told):
                self._spectator.happened(seen)
        self._told = total
        for player in self.players:
            if player.sitter.live:
                player.sitter.happened()
        for watcher in self.watchers:
            watcher()
        self.log.forget()

    def _finish_guarded(self) -> None:
        try:
            self._finish()
        except BaseException as error:
            self.fault(error)

    def _finish(self, void: str | None = None, *, told: str | None = None) -> None:
        """Settles the outcome and tells everybody once it is lasting; bots hear ``told`` instead of ``void`` if it is
        given.
        """
        if self.result is not None:
            return
        ended_at = self._now()
        self._answers.clear()
        if self.ledger is not None:
            self.ledger.close()
        self.result = result = settled(
            self, void=void, told=told, owed=self._owed, duration_s=ended_at - self._started_at
        )
        for player in self.players:
            player.open = False
        try:
            self._page.ended(result, self._tell_end)
        except BaseException:
            self.result = None  # nobody was told: it ends as the fault that this is
            raise

    def _tell_end(self) -> None:
        result = self.result
        assert result is not None
        tell_bots(result, self.players)
        if self._spectator is not None:
            self._spectator.ended(result)
        for watcher in self.watchers:
            watcher()
        self._on_end(result)
