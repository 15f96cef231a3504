"""Runs a coroutine to its end on a new loop: uvloop's where it is installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TypeVar

T = TypeVar("T")


def run_on_new_loop(main: Coroutine[None, None, T], *, plain: bool = False) -> T:
    """What ``main`` returns.  In the main thread Ctrl-C cancels it.  ``plain``: on asyncio's own loop."""
    with asyncio.Runner(loop_factory=None if plain else _factory()) as runner:
        return runner.run(main)


def _factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop
