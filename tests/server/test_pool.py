"""Pools: programs that play one match after the other, and bots that dial in for a pool's seats alone."""

from __future__ import annotations

import asyncio
import io
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from rivalry.arena.v1 import errors_pb2
from rivalry_bots import catalog
from rivalry_engine import playout
from rivalry_engine.error import RivalryError
from rivalry_server import identity
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.outcome import End, Result
from rivalry_server.pipe import Pipe
from rivalry_server.policies import Policies
from rivalry_server.pool import Pool
from rivalry_server.seat import InProcess
from rivalry_server.seating import Pooled
from rivalry_server.settings import Settings
from server import virtual
from server.peer import Peer, opened, spec

FIRST = InProcess(playout.first, "first")


async def played(arena: Arena, pools: Sequence[Pool], matches: int, *, at_once: int = 1) -> list[Result]:
    """Matches of Kuhn between one of each pool, or ``first`` where there is one pool; none is lost on time."""
    room = asyncio.Semaphore(at_once)

    async def one() -> Result:
        async with room:
            seats = [Pooled(pool, pool.bot) for pool in pools]
            return await arena.run_match(
                replace(spec(time="1m"), match_id=identity.match_id()), seats if len(seats) > 1 else [*seats, FIRST]
            )

    return await asyncio.gather(*(one() for _ in range(matches)))


def test_one_session_with_the_pools_token_plays_match_after_match_and_nobody_else_gets_its_seats() -> None:
    async def work() -> tuple[list[Result], Peer, Peer]:
        async with Arena() as arena:
            pool = arena.pool("guests")
            stranger = Peer(arena)
            await stranger.hello("stranger", matches=9)
            await stranger.until("welcome")
            over = asyncio.ensure_future(played(arena, [pool], 2))
            peer = Peer(arena, token=pool.token)
            await peer.hello("guest")
            await pool.ready(1)
            assert pool.capacity == 1
            for _ in range(2):
                await peer.accept()
                await peer.play()
            results = await over
            await pool.close()
            await peer.until("session_ended")
            return results, peer, stranger

    results, peer, stranger = virtual.run(work())

    assert [result.seats[0].name for result in results] == ["guest", "guest"]
    assert len(peer.all("welcome")) == 1
    assert peer.all("session_ended")[0].reason == errors_pb2.SESSION_END_REASON_DONE
    assert not stranger.all("seat_offer")


def test_a_member_of_a_pool_is_not_offered_a_seat_that_is_open_to_everybody() -> None:
    async def work() -> list[str]:
        async with Arena() as arena:
            pool = arena.pool("guests")
            member = Peer(arena, token=pool.token)
            await member.hello("guest", matches=9)
            await pool.ready(1)
            result = await opened(arena, spec(wait_s=1.0))
            assert not member.all("seat_offer")
            return [str(seat.end) for seat in result.seats]

    assert virtual.run(work()) == ["no_show", "no_show"]


def test_nobody_who_comes_is_told_with_the_name_of_the_bot() -> None:
    async def work() -> None:
        async with Arena() as arena:
            await arena.pool("guests").ready(3)

    with pytest.raises(RivalryError, match="guests: nobody said hello in 3 s"):
        virtual.run(work())


async def with_programs(
    folder: Path, output: io.StringIO, *argvs: tuple[str, ...], matches: int
) -> tuple[list[Result], list[int]]:
    """Results, and how many programs each pool started."""
    async with asyncio.timeout(60), Arena(output=output) as arena:
        await arena.start(f"unix:{folder}/arena")
        pools = [arena.pool(f"bot{at}", argv, most=2) for at, argv in enumerate(argvs)]
        results = await played(arena, pools, matches, at_once=2)
        return results, [pool.starts for pool in pools]


def test_programs_are_started_once_and_reused(tmp_path: Path) -> None:
    argv = catalog.command("random", "kuhn")

    results, starts = asyncio.run(with_programs(tmp_path, io.StringIO(), argv, argv, matches=12))

    assert {seat.end for result in results for seat in result.seats} == {End.NORMAL}
    assert max(starts) <= 2


def test_a_program_that_fails_loses_its_own_match_and_is_started_again(tmp_path: Path) -> None:
    good, bad = catalog.command("random", "kuhn"), catalog.command("bad-exit", "kuhn")

    results, starts = asyncio.run(with_programs(tmp_path, io.StringIO(), good, bad, matches=3))

    assert [[str(seat.end) for seat in result.seats] for result in results] == [["normal", "crash"]] * 3
    assert "status 3 before the end of the match" in results[0].seats[1].text
    assert starts[1] >= 3 >= 2 >= starts[0]


