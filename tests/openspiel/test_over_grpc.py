"""Games of OpenSpiel played by bots over gRPC: chance, secrets, moves at once, open games, more than two seats."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rivalry_bots.random_bot import RandomBot
from rivalry_bots.search.bot import SearchBot
from rivalry_client import Bot, Setting
from rivalry_client.client import connect
from rivalry_client.local import LocalBot
from rivalry_engine import catalog, playout, record
from rivalry_server import local
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen

pytest.importorskip("pyspiel")

SEED = b"the seed of this match"
GAMES = [
    ("pig", {}),
    ("liars_dice", {}),
    ("goofspiel", {"seats": 3}),
    ("connect_four", {}),
    ("hearts", {}),
    ("python_kuhn_poker", {}),
]


class Searching(SearchBot):
    """It counts its playouts, so that it plays the same game for the same seed."""

    declared = (*SearchBot.declared[:-1], Setting("iterations", "integer", 20, (), "playouts of a decision"))


def over_grpc(spec: MatchSpec, socket: Path, kind: type[Bot] = RandomBot) -> Result:
    """The match, each bot on a stream of its own."""

    async def work() -> Result:
        async with asyncio.timeout(120):
            async with Arena() as arena:
                address = await arena.start(f"unix:{socket}")

                async def bot() -> None:
                    async with connect(address) as client:
                        await client.play(kind)

                bots = [asyncio.ensure_future(bot()) for _ in range(spec.game.seats)]
                result = await arena.run_match(spec, [Listen()] * spec.game.seats)
            await asyncio.gather(*bots)  # their sessions end with the arena
            return result

    return asyncio.run(work())


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_bots_over_grpc_play_the_match_that_they_play_in_process(
    name: str, options: dict[str, int], tmp_path: Path
) -> None:
    game = catalog.game(f"openspiel:{name}", options)
    spec = MatchSpec(game, SEED, time_control=TimeControl.parsed("20s"))

    result = over_grpc(spec, tmp_path / "s")

    assert {seat.end for seat in result.seats} == {End.NORMAL}
    here = local.play(MatchSpec(game, SEED), [InProcess(playout.uniform, "random")] * game.seats)
    assert result.game_digest == here.game_digest
    record.verified(record.read("".join(f"{line}\n" for line in result.record())), game)


@pytest.mark.parametrize("name", ["tic_tac_toe", "leduc_poker", "matrix_rps"])
def test_a_bot_that_imagines_plays_over_grpc_the_match_that_it_plays_in_process(name: str, tmp_path: Path) -> None:
    game = catalog.game(f"openspiel:{name}")
    spec = MatchSpec(game, SEED, time_control=TimeControl.parsed("20s"))

    result = over_grpc(spec, tmp_path / "s", Searching)

    assert {seat.end for seat in result.seats} == {End.NORMAL}
    bots = [InProcess(LocalBot(Searching), "search") for _ in range(game.seats)]
    here = local.play(MatchSpec(game, SEED), bots)
    assert result.game_digest == here.game_digest
