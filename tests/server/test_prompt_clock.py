"""Whose the time of a decision was, in virtual time: the bot's, the network's, the arena's."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvloop

from rivalry.arena.v1 import outcome_pb2, session_pb2
from rivalry_engine.chance import Stream
from rivalry_server import rulings
from rivalry_server.arena import Arena
from rivalry_server.ledger import Decision
from rivalry_server.link import Link, pair
from rivalry_server.match import Match
from rivalry_server.outcome import End, Result
from rivalry_server.player import Player
from rivalry_server.record import Move
from rivalry_server.seat import Seat
from rivalry_server.seating import Listen
from rivalry_server.settings import Settings
from rivalry_server.spectator import Spectator
from server import virtual
from server.clock_table import S
from server.peer import FromBot, Peer, kuhn, opened, spec, tally

Script = Callable[[Peer, session_pb2.Prompt], Awaitable[None]]


def jump(seconds: float) -> None:
    """The arena does something else for so long."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, virtual.VirtualLoop)
    loop.jump(seconds)


def held_up(after: float, seconds: float) -> None:
    """The same ``after`` some time."""
    asyncio.get_running_loop().call_later(after, jump, seconds)


async def pong(peer: Peer, after: float = 0.0) -> None:
    """Answers the newest ping."""
    await asyncio.sleep(after)
    await peer.say(FromBot(pong=session_pb2.Pong(nonce=peer.all("ping")[-1].nonce)))


class Table(Spectator):
    """Keeps the ledger."""

    wants_decisions = True

    def __init__(self) -> None:
        self.ledger: list[Decision] = []

    def decided(self, decision: Decision) -> None:
        self.ledger.append(decision)


class Played:
    """A match of Kuhn poker in which seat 1 goes by a script at its first prompt."""

    def __init__(self, script: Script, *, time: str = "2s", settings: Settings | None = None) -> None:
        self.table = Table()
        self.ended: session_pb2.MatchEnded
        self.other: session_pb2.MatchEnded
        self.result: Result = virtual.run(self._work(script, time, settings))
        self.seat = self.result.seats[1]

    async def _work(self, script: Script, time: str, settings: Settings | None) -> Result:
        async with Arena(settings) as arena:
            match = asyncio.ensure_future(
                arena.run_match(spec(kuhn(), time=time), [Listen(), Listen()], spectator=self.table)
            )
            other, peer = Peer(arena), Peer(arena)
            await asyncio.gather(other.sit("other"), peer.sit("peer"))
            playing = asyncio.ensure_future(other.play())
            prompt = await peer.until("prompt")
            await script(peer, prompt)
            self.ended = await peer.until("match_ended")
            self.other = await playing
            return await match

    @property
    def line(self) -> Decision:
        """Seat 1's first line of the ledger."""
        return next(line for line in self.table.ledger if line.seat == 1)


def thinks(seconds: float, *, stall: tuple[float, float] | None = None) -> Script:
    """Answers after ``seconds``; the arena is held up after ``stall[0]`` for ``stall[1]``."""

    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        if stall is not None:
            held_up(*stall)
        await asyncio.sleep(seconds)
        await peer.answer(prompt)

    return script


@pytest.mark.parametrize(
    ("answer_at", "stall"),
    [(1.0, (0.5, 5.0)), (1.9, (1.8, 6.0)), (1.99, (0.1, 9.0)), (0.001, (0.0005, 8.0)), (2.03, (2.02, 4.0))],
)
def test_an_answer_that_came_while_the_arena_was_held_up_is_in_time(
    answer_at: float, stall: tuple[float, float]
) -> None:
    played = Played(thinks(answer_at, stall=stall))

    assert played.seat.end is End.NORMAL
    assert played.line.measured_us >= stall[1] * S
    assert played.line.arena_us == pytest.approx(stall[1] * S, abs=max(0, answer_at - stall[0]) * S + 15_000)
    assert played.line.charged_us <= 2 * S


def test_an_answer_that_came_too_late_is_not_saved_by_a_delay_while_the_bot_thought() -> None:
    played = Played(thinks(2.2, stall=(0.5, 1.0)))

    assert played.seat.end is End.TIMEOUT
    assert played.seat.text.startswith("no legal answer to prompt 1 in 2 s (bot 2.0")
    assert "arena 0.000 s)" in played.seat.text