def test_a_program_that_says_no_hello_loses_one_seat_a_start_and_holds_nobody_up(tmp_path: Path) -> None:
    good, dead = catalog.command("random", "kuhn"), (sys.executable, "-c", "raise SystemExit('no weights')")
    output = io.StringIO()

    results, starts = asyncio.run(with_programs(tmp_path, output, good, dead, matches=3))

    assert [str(result.seats[1].end) for result in results] == ["crash"] * 3
    assert results[0].seats[1].text == "the program exited with status 1 before it said hello"
    assert starts[1] == 3
    assert "bot1| no weights" in output.getvalue()


def test_a_program_that_cannot_be_started_is_told_before_a_match_is_lost(tmp_path: Path) -> None:
    async def work() -> None:
        async with Arena() as arena:
            await arena.start(f"unix:{tmp_path}/arena")
            await arena.pool("mine", ("/no/such/program",)).ready(9)

    with pytest.raises(RivalryError, match="mine: the command '/no/such/program' cannot be started: No such file"):
        asyncio.run(work())


def test_a_program_that_fails_is_told_when_all_that_it_wrote_was_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its exit may be seen before what it wrote."""
    resume = Pipe.resume_reading

    def late(pipe: Pipe) -> None:
        asyncio.get_running_loop().call_later(0.1, resume, pipe)

    async def work() -> str:
        said = io.StringIO()
        async with asyncio.timeout(60), Arena(output=said) as arena:
            await arena.start(f"unix:{tmp_path}/arena")
            with pytest.raises(RivalryError, match="mine: the program exited with status 1 before it said hello"):
                await arena.pool("mine", ("sh", "-c", "echo no weights; exit 1")).ready(50)
            return said.getvalue()

    monkeypatch.setattr(Pipe, "resume_reading", late)

    assert asyncio.run(work()) == "mine| no weights\n"


def test_a_program_is_started_again_within_the_match_where_the_policy_says_so(tmp_path: Path) -> None:
    async def work() -> tuple[Result, int]:
        async with asyncio.timeout(60), Arena(output=io.StringIO()) as arena:
            await arena.start(f"unix:{tmp_path}/arena")
            pool = arena.pool("bad", catalog.command("bad-exit", "kuhn"), most=1)
            retry = replace(spec(time="1m"), policies=Policies.parsed({"on_crash": "retry 1"}))
            return await arena.run_match(retry, [Pooled(pool, "bad"), FIRST]), pool.starts

    result, starts = asyncio.run(work())

    assert (str(result.seats[0].end), result.seats[0].retries, starts) == ("crash", 1, 2)


def test_the_stream_of_a_program_that_crashed_is_nothing_to_the_one_that_was_started_in_its_place(
    tmp_path: Path,
) -> None:
    slow = ("sh", "-c", f"sleep 0.6; exec {shlex.join(catalog.command('bad-exit', 'kuhn'))}")

    async def work() -> Result:
        settings = Settings(exit_grace_s=0.3)  # less than the next program needs to start
        async with asyncio.timeout(60), Arena(settings, output=io.StringIO()) as arena:
            await arena.start(f"unix:{tmp_path}/arena")
            pool = arena.pool("bad", slow, most=1)
            retry = replace(spec(time="1m"), policies=Policies.parsed({"on_crash": "retry 1"}))
            return await arena.run_match(retry, [Pooled(pool, "bad"), FIRST])

    result = asyncio.run(work())

    assert (str(result.seats[0].end), result.seats[0].retries) == ("crash", 1)


ENDING = """
import os, pathlib, sys, time
from rivalry_client import Bot, run

fails, marker = sys.argv.pop(1) == "fails", pathlib.Path(sys.argv.pop(1))
loads_s = 20 if marker.exists() and not fails else 1.6
marker.touch()

class Ending(Bot):
    def choose(self, prompt):
        if prompt.number == 1:
            time.sleep(loads_s)
        if fails:
            os._exit(3)
        return 0

    def ended(self, match, outcome):
        time.sleep(0.2)  # it is offered the next seat meanwhile, and must not have taken it
        os._exit(0)

run(Ending)
"""


@pytest.mark.parametrize(("how", "ends"), [("well", ["normal", "timeout"]), ("fails", ["crash", "crash"])])
def test_who_ends_after_each_match_has_not_the_time_to_load_in_all_of_them_and_who_fails_has(
    tmp_path: Path, how: str, ends: list[str]
) -> None:
    async def work() -> list[Result]:
        async with asyncio.timeout(60), Arena(output=io.StringIO()) as arena:
            await arena.start(f"unix:{tmp_path}/arena")
            pool = arena.pool("ending", (sys.executable, "-c", ENDING, how, f"{tmp_path}/began"), most=2)
            seats = [Pooled(pool, pool.bot, TimeControl.parsed("1s,first=1m")), FIRST]
            return [
                await arena.run_match(replace(spec(time="1s"), match_id=identity.match_id()), seats) for _ in range(2)
            ]

    results = asyncio.run(work())

    assert [str(result.seats[0].end) for result in results] == ends
