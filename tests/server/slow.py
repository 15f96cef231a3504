"""A heavy game whose steps take as long as a test says, or wait at a gate.

In real time, since a virtual clock jumps while a thread works; gates in place of long sleeps where one will do.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, ClassVar, TypeVar

from rivalry_engine.game import Action, Game
from rivalry_server.arena import Arena
from rivalry_server.seat import InProcess
from server.peer import Peer
from server.tally import Tally, TallyState

T = TypeVar("T")
LIMIT_S = 60.0
"""What waits so long waits for ever."""


class Steps:
    """How many steps are taken now."""

    running = 0


class SlowTally(Tally):
    """Each of its steps takes long, or waits at a gate.

    What is noted of them is noted where the test that made the game looks, which a step may outlast.
    """

    heavy = True
    fails_at_once: Exception | None = None
    gate: ClassVar[threading.Event]
    entered: ClassVar[threading.Event]
    step_s: ClassVar[float]
    steps: ClassVar[Steps]
    threads: ClassVar[set[str]]
    trouble: ClassVar[BaseException | None]

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        kind = type(self)
        vars(self).update(gate=kind.gate, entered=kind.entered, steps=kind.steps, threads=kind.threads)

    def new_state(self, seed: bytes) -> TallyState:
        self.noted()
        if self.fails_at_once is not None:
            raise self.fails_at_once
        return SlowState(self, Tally.new_state(self, seed).secrets)

    def noted(self) -> None:
        self.threads.add(threading.current_thread().name)


class SlowState(TallyState):
    __slots__ = ()
    game: SlowTally

    def choices(self, seat: int) -> Any:
        self.game.noted()
        return super().choices(seat)

    def observe(self, audience: int) -> Any:
        self.game.noted()
        return super().observe(audience)

    def apply(self, seat: int, action: Action) -> None:
        kind, steps, gate = type(self.game), self.game.steps, self.game.gate
        steps.running += 1
        assert steps.running == 1, "two steps of one match at once"
        self.game.noted()
        self.game.entered.set()
        time.sleep(kind.step_s)
        assert gate.wait(LIMIT_S)
        steps.running -= 1
        if kind.trouble is not None:
            raise kind.trouble
        super().apply(seat, action)


def slow(**options: Any) -> Game:
    return SlowTally({"seats": 2, "rounds": 1, **options})


def run(work: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        return await asyncio.wait_for(work, LIMIT_S)

    return asyncio.run(limited())


async def until(claim: Callable[[], bool]) -> None:
    """Returns when a thread has made ``claim`` true."""
    while not claim():  # noqa: ASYNC110 - threads set no event of a loop
        await asyncio.sleep(0.002)


async def entered() -> None:
    """Returns when a step is being taken."""
    await until(SlowTally.entered.is_set)


async def seated(arena: Arena, count: int = 2) -> list[Peer]:
    peers = [Peer(arena) for _ in range(count)]
    await asyncio.gather(*(peer.sit(f"peer-{place}") for place, peer in enumerate(peers)))
    return peers


async def answered(*peers: Peer) -> None:
    """Each answers its next prompt."""
    for peer in peers:
        await peer.answer(await peer.until("prompt"), 5)


def players(count: int = 2) -> list[Any]:
    return [InProcess(lambda prompt: 1, name="b", bot="b") for _ in range(count)]
