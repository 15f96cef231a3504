"""Each bot that misbehaves, at a table of three with a real arena in virtual time: how it ends, and only it."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from rivalry_bots import catalog as bots
from rivalry_bots.bad import EXIT_STATUS, ExitBot
from rivalry_client.client import Seating
from rivalry_client.ending import Ending
from rivalry_client.link import Link, LinkError
from rivalry_client.report import Report
from rivalry_client.thinking import OnLoop
from rivalry_engine import catalog
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.link import LinkLostError, QueueLink, pair
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import Result
from rivalry_server.seating import Invitation, Listen
from server.virtual import run

ENDS = [
    ("bad-twice", "normal", "done"),
    ("bad-late", "timeout", "done"),
    ("bad-stale", "timeout", "done"),
    ("bad-garbage", "disconnect", "protocol"),
    ("bad-garbage?what=action", "illegal", "done"),
    ("bad-garbage?what=text", "illegal", "done"),
    ("bad-illegal", "illegal", "done"),
    ("bad-hangup", "disconnect", "left"),
    ("bad-flood", "disconnect", "flood"),
    ("bad-silent", "timeout", "done"),
    ("bad-silent?after=3", "timeout", "done"),
]


class ArenaLink(Link):
    """The bot's end of a queue link of the arena's."""

    def __init__(self, end: QueueLink) -> None:
        self._end = end

    async def read(self) -> bytes | None:
        return await self._end.read()

    async def write(self, frame: bytes) -> None:
        try:
            await self._end.write(frame)
        except LinkLostError as error:
            raise LinkError("cancelled", str(error)) from error

    def hang_up(self) -> None:
        self._end.cut()

    async def close(self) -> None:
        self._end.close()


async def match(*specs: str) -> tuple[Result, list[Ending]]:
    """Plays one match of Ethnos; how it ended, and how each bot's session did."""
    playing: list[asyncio.Task[Ending]] = []
    async with Arena() as arena:

        def invited(invitation: Invitation) -> None:
            ours, theirs = pair(token=invitation.token)
            spec = bots.parsed(specs[invitation.seat])
            bot = bots.bot_class(spec.name)
            seating = Seating(bot, settings=bot.settings_from(spec.settings))
            session = seating.session(ArenaLink(theirs), OnLoop(), Report(talkative=False))
            playing.append(asyncio.ensure_future(session.play()))
            holding.append(asyncio.ensure_future(arena.hold(ours)))

        holding: list[asyncio.Future[None]] = []
        spec = MatchSpec(catalog.game("ethnos", {"seats": 3}), b"bad", time_control=TimeControl(prompt_us=2_000_000))
        result = await arena.run_match(spec, [Listen()] * 3, invite=invited)
        endings = list(await asyncio.gather(*playing))
        await asyncio.gather(*holding)
    return result, endings


@pytest.mark.parametrize(("spec", "end", "session"), ENDS)
def test_a_bad_bot_ends_as_stated_and_the_others_normally(spec: str, end: str, session: str) -> None:
    result, endings = run(match("first", spec, "first"))

    assert [str(seat.end) for seat in result.seats] == ["normal", end, "normal"]
    assert [ending.kind for ending in endings] == ["done", session, "done"]


def test_bad_exit_ends_its_process_without_a_goodbye() -> None:
    code = (
        "from rivalry_bots.bad import ExitBot;"
        "from rivalry_engine.prompt import Answer;"
        "ExitBot().misbehave(None, Answer(index=0), None)"
    )

    assert ExitBot.needs_wire
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == EXIT_STATUS
