"""A bot in one thread and its stream in another: whichever is quicker, Ctrl-C ends both."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import closing
from typing import Any

import pytest

from rivalry_client import process
from rivalry_client.ending import Ending
from rivalry_client.thinking import InThread, Job, Lane, Thinking


async def endless(thinking: Thinking) -> Ending:
    """A session that nobody ends."""
    await asyncio.sleep(3600)
    return Ending("done")


async def over_at_once(thinking: Thinking) -> Ending:
    """A session that ends as soon as it begins."""
    return Ending("done")


def streams() -> list[threading.Thread]:
    """The threads of streams that run."""
    return [thread for thread in threading.enumerate() if thread.name == "rivalry stream"]


@pytest.mark.parametrize("main", [endless, over_at_once])
def test_ctrl_c_before_the_stream_has_begun_or_after_its_end_stops_it_too(
    monkeypatch: pytest.MonkeyPatch, main: Callable[[Thinking], Coroutine[None, None, Ending]]
) -> None:
    joined = threading.Event()
    ours = process.run_on_new_loop

    class Stream(threading.Thread):
        def join(self, timeout: float | None = None) -> None:
            joined.set()
            super().join(timeout)

    def held_up(work: Coroutine[None, None, Any]) -> Any:
        if main is endless:
            joined.wait()
            return ours(work)
        ended = ours(work)
        over.set()
        joined.wait()
        return ended

    def serve(thinking: InThread) -> None:
        if main is over_at_once:
            over.wait()
        raise KeyboardInterrupt

    over = threading.Event()
    monkeypatch.setattr(process.threading, "Thread", Stream)
    monkeypatch.setattr(process, "run_on_new_loop", held_up)
    monkeypatch.setattr(InThread, "serve", serve)

    with pytest.raises(KeyboardInterrupt):
        process._in_two_threads(main)

    assert not streams()


class JustClosed(asyncio.SelectorEventLoop):
    """A loop that says that it is open, and is closed when something is told to it."""

    def call_soon_threadsafe(self, *args: Any, **facts: Any) -> asyncio.Handle:
        raise RuntimeError("Event loop is closed")


def test_what_is_answered_when_the_loop_has_just_closed_is_dropped() -> None:
    with closing(JustClosed()) as loop:
        thinking = InThread(loop)
        told: list[object] = []
        thinking.do(Lane(), Job(int, told.append, told.append))
        thinking.do(Lane(), Job(thinking.close, told.append, told.append))

        thinking.serve()

    assert told == []
