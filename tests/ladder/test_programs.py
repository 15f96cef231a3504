"""Bots that the server starts: a program stays and plays match after match, and goes when it is not needed."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ladder import house as house_of
from ladder.house import House, house
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.settings import Settings

BOT = """
import asyncio, os, sys
from pathlib import Path
from rivalry_client import Bot, run

folder = Path(sys.argv.pop(1))
with open(folder / "pids", "a") as pids:
    pids.write(f"{os.getpid()}\\n")


class Slow(Bot):
    async def choose(self, prompt):
        if (folder / "hold").exists():
            (folder / "held").touch()
            while (folder / "hold").exists():
                await asyncio.sleep(0.02)
        return 0


run(Slow)
"""


LATE_S = 5
"""A program is later than that on purpose alone, however busy the machine is."""


def made(folder: Path, *names: str, **figures: Any) -> Settings:
    """Settings with a program for each name, and a bot of the server's own."""
    (folder / "bot.py").write_text(BOT)
    bots: dict[str, Any] = {"own": {"run": "built-in:random", "owner": "house"}}
    for name in names:
        (folder / name).mkdir()
        bots[name] = {"run": f"cmd:{sys.executable} {folder}/bot.py {folder}/{name}", "owner": name}
    quick = {"round_s": 0.05, "gap": 9} | figures
    return ladder_settings.settings(
        {"ladder": quick, "queues": {"kuhn": {"game": "kuhn", "time": f"{LATE_S}s,first={LATE_S}s"}}, "bots": bots}
    )


def started(folder: Path) -> list[int]:
    """The programs of a bot, in the order in which they began."""
    file = folder / "pids"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def runs(pid: int) -> bool:
    """True while a program runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def _counts(of: House, most: int) -> bool:
    return await of.counted() >= most


def test_a_program_plays_on_another_follows_a_fault_and_a_restart_and_it_goes_when_its_bot_is_paused(
    tmp_path: Path,
) -> None:
    settings, bot = made(tmp_path, "mine"), tmp_path / "mine"

    async def begun() -> int:
        async with house(tmp_path / "data", settings) as here:
            await here.until(lambda: _counts(here, 5))
            (first,) = started(bot)
            (bot / "hold").touch()  # its clock runs out, and it lives on
            await here.until(lambda: not runs(first))
            (bot / "hold").unlink()
            await here.until(lambda: len(started(bot)) == 2)
            (bot / "held").unlink()
            (bot / "hold").touch()
            await here.until((bot / "held").exists)
            return await here.counted()

    async def went_on(before: int) -> None:
        async with house(tmp_path / "data", settings) as here:
            (bot / "hold").unlink()
            await here.until(lambda: _counts(here, before + 3))
            found = (await here.ask("ListLadderMatches", page_size=1000)).matches
            ends = [seat.end for match in found for seat in match.seats if match.state == "ended"]
            assert (set(ends), ends.count("timeout")) == ({"normal", "timeout"}, 1)
            await here.ask("PauseBot", name="mine")
            await here.until(lambda: not any(runs(pid) for pid in started(bot)))

    asyncio.run(asyncio.wait_for(went_on(asyncio.run(asyncio.wait_for(begun(), 80))), 80))

    assert len(started(bot)) == 4  # the match that went on had one of its own


def test_so_many_programs_stay_as_the_settings_say(tmp_path: Path) -> None:
    settings = made(tmp_path, "mine", "yours", rest_s=60, idle_programs=1)

    bots = [tmp_path / name for name in ("mine", "yours")]

    async def work() -> int:
        async with house(tmp_path / "data", settings) as here:
            await here.until(lambda: all(started(bot) for bot in bots))
            await here.until(lambda: sum(runs(started(bot)[0]) for bot in bots) == 1)
            await here.until(lambda: _counts(here, 1))
            return sum(len(started(bot)) for bot in bots)

    assert 2 <= asyncio.run(asyncio.wait_for(work(), 80)) <= 3
    assert not any(runs(pid) for bot in bots for pid in started(bot))


STUCK = """
import os, signal, sys
from pathlib import Path
from rivalry_client import Bot, run

folder = Path(sys.argv.pop(1))
with open(folder / "pids", "a") as pids:
    pids.write(f"{os.getpid()}\\n")


class Stuck(Bot):
    def choose(self, prompt):
        return 0

    def ended(self, match, outcome):
        if not (folder / "stuck").exists():
            (folder / "stuck").touch()
            os.kill(os.getpid(), signal.SIGSTOP)


run(Stuck)
"""


def test_a_program_that_does_not_even_reply_to_an_offer_goes_after_that_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house_of, "ArenaSettings", partial(house_of.ArenaSettings, offer_s=2.0))
    settings, bot = made(tmp_path, "mine"), tmp_path / "mine"
    (tmp_path / "bot.py").write_text(STUCK)
    queues = {name: replace(queue, wait_s=1.5 * LATE_S) for name, queue in settings.queues.items()}
    settings = replace(settings, queues=queues)

    async def work() -> None:
        async with house(tmp_path / "data", settings) as here:
            await here.until(lambda: len(started(bot)) == 2 and not runs(started(bot)[0]))
            await here.until(lambda: _counts(here, 1))

    asyncio.run(asyncio.wait_for(work(), 80))
