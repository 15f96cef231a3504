"""A match of a game whose steps take long."""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Sequence
from typing import Any

from rivalry_engine.event import Event
from rivalry_engine.game import State
from rivalry_server.beginning import Beginning, SlowGameError
from rivalry_server.heavy import WORKERS, Step, Still
from rivalry_server.match import Match
from rivalry_server.record import Move


class HeavyMatch(Match):
    """Its steps are taken by a worker, one at a time; between two it is a match like any other.

    While a step is taken nobody has an open prompt, so that no answer can come in its way.  What ends a seat meanwhile
    is noted at once, as it stood before the step; where it ends the match, the step was not taken.
    """

    def __init__(self, *given: Any, loop: AbstractEventLoop, step_s: float, **named: Any) -> None:
        """``step_s`` is how long a step may take once a worker is at it."""
        super().__init__(*given, **named)
        self._loop = loop
        self._step_s = step_s
        self._step: Step | None = None
        self._timer: TimerHandle | None = None
        """Runs while a worker is at the step."""
        self._happened: list[Event] = []
        """Where the state puts what happens in a step."""

    def suspend(self) -> None:
        self._give_up()
        super().suspend()

    def _begin_state(self) -> None:
        if not isinstance(self._first, Beginning):  # it goes on, and nobody is asked while it is played again
            super()._begin_state()
            return
        still = self._first.still
        still.inner.log = self._happened
        self.state = still

    def _ask_round(self) -> None:
        if not isinstance(self.state, Still):
            self.state.log = self._happened
            self.state = Still(self.state)
        super()._ask_round()

    def _apply(self) -> bool:
        assert self._step is None, "a match takes one step at a time"
        assert isinstance(self.state, Still)
        moves = [self._answers.pop(seat) for seat in self.movers]
        inner = self.state.inner

        def taken() -> Still:
            self._loop.call_soon_threadsafe(self._taken_up, step)
            return _taken(inner, moves)

        step = self._step = Step(self._loop, taken, lambda after, error: self._stepped(step, moves, after, error))
        WORKERS.take(step)
        return False

    def _taken_up(self, step: Step) -> None:
        if self._step is step:
            self._timer = self._loop.call_later(self._step_s, self._late)

    def _late(self) -> None:
        self.fault(SlowGameError(f"a step of it took more than {self._step_s:g} s, and was given up"))

    def _stepped(self, step: Step, moves: Sequence[Move], after: Still | None, error: Exception | None) -> None:
        if self._step is not step:  # nobody waits for it any more
            return
        self._step = None
        self._stop_timer()
        try:
            if error is not None:
                raise error
            assert after is not None
            self.state = after
            self.log.events.extend(self._happened)
            self._happened.clear()
            for move in moves:
                self._applied(move)
            if len(self.log) > self._told:
                self._tell(len(self.log))
            self._advance()
        except BaseException as fault:
            self.fault(fault)

    def _finish(self, void: str | None = None, *, told: str | None = None) -> None:
        self._give_up()
        super()._finish(void, told=told)

    def _give_up(self) -> None:
        if self._step is not None:
            WORKERS.give_up(self._step)
            self._step = None
        self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _taken(state: State, moves: Sequence[Move]) -> Still:
    """How it stands after ``moves``: what a worker does."""
    for move in moves:
        state.apply(move.seat, move.action)
    return Still(state)
