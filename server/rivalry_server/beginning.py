"""First states of games of which nobody knows how long they take: made in worker threads, and not for ever."""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable
from dataclasses import dataclass
from time import thread_time
from typing import Final

from rivalry_engine.game import State
from rivalry_server.given import BrokenGameError
from rivalry_server.heavy import Step, Still, Workers

BEGINNERS: Final = Workers()
"""For first states, so that they hold up no match that runs, nor its steps them."""


class SlowGameError(BrokenGameError):
    """The game took too long for its first state, or for a step."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The state before the first decision."""

    still: Still
    took_s: float
    """How long its worker worked at it."""


class FirstState:
    """Has the state before the first decision made by a worker, which may take ``most_s`` once it is at it.

    ``then`` is called on the loop with the state, or with the exception; no more after ``give_up``.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        first: Callable[[], State],
        then: Callable[[Beginning | Exception], None],
        *,
        most_s: float,
    ) -> None:
        self._loop = loop
        self._first = first
        self._then = then
        self._most_s = most_s
        self._timer: TimerHandle | None = None
        self._over = False
        self._step = Step(loop, self._made, self._settled)
        BEGINNERS.take(self._step)

    def give_up(self) -> None:
        """Nobody waits for it any more; another worker takes the place of the one that is at it."""
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
        BEGINNERS.give_up(self._step)

    def _made(self) -> Beginning:
        self._loop.call_soon_threadsafe(self._taken_up)
        began = thread_time()
        still = Still(self._first())
        return Beginning(still, thread_time() - began)

    def _taken_up(self) -> None:
        if not self._over:
            self._timer = self._loop.call_later(self._most_s, self._late)

    def _late(self) -> None:
        self.give_up()
        self._then(SlowGameError(f"its first state took more than {self._most_s:g} s, and was given up"))

    def _settled(self, made: Beginning | None, error: Exception | None) -> None:
        if self._over:
            return
        self._over = True
        if self._timer is not None:
            self._timer.cancel()
        first = error if made is None else made
        assert first is not None
        self._then(first)
