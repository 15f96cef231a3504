"""Runs a coroutine function to its end, on uvloop where it is installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from rivalry_server import stop

T = TypeVar("T")


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What ``main()`` returns; raises Stopped on Ctrl-C and SIGTERM, after ``main`` was cancelled and has ended."""
    with stop.held() as signals, asyncio.Runner(loop_factory=_factory()) as runner:

        async def cancelled_by_a_signal() -> T:
            work = asyncio.ensure_future(main())
            loop = asyncio.get_running_loop()
            signals.then(lambda: loop.call_soon_threadsafe(work.cancel))
            try:
                return await work
            finally:
                signals.then(lambda: None)

        return runner.run(cancelled_by_a_signal())


def _factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.new_event_loop
    return new_event_loop