def test_a_flag_that_falls_while_the_arena_is_held_up_falls_soon_after() -> None:
    played = Played(thinks(60, stall=(1.0, 5.0)))

    assert played.seat.end is End.TIMEOUT
    assert 6 <= played.result.duration_s < 6.2
    assert played.line.lost
    assert played.line.measured_us == pytest.approx(6 * S, abs=200_000)


class SlowLink(Link):
    """The arena's end of a link on which, once ``slow``, the arena is held up for three seconds before it writes."""

    slow = False

    def __init__(self, link: Link) -> None:
        self._link = link
        self.token = link.token

    async def read(self) -> bytes | None:
        return await self._link.read()

    async def write(self, frame: bytes) -> None:
        if self.slow:
            self.slow = False
            await asyncio.sleep(0.02)
            jump(3)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await self._link.write(frame)


class SlowPeer(Peer):
    """A peer on such a link."""

    def __init__(self, arena: Arena) -> None:
        theirs, self.link = pair()
        self.slowed = SlowLink(theirs)
        self.session = asyncio.ensure_future(arena.hold(self.slowed))
        self.heard, self.frames, self._pending = [], [], deque()


def test_what_held_up_the_writing_of_a_prompt_is_refunded_however_long_the_bot_thinks() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=2)))
            other, slow = Peer(arena), SlowPeer(arena)
            await asyncio.gather(other.sit(), slow.sit())
            playing = asyncio.ensure_future(other.play())
            await slow.answer(await slow.until("prompt"))
            slow.slowed.slow = True
            prompt = await slow.until("prompt")
            await asyncio.sleep(1.9)
            await slow.answer(prompt)
            await slow.until("match_ended")
            await playing
            return await match

    result = virtual.run(work())

    assert result.seats[1].end is End.NORMAL
    assert result.seats[1].spent.arena_us == pytest.approx(3 * S, abs=30_000)
    assert result.seats[1].spent.charged_us == pytest.approx(1.9 * S, abs=30_000)


def test_what_is_left_is_told_right_where_the_arena_takes_long_to_reject(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_in = rulings.answer_in

    def slowly(*given: Any) -> Any:
        jump(0.3)
        return answer_in(*given)

    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await asyncio.sleep(0.5)
        await peer.answer(prompt, 99)
        assert (await peer.until("ruling")).budget_us == pytest.approx(1_500_000, abs=15_000)
        await peer.answer(prompt)

    monkeypatch.setattr(rulings, "answer_in", slowly)

    assert Played(script).seat.end is End.NORMAL


def test_a_delay_between_a_rejected_answer_and_the_next_is_the_arenas() -> None:
    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        held_up(0.5, 5)
        await asyncio.sleep(1)
        await peer.answer(prompt, 88)
        ruling = await peer.until("ruling")
        assert 1_400_000 <= ruling.budget_us <= 1_510_000
        await asyncio.sleep(1.3)
        await peer.answer(prompt)

    played = Played(script)

    assert played.seat.end is End.NORMAL
    assert played.line.arena_us == pytest.approx(5 * S, abs=600_000)


def test_a_real_loop_that_is_held_up_takes_no_bots_move() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(kuhn(), time="1s"))
            other, peer = Peer(arena), Peer(arena)
            await asyncio.gather(other.sit(), peer.sit())
            playing = asyncio.ensure_future(other.play())
            prompt = await peer.until("prompt")
            asyncio.get_running_loop().call_later(0.1, time.sleep, 1.6)
            await asyncio.sleep(0.15)
            await peer.answer(prompt)
            await peer.until("match_ended")
            await playing
            return await match

    results = [asyncio.run(work())]
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        results.append(runner.run(work()))

    for result in results:
        assert result.seats[1].end is End.NORMAL
        assert result.seats[1].spent.arena_us >= 1_500_000


def test_the_networks_part_is_the_least_round_trip_and_is_credited() -> None:
    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        for after in (0.3, 0.04, 0.2):
            await asyncio.sleep(after)
            await peer.say(FromBot(pong=session_pb2.Pong(nonce=peer.all("ping")[-1].nonce)))
            await peer.until("ping")
        await peer.answer(prompt)

    played = Played(script, time="1m")

    assert played.line.network_us == 40_000
    assert played.line.charged_us == played.line.bot_us
    assert played.line.measured_us == played.line.bot_us + 40_000
    records = [json.loads(line) for line in played.result.record()]
    assert [line.get("network", 0) for line in records if line.get("seat") == 1] == [40_000]
    assert all("arena" not in line for line in records)


