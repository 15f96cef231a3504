"""Games of families are made in a thread, so that nobody waits for one that takes long."""

from __future__ import annotations

import asyncio
import threading

import pytest

from rivalry_engine.error import UnknownGameError
from rivalry_server.hosted import ASIDE_MOST, Hosted
from rivalry_server.limits import TooMuchError

PATIENCE_S = 10


def test_the_loop_goes_on_while_a_game_of_a_family_is_made() -> None:
    async def whole() -> tuple[str, bool]:
        hosted, gate = Hosted(), threading.Event()

        def slow() -> str:
            assert gate.wait(PATIENCE_S)
            return threading.current_thread().name

        making = asyncio.ensure_future(hosted.aside("family:slow", slow))
        await asyncio.sleep(0.02)
        waited = making.done()
        gate.set()
        return await making, waited

    where, was_done = asyncio.run(whole())

    assert where != threading.main_thread().name
    assert not was_done


def test_a_game_of_its_own_is_made_at_once() -> None:
    where = asyncio.run(Hosted().aside("kuhn", threading.current_thread))

    assert where is threading.main_thread()


def test_what_goes_wrong_in_the_thread_is_told() -> None:
    def wrong() -> None:
        raise UnknownGameError("no such game")

    with pytest.raises(UnknownGameError, match="no such game"):
        asyncio.run(Hosted().aside("family:none", wrong))


def test_so_many_calls_wait_and_no_more_and_one_that_leaves_makes_room() -> None:
    async def whole() -> tuple[int, int]:
        hosted, gate = Hosted(), threading.Event()
        waiting = [
            asyncio.ensure_future(hosted.aside("family:slow", lambda: gate.wait(PATIENCE_S))) for _ in range(ASIDE_MOST)
        ]
        await asyncio.sleep(0.02)
        with pytest.raises(TooMuchError, match="try again"):
            await hosted.aside("family:more", lambda: None)
        waiting.pop().cancel()
        await asyncio.sleep(0)
        waiting.append(asyncio.ensure_future(hosted.aside("family:more", lambda: gate.wait(PATIENCE_S))))
        await asyncio.sleep(0.02)
        refused = sum(each.done() for each in waiting)
        gate.set()
        return refused, sum(await asyncio.gather(*waiting))

    assert asyncio.run(whole()) == (0, ASIDE_MOST)
