"""Games whose steps take long: taken in worker threads, so that the loop goes on for everybody else.

A step is an action, or the actions of all who moved at once, and all that a match asks between two steps: who moves
next, what they may choose, what everybody sees, how it stands.  A match asks for one step at a time and looks meanwhile
at what the step before has left, a ``Still``, which no thread touches any more.
"""

from __future__ import annotations

import os
import threading
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from rivalry_engine.event import Event
from rivalry_engine.game import PUBLIC, Action, Choice, Objection, Observation, State, View
from rivalry_server import amiss, given
from rivalry_server.given import BrokenGameError
from rivalry_server.words import failure

MOST: Final = min(2, os.cpu_count() or 1)
"""How many steps are taken at once.  Python runs one of them at a time, and each more delays the loop."""


class Still(State):
    """A state as it stood after a step: what a match asks of it is there already.

    ``objection`` and ``legal_actions`` ask the state itself: no step is taken while an answer is awaited.
    """

    __slots__ = ("_choices", "_movers", "_observations", "_questions", "_ranks", "_scores", "_setup", "game", "inner")

    def __init__(self, inner: State) -> None:
        """What ``inner`` tells now.  Raises whatever the game does, and BrokenGameError."""
        self.inner = inner
        self.game = inner.game
        self.log: list[Event] | None = None
        try:
            self._look(inner)
        except BrokenGameError:
            raise
        except Exception as error:
            if wrong := amiss.found(inner.game, inner):
                raise BrokenGameError(wrong) from error
            raise

    def _look(self, inner: State) -> None:
        self._movers = given.movers(inner)
        self._questions = {seat: inner.question(seat) for seat in self._movers}
        self._choices = {seat: given.choices(inner, seat) for seat in self._movers}
        self._observations = {seat: inner.observe(seat) for seat in (PUBLIC, *range(inner.game.seats))}
        self._setup = given.setup(inner)
        self._scores = given.scores(inner)
        self._ranks = given.ranks(inner)

    def movers(self) -> Sequence[int]:
        return self._movers

    def question(self, seat: int) -> str:
        return self._questions[seat]

    def choices(self, seat: int) -> Sequence[Choice]:
        return self._choices[seat]

    def legal_actions(self, seat: int) -> Sequence[Action]:
        return self.inner.legal_actions(seat)

    def objection(self, seat: int, action: Action) -> Objection | None:
        return self.inner.objection(seat, action)

    def apply(self, seat: int, action: Action) -> None:
        raise AssertionError("a step of a heavy game is taken by a worker")

    def setup(self) -> View:
        return self._setup

    def observe(self, audience: int) -> Observation:
        return self._observations[audience]

    def scores(self) -> tuple[int, ...]:
        return self._scores

    def ranks(self) -> tuple[int, ...]:
        return self._ranks

    def clone(self) -> State:
        return self.inner.clone()


class Step:
    """Something that a worker does once, and what follows on the loop."""

    __slots__ = ("_loop", "_then", "_what", "given_up", "runs")

    def __init__(
        self, loop: AbstractEventLoop, what: Callable[[], Any], then: Callable[[Any, Exception | None], None]
    ) -> None:
        self._loop = loop
        self._what = what
        self._then = then
        self.runs = False
        self.given_up = False

    def take(self) -> None:
        """Does it; ``then`` is called on the loop with what came of it, or with the exception."""
        done, trouble = None, None
        try:
            done = self._what()
        except Exception as error:
            trouble = error
        except BaseException as error:  # a worker outlives whatever a game raises
            trouble = BrokenGameError(f"it raised {failure(error)}").with_traceback(error.__traceback__)
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._then, done, trouble)


class Workers:
    """Threads that take steps, in the order in which they were asked for.

    They end with the process, whatever they do.  A step that nobody waits for any more does not hold up others: where
    it was begun, another thread may take its place.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._waiting: deque[Step] = deque()
        self._changed = threading.Condition()
        self._threads = 0
        self._idle = 0

    def take(self, step: Step) -> None:
        """Has ``step`` taken."""
        with self._changed:
            self._waiting.append(step)
            if self._idle >= len(self._waiting):
                self._changed.notify()
            elif self._threads < self._most:
                self._start()

    def give_up(self, step: Step) -> None:
        """Nobody waits for ``step`` any more."""
        with self._changed:
            if step.given_up:
                return
            step.given_up = True
            if not step.runs:
                if step in self._waiting:
                    self._waiting.remove(step)
                return
            self._threads -= 1
            if self._waiting:
                self._start()

    def _start(self) -> None:
        self._threads += 1
        threading.Thread(target=self._work, name="rivalry-step", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting:
                    self._idle += 1
                    self._changed.wait()
                    self._idle -= 1
                step = self._waiting.popleft()
                step.runs = True
            step.take()
            with self._changed:
                step.runs = False
                if step.given_up:
                    return


WORKERS: Final = Workers()
"""Those of this process; the first is started with the first step."""
