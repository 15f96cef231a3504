"""Matches that ended before the arena was started are told like those that ended since."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from rivalry.arena.v1 import errors_pb2, match_pb2, session_pb2
from rivalry_client import Bot, connect
from rivalry_client.ending import Ending
from rivalry_engine import playout
from rivalry_engine.prompt import Prompt
from rivalry_server import describe
from rivalry_server.arena import Arena
from rivalry_server.identity import next_match_id
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.past import Past
from rivalry_server.seating import Listen, Occupant
from server import virtual
from server.journal.house import Killed, arena, built_in, gone_on, played
from server.peer import FromBot, Peer, kuhn


def spoiling(folder: Path, *, drains: bool = False) -> tuple[Arena, list[Occupant]]:
    """An arena that spoils its first match, with ``drains`` while it is being stopped; and two bots."""
    house = arena(folder)
    bot = built_in("first", "kuhn")

    def choose(prompt: Prompt) -> object:
        (attempt, *others) = house.attempts.values()
        if not others and attempt.match is not None:
            if drains:
                house.lobby.drain(10.0)
            asyncio.get_running_loop().call_soon(attempt.match.held_up, "the arena held up the match")
        return playout.first(prompt)

    return house, [replace(bot, choose=choose), bot]


def test_a_spoiled_match_is_bound_to_its_other_run_after_a_restart_at_any_moment(tmp_path: Path) -> None:
    data = tmp_path / "data"
    killed = Killed(data, tmp_path)

    async def whole() -> tuple[str, Result]:
        house, bots = spoiling(data)
        assert isinstance(house._journal, FileJournal)
        killed.watch(house._journal)
        first = house.open_match(MatchSpec(kuhn(), b"owed"), bots)
        result = await first.finished
        assert result.owed
        await asyncio.sleep(1)
        assert first.settled
        await house.stop()
        return first.spec.match_id, result

    async def after(folder: Path) -> tuple[str, bool, bool, End]:
        """Whose run comes after the first, whether all is told of it before and after that, and how that ended."""
        house = arena(folder)
        try:
            house.go_on()
            first = house.match(match_id)
            assert first is not None
            await first.finished
            await asyncio.sleep(0)
            again_as = first.again_as
            if not again_as:
                return "", False, house.told_all(first), first.finished.result().seats[0].end
            other = house.match(again_as)
            assert other is not None
            before = house.told_all(first)
            result = await other.finished
            return again_as, before and not isinstance(other, Past), house.told_all(first), result.seats[0].end
        finally:
            await house.stop()

    match_id, spoiled = virtual.run(whole())
    assert spoiled.seats[0].end is End.ARENA_FAULT
    found = [virtual.run(after(folder)) for folder in killed.folders]

    # Killed before it was spoiled, it goes on and ends well; after, it is run again, and once only.
    assert found == sorted(found), found
    assert {again_as for again_as, *_ in found} == {"", next_match_id(match_id)}
    assert {(early, told, end) for _, early, told, end in found} == {(False, True, End.NORMAL)}


def test_what_is_spoiled_while_the_arena_is_stopped_is_left_to_the_next(tmp_path: Path) -> None:
    async def before() -> tuple[str, bool]:
        house, bots = spoiling(tmp_path, drains=True)
        first = house.open_match(MatchSpec(kuhn(), b"owed"), bots)
        result = await first.finished
        assert result.owed
        await asyncio.sleep(1)
        told = house.told_all(first)
        await house.stop()
        return first.spec.match_id, told

    match_id, told = virtual.run(before())
    results = virtual.run(gone_on(tmp_path))

    assert not told, "the seed would be told of a match that is to be run again"
    assert [result.match_id for result in results] == [match_id, next_match_id(match_id)]
    assert results[1].seats[0].end is End.NORMAL


@pytest.mark.parametrize("features", [[], ["resume"]], ids=["plain", "resuming"])
def test_a_bot_whose_match_is_left_to_the_next_start_is_told_so_and_plays_it_then(
    features: list[str], tmp_path: Path
) -> None:
    async def before() -> tuple[session_pb2.SessionEnded, bytes]:
        house, bots = spoiling(tmp_path, drains=True)
        peer = Peer(house, token="seat 1")
        attempt = house.open_match(MatchSpec(kuhn(), b"owed"), [bots[0], Listen(token="seat 1")])
        await peer.sit("peer", features=features)
        assert (await attempt.finished).owed
        await peer.until("match_ended")
        with pytest.raises(TimeoutError):  # told before, it would come back while nobody is let in
            await asyncio.wait_for(peer.until("session_ended"), 5)
        await house.stop()
        ended = await peer.until("session_ended")
        return ended, peer.all("welcome")[0].resume_token

    async def after() -> tuple[int, Result]:
        house = arena(tmp_path)
        house.go_on()
        (again,) = [attempt for attempt in house.attempts.values() if not isinstance(attempt, Past)]
        former = Peer(house)
        versions = session_pb2.VersionRange(least=1, most=1)
        await former.say(FromBot(resume=session_pb2.Resume(protocol=versions, token=token or b"none")))
        refused = await former.until("refused")
        peer = Peer(house, token="seat 1")
        await peer.sit("peer")
        await peer.play()
        result = await again.finished
        await house.stop()
        return refused.reason, result

    ended, token = virtual.run(before())
    reason, result = virtual.run(after())

    assert ended.reason == errors_pb2.SESSION_END_REASON_RESTART
    assert (ended.text, ended.remedy) == (
        "the match is run again when the arena is back",
        "say hello then, with the same token",
    )
    assert reason == errors_pb2.REFUSAL_REASON_RESUME  # at which a bot without a match says hello
    assert (result.attempt, result.seats[1].name, result.seats[1].end) == (2, "peer", End.NORMAL)


def test_a_python_bot_whose_match_is_left_to_the_next_start_plays_it_then(tmp_path: Path) -> None:
    class First(Bot):
        quick = True

        def choose(self, prompt: object) -> object:
            return 0

    where = f"unix:{tmp_path}/arena"

    async def play() -> Ending:
        async with connect(where, token="seat 1") as there:
            return await there.play(First)

    async def work() -> tuple[Result, Ending]:
        house, bots = spoiling(tmp_path / "data", drains=True)
        await house.start(where)
        attempt = house.open_match(MatchSpec(kuhn(), b"owed"), [bots[0], Listen(token="seat 1")])
        playing = asyncio.ensure_future(play())
        assert (await attempt.finished).owed
        await asyncio.wait((playing,), timeout=1.0)  # a bot that is told already would try to come back now
        await house.stop()
        house = arena(tmp_path / "data")
        await house.start(where)
        (again,) = [attempt for attempt in house.attempts.values() if attempt.spec.attempt == 2]
        result = await again.finished
        ending = await playing
        await house.stop()
        return result, ending

    result, ending = asyncio.run(asyncio.wait_for(work(), 60))

    assert [(seat.name, seat.end) for seat in result.seats] == [("first", End.NORMAL), ("First", End.NORMAL)]
    assert (ending.kind, ending.matches) == ("done", 2)


def test_what_ended_before_a_restart_is_told_in_full(tmp_path: Path) -> None:
    async def told() -> list[match_pb2.Match]:
        house = arena(tmp_path)
        try:
            house.go_on()
            await asyncio.sleep(0)
            return [describe.match(attempt, with_seed=True) for attempt in house.attempts.values()]
        finally:
            await house.stop()

    bots = [built_in("random", "kuhn"), built_in("first", "kuhn")]
    (result,) = virtual.run(played(tmp_path, [MatchSpec(kuhn(), b"past")], bots))

    (match,) = virtual.run(told())

    assert match.phase == match_pb2.MATCH_PHASE_ENDED
    assert [(seat.name, seat.taken) for seat in match.seats] == [("random", True), ("first", True)]
    assert match.outcome.game_digest == result.game_digest
