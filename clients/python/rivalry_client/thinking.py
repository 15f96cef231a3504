"""Where a bot's hooks run: on the session's loop, or in a thread that may block.

Hooks of one match never overlap and keep their order; a ``Lane`` is that order.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Final, NamedTuple

from rivalry_client.bot import Bot

if TYPE_CHECKING:
    from queue import SimpleQueue


PATIENCE_S: Final = 0.5
"""A signal that comes just before the wait for a job begins does not end it, and on Windows none does: so often it is
looked for."""


class Job(NamedTuple):
    """A hook to call, and what to do on the loop with what it returned or raised."""

    call: Callable[[], object]
    done: Callable[[object], None]
    failed: Callable[[BaseException], None]
    asks: bool = False
    """True if the hook is asked for an answer."""


class Lane:
    """The hooks of one match, in order."""

    __slots__ = ("asks", "task", "waiting")

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.asks = False
        """True if what runs is asked for an answer."""
        self.waiting: deque[Job] = deque()


class Thinking(ABC):
    """A place where hooks run."""

    @abstractmethod
    def do(self, lane: Lane, job: Job) -> None:
        """Runs a job after those before it in its lane."""

    @abstractmethod
    def drop(self, lane: Lane) -> None:
        """Forgets what waits in the lane and stops what runs there, as far as it can be stopped."""

    @abstractmethod
    def interrupt(self, lane: Lane) -> None:
        """Does so with what is asked for an answer alone; other hooks run on."""


class OnLoop(Thinking):
    """Hooks run on the loop: plain ones at once, asynchronous ones as a task."""

    def do(self, lane: Lane, job: Job) -> None:
        if lane.task is not None:
            lane.waiting.append(job)
            return
        try:
            value = job.call()
        except Exception as error:
            job.failed(error)
            return
        if isinstance(value, (int, str)) or not isinstance(value, Awaitable):
            job.done(value)
            return
        lane.asks = job.asks
        lane.task = asyncio.get_running_loop().create_task(self._awaited(lane, job, value))
        lane.task.add_done_callback(lambda task: self._freed(lane, task, value))

    def drop(self, lane: Lane) -> None:
        lane.waiting.clear()
        if lane.task is not None:
            lane.task.cancel()

    def interrupt(self, lane: Lane) -> None:
        lane.waiting = deque(job for job in lane.waiting if not job.asks)
        if lane.task is not None and lane.asks:
            lane.task.cancel()

    async def _awaited(self, lane: Lane, job: Job, value: Awaitable[object]) -> None:
        try:
            job.done(await value)
        except Exception as error:
            job.failed(error)
        finally:
            self._next(lane)

    def _freed(self, lane: Lane, task: asyncio.Task[None], value: Awaitable[object]) -> None:
        """A task is over; one that was cancelled in the turn in which it was made has not begun, and frees no lane."""
        if lane.task is task:
            if isinstance(value, Coroutine):
                value.close()
            self._next(lane)

    def _next(self, lane: Lane) -> None:
        lane.task = None
        while lane.waiting and lane.task is None:
            self.do(lane, lane.waiting.popleft())


class InThread(Thinking):
    """Hooks run one after the other in the thread that calls ``serve``; the session's loop is in another."""

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        from queue import SimpleQueue

        self.loop = loop
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._open = True

    def do(self, lane: Lane, job: Job) -> None:
        self._jobs.put(job)

    def drop(self, lane: Lane) -> None:
        """Nothing: a thread cannot be stopped, and a job that comes too late sees so itself."""

    def interrupt(self, lane: Lane) -> None:
        """Nothing, for the same reason."""

    def serve(self) -> None:
        """Runs jobs until ``close``."""
        from queue import Empty

        while True:
            try:
                job = self._jobs.get(timeout=PATIENCE_S)
            except Empty:
                continue
            if job is None or not self._open:
                return
            try:
                value = job.call()
            except Exception as error:
                self._tell(job.failed, error)
            else:
                self._tell(job.done, value)

    def close(self) -> None:
        """Lets ``serve`` return after the job that runs; what waits is not run."""
        self._open = False
        self._jobs.put(None)

    def _tell(self, what: Callable[..., None], value: object) -> None:
        loop = self.loop
        if self._open and loop is not None:
            with suppress(RuntimeError):  # the session is over and its loop closed
                loop.call_soon_threadsafe(what, value)


def on_loop(bot: type[Bot]) -> bool:
    """True if the bot's ``choose`` runs on the loop: it is quick, or asynchronous."""
    return bot.quick or iscoroutinefunction(bot.choose)
