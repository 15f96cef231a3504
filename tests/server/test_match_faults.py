"""Faults of games, of the arena and of what is told: nobody's match hangs, and everybody learns of it."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import json
from collections.abc import Mapping
from types import FunctionType
from typing import Any

import pytest

from rivalry.arena.v1 import session_pb2
from rivalry_engine import playout, record
from rivalry_engine.error import RivalryError
from rivalry_engine.prompt import Prompt
from rivalry_server import local, logs, match
from rivalry_server.arena import Arena
from rivalry_server.blame import came_out_of
from rivalry_server.messages import Wire
from rivalry_server.outcome import End, Result
from rivalry_server.policies import Policy
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.spectator import Spectator
from rivalry_wire import codec as codecs
from server import virtual
from server.peer import Peer, kuhn, opened, spec, tally
from server.tally import Tally, TallyState, failing


def test_a_fault_of_the_game_voids_that_match_and_everybody_is_told() -> None:
    async def work() -> tuple[Result, list[session_pb2.MatchEnded]]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3, breaks=True)))
            ended = await asyncio.gather(*(Peer(arena).sit_and_play() for _ in range(3)))
            return await match, ended

    result, ended = virtual.run(work())

    assert result.void
    assert {seat.end for seat in result.seats} == {End.ARENA_FAULT}
    assert len(ended) == 3
    assert ended[0].outcome.text == "the game tally failed: AssertionError"


@pytest.mark.parametrize("method", ["apply", "choices", "movers", "observe", "scores", "setup"])
def test_a_fault_of_the_game_is_told_in_full_to_the_organiser_and_by_its_type_to_bots(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    async def work() -> tuple[Result, list[Peer]]:
        async with Arena() as arena:
            peers = [Peer(arena) for _ in range(3)]
            match = opened(arena, spec(tally(3)))
            await asyncio.wait([asyncio.ensure_future(peer.sit_and_play()) for peer in peers], timeout=30)
            return await match, peers

    logged = io.StringIO()
    monkeypatch.setattr(TallyState, method, failing)
    logs.configure("info", stream=logged)
    try:
        result, peers = virtual.run(work())
    finally:
        logs.configure("warning")

    assert {(seat.end, seat.text) for seat in result.seats} == {(End.ARENA_FAULT, "the game tally failed: ValueError")}
    assert result.text == "the game tally failed: ValueError: the deck is Q K J"
    assert json.loads(result.record()[-1])["text"] == result.text
    assert [json.loads(line)["error"] for line in logged.getvalue().splitlines() if "match_failed" in line] == [
        result.text
    ]
    assert result.told().text == result.message().text == "the game tally failed: ValueError"
    assert not [frame for peer in peers for frame in peer.frames if b"deck" in frame]


@pytest.mark.parametrize(
    ("game_in", "raised_in", "is_its"),
    [("mine", "mine.codec", True), ("mine.rules", "mine.codec", True), ("mine", "mines.codec", False)],
)
def test_what_a_module_of_the_games_package_raises_is_the_games_fault(
    monkeypatch: pytest.MonkeyPatch, game_in: str, raised_in: str, is_its: bool
) -> None:
    class Mine(Tally):
        """A game of a package of somebody else's."""

    monkeypatch.setattr(Mine, "__module__", game_in)
    with pytest.raises(ZeroDivisionError) as raised:
        raising_in(raised_in)()

    assert came_out_of(Mine({"seats": 2}), None, raised.value) is is_its


@pytest.mark.parametrize(
    ("codec_in", "raised_in", "is_its"),
    [
        ("elsewhere.codecs", "elsewhere.codecs", True),
        ("elsewhere.codecs", "elsewhere.others", False),
        ("rivalry_wire.generic", "rivalry_wire.generic", False),
    ],
)
def test_what_a_codec_of_another_package_raises_is_the_games_fault(
    monkeypatch: pytest.MonkeyPatch, codec_in: str, raised_in: str, is_its: bool
) -> None:
    codec = codecs.codec(tally(3))
    monkeypatch.setattr(type(codec), "__module__", codec_in)
    with pytest.raises(ZeroDivisionError) as raised:
        raising_in(raised_in)()

    assert came_out_of(codec.game, None, raised.value, codec=codec) is is_its


def test_a_match_is_not_run_again_for_a_codec_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3)))
            peers = [asyncio.ensure_future(Peer(arena).sit_and_play()) for _ in range(3)]
            await asyncio.wait(peers, timeout=30)
            return await match

    codec = type(codecs.codec(tally(3)))
    monkeypatch.setattr(codec, "__module__", "elsewhere.codecs")
    monkeypatch.setattr(codec, "observation", raising_in("elsewhere.codecs"))
    result = virtual.run(work())

    assert result.text == "the game tally failed: ZeroDivisionError: integer division or modulo by zero"
    assert (result.attempt, result.owed) == (1, False)


def raising_in(module: str) -> FunctionType:
    """A function of a module that raises ZeroDivisionError."""
    return FunctionType((lambda *_: 1 // 0).__code__, {"__name__": module})


def test_a_fault_of_the_arena_is_told_as_such() -> None:
    class Stumbling(Spectator):
        def asked(self, seat: int, number: int) -> None:
            raise ValueError("boom")

    result = local.play(spec(kuhn()), [InProcess(playout.first, "first")] * 2, spectator=Stumbling())

    assert result.text == "the arena failed: ValueError: boom"
    assert result.seats[0].text == result.told().text == "the arena failed: ValueError"


def test_a_match_that_does_not_end_is_ended_and_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "ACTIONS", 6)

    async def work(rounds: int) -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(tally(2, rounds=rounds)))
            await asyncio.gather(*(Peer(arena).sit_and_play() for _ in range(2)))
            return await over

    (longest, longer) = (virtual.run(work(rounds)) for rounds in (2, 3))

    assert (longest.void, longest.decisions) == (False, 5)
    assert longer.text == "the game tally failed: it has not ended after 6 actions"
    assert (longer.decisions, longer.attempt, longer.owed) == (6, 1, False)
    assert longer.seats[0].text == "the game tally failed: BrokenGameError"


