"""First states of games that a family makes of parameters: made by a worker, within a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from rivalry_engine.game import Action, Game
from rivalry_server.arena import Arena
from rivalry_server.settings import Settings
from server.peer import kuhn, opened, spec
from server.slow import LIMIT_S, players, run, until
from server.tally import Tally, TallyState


class Slow:
    """What a family would make of parameters: a first state that takes long, or waits at a gate."""

    gate: ClassVar[threading.Event]
    entered: ClassVar[threading.Event]
    threads: ClassVar[list[str]]


class ChosenTally(Tally):
    """A family's game, which does not say that it is heavy."""

    name = "slow:tally"

    def new_state(self, seed: bytes) -> TallyState:
        Slow.threads.append(threading.current_thread().name)
        Slow.entered.set()
        assert Slow.gate.wait(LIMIT_S)
        return super().new_state(seed)


@pytest.fixture
def chosen() -> Iterator[Game]:
    Slow.gate, Slow.entered, Slow.threads = threading.Event(), threading.Event(), []
    yield ChosenTally({"seats": 2, "rounds": 1})
    Slow.gate.set()


def test_the_first_state_of_a_familys_game_is_made_by_a_worker_while_others_play(chosen: Game) -> None:
    async def work() -> tuple[bool, Any, Any]:
        async with Arena() as arena:
            match = opened(arena, spec(chosen), players())
            await until(Slow.entered.is_set)
            other = await opened(arena, replace(spec(kuhn()), match_id="0" * 32), players())
            waiting = not match.done()
            Slow.gate.set()
            return waiting, other, await match

    waiting, other, result = run(work())

    assert waiting
    assert not other.void
    assert not result.void
    assert Slow.threads == ["rivalry-step"]


def test_a_first_state_that_takes_too_long_ends_its_match_and_leaves_the_next_a_worker(chosen: Game) -> None:
    async def work() -> tuple[list[Any], Any]:
        async with Arena(settings=Settings(first_state_s=0.5)) as arena:
            stuck = [
                opened(arena, replace(spec(chosen), match_id=f"{number:032x}"), players()) for number in range(3, 6)
            ]
            voided = await asyncio.gather(*stuck)
            Slow.gate.set()
        async with Arena() as arena:  # where it may take longer
            return voided, await opened(arena, spec(chosen), players())

    voided, result = run(work())

    for void in voided:
        assert void.void
        assert not void.owed
        assert void.text == "the game slow:tally failed: its first state took more than 0.5 s, and was given up"
    assert not result.void


def test_a_match_whose_first_state_was_slow_has_its_steps_taken_by_workers(
    chosen: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[str] = set()
    apply = TallyState.apply

    def noted(state: TallyState, seat: int, action: Action) -> None:
        threads.add(threading.current_thread().name)
        apply(state, seat, action)

    monkeypatch.setattr(TallyState, "apply", noted)
    Slow.gate.set()

    async def work(heavy_s: float) -> Any:
        async with Arena(settings=Settings(heavy_s=heavy_s)) as arena:
            return await opened(arena, spec(chosen), players())

    quick = run(work(60.0)).game_digest
    assert threads == {threading.main_thread().name}
    threads.clear()

    assert run(work(0.0)).game_digest == quick
    assert threads == {"rivalry-step"}


def test_an_arena_stops_while_a_first_state_is_made(chosen: Game) -> None:
    async def work() -> None:
        async with Arena() as arena:
            match = opened(arena, spec(chosen), players())
            await until(Slow.entered.is_set)
            match.cancel()

    run(work())

    assert not Slow.gate.is_set()
