"""Heavy games: their steps are taken by worker threads, and nobody else waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rivalry.arena.v1 import errors_pb2
from rivalry_engine.game import Action, Game
from rivalry_engine.kuhn import Kuhn, KuhnState
from rivalry_server.arena import Arena
from rivalry_server.heavy import Step, Workers
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.outcome import End
from rivalry_server.policies import Policy
from rivalry_server.seat import InProcess
from rivalry_server.settings import Settings
from server.peer import Peer, kuhn, opened, spec, tally
from server.slow import LIMIT_S, SlowTally, Steps, answered, entered, players, run, seated, slow, until


@pytest.fixture(autouse=True)
def _open_gate() -> Iterator[None]:
    SlowTally.gate, SlowTally.entered = threading.Event(), threading.Event()
    SlowTally.gate.set()
    SlowTally.step_s, SlowTally.steps, SlowTally.threads, SlowTally.trouble = 0.0, Steps(), set(), None
    yield
    SlowTally.gate.set()


def test_another_match_is_played_to_its_end_while_a_step_of_a_heavy_game_is_taken() -> None:
    async def work() -> tuple[bool, End | None]:
        async with Arena() as arena:
            match = opened(arena, spec(slow()))
            peers = await seated(arena)
            SlowTally.gate.clear()
            await answered(*peers)
            await entered()
            other = opened(arena, replace(spec(kuhn()), match_id="0" * 32))
            await asyncio.gather(*(peer.play() for peer in await seated(arena)))
            result = await other
            waiting = not match.done()
            SlowTally.gate.set()
            await asyncio.gather(*(peer.play() for peer in peers))
            await match
            return waiting, result.seats[0].end

    assert run(work()) == (True, End.NORMAL)


def test_everything_a_step_asks_of_a_heavy_game_runs_in_a_worker_and_one_step_at_a_time() -> None:
    async def work() -> str:
        async with Arena() as arena:
            match = opened(arena, spec(slow(rounds=3)))
            await asyncio.gather(*(peer.play() for peer in await seated(arena)))
            return (await match).game_digest

    digest = run(work())

    assert SlowTally.threads == {"rivalry-step"}
    assert digest


def test_a_heavy_game_comes_to_the_same_record_as_one_that_is_not() -> None:
    def digest(game: Game) -> str:
        async def work() -> str:
            async with Arena() as arena:
                match = opened(arena, spec(game))
                await asyncio.gather(
                    *(
                        peer.play(lambda prompt: min(prompt.number, len(prompt.parts) - 1))
                        for peer in await seated(arena)
                    )
                )
                return (await match).game_digest

        return run(work())

    assert digest(slow(rounds=3)) == digest(tally(2, rounds=3))


def test_the_time_of_a_step_is_on_nobodys_clock() -> None:
    SlowTally.step_s = 1.0

    async def work() -> list[tuple[End, float]]:
        async with Arena() as arena:
            match = opened(arena, spec(slow(), time="900ms"))
            await asyncio.gather(*(peer.play() for peer in await seated(arena)))
            return [(seat.end, seat.spent.charged_us / 1e6) for seat in (await match).seats]

    for end, spent_s in run(work()):
        assert end is End.NORMAL
        assert spent_s < 0.9


def test_an_answer_that_arrives_while_a_step_is_taken_is_ruled_out_of_turn_and_changes_nothing() -> None:
    async def work() -> tuple[Any, End]:
        async with Arena() as arena:
            match = opened(arena, spec(slow()))
            first, second = await seated(arena)
            prompt = await first.until("prompt")
            SlowTally.gate.clear()
            await answered(second)
            await first.answer(prompt, 5)
            await entered()
            await first.answer(prompt, 7)
            ruling = await first.until("ruling")
            SlowTally.gate.set()
            await asyncio.gather(first.play(), second.play())
            return ruling, (await match).seats[0].end

    ruling, end = run(work())

    assert ruling.kind == errors_pb2.RULING_KIND_CONFLICT
    assert end is End.NORMAL


@pytest.mark.parametrize("trouble", [ValueError("the deck is Q K J"), SystemExit(3)])
def test_what_a_step_raises_in_its_thread_ends_its_match_alone(trouble: BaseException) -> None:
    SlowTally.trouble = trouble

    async def work() -> tuple[Any, Any]:
        async with Arena() as arena:
            match = opened(arena, spec(slow()))
            peers = await seated(arena)
            ended = await asyncio.gather(*(peer.play() for peer in peers))
            return await match, ended[0]

    result, ended = run(work())

    assert result.void
    assert {seat.end for seat in result.seats} == {End.ARENA_FAULT}
    assert result.text.startswith("the game tally failed: ")
    assert not result.owed
    assert "Q K J" not in str(ended)


def test_a_heavy_game_that_fails_at_its_beginning_ends_its_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SlowTally, "fails_at_once", ValueError("no cards"))

    async def work() -> Any:
        async with Arena() as arena:
            match = opened(arena, spec(slow()))
            for peer in [Peer(arena), Peer(arena)]:
                await peer.hello()
                await peer.accept()
            return await match

    result = run(work())

    assert result.void
    assert result.text == "the game tally failed: ValueError: no cards"


def test_a_seat_that_is_lost_during_a_step_ends_the_match_as_it_stood_before_where_the_policy_says_so() -> None:
    async def work() -> Any:
        async with Arena() as arena:
            match = opened(arena, spec(slow(rounds=2), on_disconnect=Policy.END))
            first, second = await seated(arena)
            await answered(first, second)
            await asyncio.gather(first.until("prompt"), second.until("prompt"))
            SlowTally.entered.clear()
            SlowTally.gate.clear()
            for peer in (first, second):
                await peer.answer(peer.all("prompt")[-1], 3)
            await entered()
            second.link.close()
            result = await match
            SlowTally.gate.set()
            return result

    result = run(work())

    assert result.decisions == 2
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.DISCONNECT]


def test_a_seat_that_is_lost_during_a_step_is_played_by_its_stand_in_from_there() -> None:
    async def work() -> Any:
        async with Arena() as arena:
            match = opened(arena, spec(slow(rounds=2)))
            first, second = await seated(arena)
            SlowTally.gate.clear()
            await answered(first, second)
            await entered()
            second.link.close()
            await asyncio.sleep(0.02)
            SlowTally.gate.set()
            await first.play()
            return await match

    result = run(work())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.DISCONNECT]
    assert [seat.stood_in for seat in result.seats] == [False, True]
    assert result.decisions == 5


def test_a_match_is_cancelled_while_a_step_is_taken_and_its_worker_is_replaced() -> None:
    async def work() -> tuple[Any, bool]:
        async with Arena() as arena:
            match = opened(arena, spec(slow()))
            peers = await seated(arena)
            SlowTally.gate.clear()
            await answered(*peers)
            await entered()
            match.cancel()
            ended = await asyncio.gather(*(peer.play() for peer in peers))
            return ended[0], SlowTally.steps.running == 1

    ended, still_runs = run(work())

    assert ended.outcome.void
    assert still_runs


def test_a_step_that_never_returns_keeps_no_other_from_being_taken_once_nobody_waits_for_it() -> None:
    workers = Workers(1)
    hold, began = threading.Event(), threading.Event()
    done: list[int] = []

    def stuck() -> None:
        began.set()
        hold.wait(LIMIT_S)

    async def work() -> None:
        loop = asyncio.get_running_loop()
        one = Step(loop, stuck, lambda *_: done.append(1))
        two = Step(loop, lambda: None, lambda *_: done.append(2))
        three = Step(loop, lambda: None, lambda *_: done.append(3))
        for step in (one, two, three):
            workers.take(step)
        await until(began.is_set)
        workers.give_up(two)
        assert done == []
        workers.give_up(one)
        await until(lambda: 3 in done)

    run(work())
    hold.set()

    assert done == [3]


def test_an_arena_that_stops_during_a_step_goes_on_with_the_match_from_its_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, began = threading.Event(), threading.Event()
    apply = KuhnState.apply

    def gated(state: KuhnState, seat: int, action: Action) -> None:
        if len(state.moves) == 1:
            began.set()
            gate.wait(LIMIT_S)
        apply(state, seat, action)

    monkeypatch.setattr(Kuhn, "heavy", True)
    monkeypatch.setattr(KuhnState, "apply", gated)
    bots = [InProcess(lambda prompt: 1, name="b", bot="b") for _ in range(2)]

    def arena() -> Arena:
        return Arena(built_in=lambda name, seat: bots[0], journal=FileJournal(tmp_path))

    async def stopped() -> None:
        async with arena() as first:
            first.open_match(spec(), list(bots))
            await until(began.is_set)

    async def goes_on() -> Any:
        async with arena() as second:
            second.go_on()
            (attempt,) = second.attempts.values()
            return await attempt.finished

    run(stopped())
    gate.set()
    result = run(goes_on())

    assert not result.void
    assert result.decisions == 2


def test_a_step_that_takes_too_long_ends_its_match_and_its_worker_is_replaced() -> None:
    async def work() -> tuple[Any, Any]:
        async with Arena(settings=Settings(step_s=0.5)) as arena:
            SlowTally.gate.clear()
            result = await opened(arena, spec(slow()), players())
            SlowTally.gate.set()
            await until(lambda: SlowTally.steps.running == 0)
        async with Arena() as arena:  # whose steps may take longer
            return result, await opened(arena, spec(slow()), players())

    late, result = run(work())

    assert late.text == "the game tally failed: a step of it took more than 0.5 s, and was given up"
    assert late.void
    assert not late.owed
    assert not result.void
