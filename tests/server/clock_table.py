"""A table whose arena is held up and whose bots think, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from rivalry_server.arena import Arena
from rivalry_server.outcome import Result
from server import virtual
from server.peer import Peer, opened, spec, tally

S = 1_000_000


def rounds(time: str, think: Callable[[int, int], float], *, count: int = 3) -> tuple[list[list[Any]], Result]:
    """The prompts of both seats in a game of simultaneous bids, each answered after ``think(seat, number)``."""

    async def play(peer: Peer, seat: int) -> list[Any]:
        while (message := await peer.hear()) is not None and not message.HasField("match_ended"):
            if message.HasField("prompt"):
                await asyncio.sleep(think(seat, message.prompt.number))
                await peer.answer(message.prompt)
        return peer.all("prompt")

    async def work() -> tuple[list[list[Any]], Result]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=count), time=time))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit() for peer in peers))
            prompts = await asyncio.gather(*(play(peer, seat) for seat, peer in enumerate(peers)))
            return list(prompts), await match

    return virtual.run(work())
