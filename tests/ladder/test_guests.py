"""Who may open a session at a ladder, and what is told to whoever may not."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import grpc
import pytest

from e2e.program import RIVALRY, environment
from ladder.crew import QUEUE
from ladder.house import House, house
from ladder.test_deserted import Caller, called
from rivalry.arena.v1 import errors_pb2, match_pb2, play_pb2, play_pb2_grpc
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.settings import Settings
from rivalry_server.tokens import Kind, Token


def made() -> Settings:
    """Settings with one queue and nobody in it."""
    return ladder_settings.settings({"queues": {"kuhn": QUEUE}})


def given(of: House, kind: Kind) -> str:
    """The text of a new token that no bot of the ladder has."""
    token, text = Token.made(kind, "somebody", now=of.ladder.wall())
    of.ladder.tokens.changed(lambda tokens: {**tokens, token.token_id: token})
    return text


@pytest.mark.parametrize("token", [None, ""])
def test_a_bot_without_a_token_is_told_at_once_that_it_has_to_be_registered(tmp_path: Path, token: str | None) -> None:
    async def work() -> subprocess.CompletedProcess[str]:
        async with house(tmp_path, made()) as here:
            shown = {} if token is None else {"RIVALRY_TOKEN": token}
            return await asyncio.to_thread(
                subprocess.run,
                [RIVALRY, "bot", "random", "--address", here.address],
                env=environment() | shown,
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )

    done = asyncio.run(work())

    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count(os.linesep) == 1
    assert "this is a ladder" in done.stderr and "no token was shown" in done.stderr
    assert "rivalry ladder register BOT --version TEXT" in done.stderr and "RIVALRY_TOKEN" in done.stderr


def test_the_token_of_a_bot_that_is_not_registered_opens_no_session(tmp_path: Path) -> None:
    async def work() -> errors_pb2.RefusalReason:
        async with house(tmp_path, made()) as here:
            peer = Caller(here, given(here, Kind.BOT))
            await peer.hello("stranger")
            refused = await peer.until("refused")
            assert "is of no such bot" in refused.yours
            return refused.reason

    assert asyncio.run(asyncio.wait_for(work(), 60)) == errors_pb2.REFUSAL_REASON_TOKEN


def test_a_registered_bot_is_let_in_at_once_and_after_a_restart(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(tmp_path, made()) as here:
            token = str((await here.ask("RegisterBot", name="guest", version="1")).token)
            await called(here, token)
            newer = str((await here.ask("RegisterBot", name="guest", version="1", new_token=True)).token)
            await called(here, newer)
        async with house(tmp_path, made()) as here:
            await called(here, newer)

    asyncio.run(asyncio.wait_for(work(), 60))


def test_an_operator_makes_a_match_at_a_ladder_whose_seats_are_taken_by_their_tokens(tmp_path: Path) -> None:
    async def work() -> int:
        async with house(tmp_path, made(), ask_for_tokens=True) as here:
            arena = play_pb2_grpc.ArenaServiceStub(here.channel)  # type: ignore[no-untyped-call]
            shown = (("authorization", f"Bearer {given(here, Kind.OPERATOR)}"),)
            seats = [match_pb2.SeatSpec(open=match_pb2.OpenSeat()), match_pb2.SeatSpec(built_in="first")]
            request = play_pb2.CreateMatchRequest(request_id="ours", game="kuhn", seats=seats)
            tokens = (await arena.CreateMatch(request, metadata=shown)).seat_tokens
            with pytest.raises(grpc.aio.AioRpcError):
                await here.ask("ListBots")
            await here.ask("ListBots", token=tokens[0])
            return int((await Caller(here, tokens[0]).sit_and_play()).outcome.seats[0].rank)

    assert asyncio.run(asyncio.wait_for(work(), 60)) in (1, 2)
