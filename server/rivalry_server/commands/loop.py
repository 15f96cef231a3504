"""Runs a coroutine function to its end, on uvloop where it is installed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What ``main()`` returns; raises KeyboardInterrupt on Ctrl-C, after ``main`` was cancelled."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        return asyncio.run(main())
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(main())