def test_a_game_that_cannot_begin_ends_its_match(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> Result:
        async with Arena() as arena:
            return await arena.run_match(spec(tally(3)), [InProcess(playout.first, "first")] * 3)

    monkeypatch.setattr(Tally, "new_state", failing)

    for result in (virtual.run(work()), local.play(spec(tally(3)), [InProcess(playout.first, "first")] * 3)):
        assert {seat.end for seat in result.seats} == {End.ARENA_FAULT}
        assert result.text == "the game tally failed: ValueError: the deck is Q K J"


@pytest.mark.parametrize("live", [[], ["live_events"]])
def test_a_fault_in_what_a_bot_is_told_is_not_the_bots(monkeypatch: pytest.MonkeyPatch, live: list[str]) -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3)))
            peers = [asyncio.ensure_future(Peer(arena).sit_and_play(features=live)) for _ in range(3)]
            await asyncio.wait(peers, timeout=30)
            return await match

    monkeypatch.setattr(Wire, "events", failing)
    result = virtual.run(work())

    assert {seat.end for seat in result.seats} == {End.ARENA_FAULT}


def test_a_position_that_is_none_is_the_callers() -> None:
    wrong = dataclasses.replace(spec(kuhn()), position={"game": "kuhn", "nonsense": 1})

    async def work() -> None:
        async with Arena() as arena:
            await arena.run_match(wrong, [InProcess(playout.first, "first")] * 2)

    with pytest.raises(RivalryError):
        virtual.run(work())
    with pytest.raises(RivalryError):
        local.play(wrong, [InProcess(playout.first, "first")] * 2)


def test_a_game_that_asks_and_offers_nothing_ends_its_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TallyState, "choices", lambda state, seat: ())

    result = local.play(spec(tally(3)), [InProcess(playout.first, "first")] * 3)

    assert result.text == "the game tally failed: it asks seat 0 and offers no choice"


def test_a_cancelled_match_is_void_and_everybody_is_told() -> None:
    async def work() -> tuple[Result, session_pb2.MatchEnded]:
        async with Arena() as arena:
            attempt = arena.open_match(spec(), [Listen(), Listen()])
            peer = Peer(arena)
            await peer.hello()
            await peer.accept()
            await asyncio.sleep(1)
            attempt.cancel("enough")
            return await attempt.finished, await peer.until("match_ended")

    result, ended = virtual.run(work())

    assert result.void
    assert [seat.end for seat in result.seats] == [End.CANCELLED, End.CANCELLED]
    assert ended.outcome.text == "enough"


class Boundless(Tally):
    """Bids that count for more than can be sent."""

    def __init__(self, options: Mapping[str, Any] | None = None, *, unit: object = 1 << 63) -> None:
        super().__init__(options)
        self.unit = unit

    def new_state(self, seed: bytes) -> BoundlessState:
        return BoundlessState(self, [""] * self.seats)


class BoundlessState(TallyState):
    def scores(self) -> tuple[int, ...]:
        return tuple(score * self.game.unit for score in super().scores())  # type: ignore[attr-defined]


@pytest.mark.parametrize("unit", [1 << 63, -(1 << 64), 0.5])
@pytest.mark.parametrize("policy", [Policy.STAND_IN, Policy.END])
def test_scores_that_cannot_be_told_are_the_arena_s_fault_and_everybody_is_told(unit: object, policy: Policy) -> None:
    game = Boundless({"seats": 2}, unit=unit)

    async def work() -> tuple[Result, session_pb2.MatchEnded]:
        async with Arena() as arena:
            match = opened(arena, spec(game, on_illegal=policy))
            good, bad = Peer(arena), Peer(arena)
            await asyncio.gather(good.sit("good"), bad.sit("bad"))
            playing = asyncio.ensure_future(good.play(lambda prompt: 3 if prompt.number == 1 else 0))
            await bad.answer(await bad.until("prompt"), 5)
            prompt = await bad.until("prompt")
            for _ in range(3):
                await bad.answer(prompt, 99)
            return await match, await playing

    result, ended = virtual.run(work())

    assert result.void
    assert {seat.end for seat in result.seats} == {End.ARENA_FAULT, End.ILLEGAL}
    assert ended.outcome.void
    record.read("".join(f"{line}\n" for line in result.record()))


def test_scores_that_cannot_be_told_end_a_match_of_functions_too() -> None:
    result = local.play(spec(Boundless({"seats": 2})), [InProcess(lambda p: p.seat if p.kind == "bid" else 0, "x")] * 2)

    assert (result.void, {seat.end for seat in result.seats}) == (True, {End.ARENA_FAULT})


@pytest.mark.parametrize("error", [asyncio.CancelledError(), SystemExit(3), GeneratorExit()])
def test_a_function_that_raises_anything_does_not_hang_a_match_over_the_link(error: BaseException) -> None:
    def odd(prompt: Prompt) -> object:
        raise error

    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2)), [InProcess(odd, "odd"), Listen()])
            await Peer(arena).sit_and_play()
            return await match

    assert [seat.end for seat in virtual.run(work()).seats] == [End.CRASH, End.NORMAL]