@pytest.mark.parametrize(("pings", "network_us"), [(32, 10_000), (33, 50_000)])
def test_the_networks_part_is_forgotten_after_32_pings(pings: int, network_us: int) -> None:
    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        for number in range(pings):
            await asyncio.sleep(0.05 if number else 0.01)
            await peer.say(FromBot(pong=session_pb2.Pong(nonce=peer.all("ping")[-1].nonce)))
            await peer.until("ping")
        await peer.answer(prompt)

    assert Played(script, time="10m").line.network_us == network_us


def test_a_delay_of_the_arena_is_no_part_of_the_networks_round_trip() -> None:
    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await pong(peer, 0.3)
        await peer.until("ping")
        held_up(0.01, 0.5)
        await pong(peer, 0.03)
        await peer.until("ping")
        await asyncio.sleep(0.2)
        await peer.answer(prompt)

    played = Played(script, time="1m")

    assert 20_000 <= played.line.network_us <= 40_000
    assert played.line.arena_us == 0


def test_a_bot_is_told_all_that_was_measured_and_what_was_charged() -> None:
    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await pong(peer, 0.02)
        held_up(0.4, 3)
        await asyncio.sleep(0.5)
        await peer.answer(prompt)

    played = Played(script)
    told, line = played.ended.last, played.line

    assert (told.number, told.elapsed_us) == (1, line.measured_us)
    assert (told.network_us, told.arena_us, told.charged_us) == (line.network_us, line.arena_us, line.charged_us)
    assert (told.network_us, told.elapsed_us) == (20_000, told.charged_us + told.network_us + told.arena_us)
    assert told.arena_us > 2.8 * S


def test_what_each_seat_took_in_all_is_in_the_result_and_told_to_everybody() -> None:
    played = Played(thinks(60))

    for said in (played.ended, played.other):
        spent = said.outcome.seats[1].spent
        assert (spent.bot_us, spent.charged_us) == (played.seat.spent.bot_us, played.seat.spent.charged_us)
        assert 2_050_000 <= spent.bot_us <= 2_052_000
    assert played.seat.json()["spent"]["bot_us"] == played.seat.spent.bot_us


def test_the_ledger_says_when_each_decision_went_through_the_arena() -> None:
    played = Played(thinks(0.5, stall=(0.4, 3)))

    assert [(line.seat, line.number) for line in played.table.ledger][:2] == [(0, 1), (1, 1)]
    for line in played.table.ledger:
        moments = [line.begun_us, line.returned_us, line.read_us, line.judged_us]
        assert None not in moments
        assert moments == sorted(moments)  # type: ignore[type-var]
        assert line.measured_us == line.read_us - line.begun_us  # type: ignore[operator]
        assert line.kind in ("open", "call")
    assert all(line.committed_us >= line.judged_us for line in played.table.ledger if line.committed_us is not None)  # type: ignore[operator]
    assert played.table.ledger[0].committed_us is not None


def test_lost_prompts_are_in_the_ledger_and_in_what_a_seat_took() -> None:
    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await asyncio.sleep(0.7)
        await peer.say(FromBot(resign=session_pb2.Resign(match=prompt.match, why="lost")))

    played = Played(script)

    assert played.seat.end is End.RESIGNED
    assert (played.line.lost, played.line.measured_us, played.line.judged_us) == (True, 700_000, None)
    assert played.seat.spent.bot_us == 700_000


def test_an_arena_that_holds_up_one_prompt_too_long_has_failed_and_the_match_is_void() -> None:
    played = Played(thinks(1, stall=(0.5, 11)))

    for told in (played.ended.outcome, played.other.outcome):
        assert told.void
        assert {seat.end for seat in told.seats} == {outcome_pb2.END_ARENA_FAULT}
        assert told.text.startswith("the arena held up prompt 1 of seat 1 for 1")
        assert told.text.endswith(" s; at most 10 s are its share")


def test_an_arena_that_holds_up_a_silent_bot_too_long_has_failed_as_well() -> None:
    played = Played(thinks(60, stall=(0.5, 11)))

    assert {seat.end for seat in played.ended.outcome.seats} == {outcome_pb2.END_ARENA_FAULT}


def test_an_arena_that_holds_up_a_seat_too_long_in_all_has_failed() -> None:
    async def work() -> session_pb2.MatchEnded:
        async with Arena(Settings(arena_share_s=7)) as arena:
            match = opened(arena, spec(tally(2, rounds=5)))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit() for peer in peers))
            playing = asyncio.ensure_future(peers[0].play())
            while (message := await peers[1].hear()) is not None and not message.HasField("match_ended"):
                if message.HasField("prompt"):
                    held_up(0.1, 3)
                    await asyncio.sleep(0.2)
                    await peers[1].answer(message.prompt)
            await playing
            match.cancel()
            return peers[1].all("match_ended")[0]

    told = virtual.run(work()).outcome

    assert {seat.end for seat in told.seats} == {outcome_pb2.END_ARENA_FAULT}
    assert told.seats[1].decisions == 2
    assert told.text.startswith("the arena held up seat 1 for ")
    assert told.text.endswith(" s until prompt 3; at most 7 s are its share")


def untimed(*, pongs: bool, answers: bool) -> Played:
    """Seat 1 has ten minutes by its watchdog; it answers pings, and gives an illegal answer now and then."""

    async def script(peer: Peer, prompt: session_pb2.Prompt) -> None:
        if answers:
            asyncio.get_running_loop().call_later(250, asyncio.ensure_future, peer.answer(prompt, 99))
        if pongs:
            await pong(peer)
            while (message := await peer.hear()) is not None and not message.HasField("match_ended"):
                if message.HasField("ping"):
                    await pong(peer)
            peer._pending.append(message or session_pb2.FromArena())

    return Played(script, time="untimed,watchdog=10m")


def test_signs_of_life_are_no_progress_and_the_watchdog_ends_a_bot_that_gives_no_legal_answer() -> None:
    for answers in (False, True):
        played = untimed(pongs=True, answers=answers)

        assert played.seat.end is End.TIMEOUT
        assert played.seat.text == "no legal answer to prompt 1 in 600 s, the most that it may take"
        assert played.result.duration_s == pytest.approx(600, abs=1)


def test_a_bot_that_shows_no_life_is_ended_sooner() -> None:
    played = untimed(pongs=False, answers=False)

    assert played.seat.text == "no sign of life for 300 s at prompt 1"
    assert played.result.duration_s == pytest.approx(300, abs=1)


@pytest.mark.parametrize("seed", range(12))
def test_nobody_loses_on_time_before_it_is_used_up_by_the_ledger_too(seed: int) -> None:
    chance = Stream(b"held up", str(seed))

    async def never(peer: Peer, prompt: session_pb2.Prompt) -> None:
        async def holding_up() -> None:
            while True:
                jump(chance.below(30) / 1_000)
                await asyncio.sleep(chance.below(12) / 1_000)

        held_up = asyncio.ensure_future(holding_up())
        await peer.until("match_ended")
        held_up.cancel()
        peer._pending.append(peer.heard[-1])

    played = Played(never, time="50ms")

    line = played.line
    assert played.seat.end is End.TIMEOUT
    assert line.bot_us + line.network_us >= 100_000, line
    assert line.measured_us < S


def test_a_silent_think_of_ten_minutes_is_cheap_and_in_time() -> None:
    began = time.process_time()

    played = Played(thinks(600), time="10m")

    assert played.seat.end is End.NORMAL
    assert played.line.arena_us == 0
    assert time.process_time() - began < 5


class Silent(Seat):
    """Answers nothing."""

    def started(self, match: Match, player: Player) -> None:
        pass

    def ask(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def ended(self, result: Result) -> None:
        pass


def test_a_match_that_goes_on_from_its_journal_has_the_clocks_of_before() -> None:
    game = kuhn()
    moves = [Move(0, game.action("bet"), 4 * S, None, "", 500_000, S)]
    match = Match(
        spec(game, time="1s,bank=10s,increment=250ms"),
        [Silent(), Silent()],
        now=time.perf_counter,
        later=lambda call: None,
        on_end=lambda result: None,
    )

    match.restore(moves)

    assert [player.clock.bank_us for player in match.players] == [8_750_000, 10 * S]
    assert match.players[0].clock.spent == (2_500_000, 500_000, S, 2_500_000)
    told = session_pb2.Prompt.FromString(match.clocks_told)
    assert list(told.banks_us) == [8_750_000, 10 * S]
