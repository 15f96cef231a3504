"""A bot as a process: which thread does what, and the one clear line when it could not play."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

from rivalry_client.bot import Bot
from rivalry_client.client import Seating, connect
from rivalry_client.ending import Ending
from rivalry_client.loop import run_on_new_loop
from rivalry_client.report import Report
from rivalry_client.resume_file import ResumeFile
from rivalry_client.thinking import InThread, OnLoop, Thinking, on_loop
from rivalry_client.tls import Tls

GOODBYE_S = 8.0
"""How long Ctrl-C waits for the last word to be said, unless it comes again."""
TERMINATED: Final = int(signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """SIGTERM came while the bot waited to be dialled: it leaves in good order, as after Ctrl-C."""


def played(
    bot: type[Bot],
    *,
    settings: Mapping[str, Any],
    address: str,
    host: str,
    token: str,
    tls: Tls,
    name: str,
    matches: int,
    patience_s: float,
    resume_file: ResumeFile | None,
    report: Report,
) -> Ending:
    """Plays to the end of the session; raises KeyboardInterrupt on Ctrl-C, after the bot has left.

    A bot that waits at ``host`` leaves after SIGTERM, too, and raises Terminated.
    """
    seating = Seating(bot, name, matches, settings, patience_s, resume_file)

    async def dial(thinking: Thinking) -> Ending:
        async with connect(address, token=token, tls=tls, report=report) as client:
            return await client.seat(seating, thinking)

    async def wait(thinking: Thinking) -> Ending:
        from rivalry_client.host import Host

        return await Host(seating, host, thinking=thinking, report=report, token=token, tls=tls).serve()

    if host:
        with _leaving_on_termination():
            ending = _run(bot, wait)
    else:
        ending = _run(bot, dial)
    _explain(ending, address, report)
    return ending


def _run(bot: type[Bot], main: Callable[[Thinking], Coroutine[None, None, Ending]]) -> Ending:
    return run_on_new_loop(main(OnLoop()), plain=bot.starts_programs) if on_loop(bot) else _in_two_threads(main)


@contextmanager
def _leaving_on_termination() -> Iterator[None]:
    """SIGTERM does what Ctrl-C does and ends in Terminated; outside the main thread signals are not ours."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def leave(number: int, frame: Any) -> None:
        came.append(number)
        interrupt = signal.getsignal(signal.SIGINT)
        if callable(interrupt):
            interrupt(number, frame)
        else:  # Ctrl-C is ignored, as in a shell's background
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    except KeyboardInterrupt:
        if came:
            raise Terminated from None
        raise
    finally:
        signal.signal(signal.SIGTERM, before)


def _in_two_threads(main: Callable[[Thinking], Coroutine[None, None, Ending]]) -> Ending:
    """The bot in this thread, where Ctrl-C and breakpoint() work; the stream in another, so that pings are answered."""
    thinking = InThread()
    endings: list[Ending] = []
    failures: list[BaseException] = []
    stop: list[Callable[[], object]] = []
    left = threading.Event()

    async def stream() -> None:
        loop = asyncio.get_running_loop()
        thinking.loop = loop
        task = asyncio.current_task()
        assert task is not None
        stop.append(partial(loop.call_soon_threadsafe, task.cancel))
        if left.is_set():  # before there was anything to stop
            raise asyncio.CancelledError
        endings.append(await main(thinking))

    def streaming() -> None:
        try:
            run_on_new_loop(stream())
        except (Exception, asyncio.CancelledError) as error:
            failures.append(error)
        finally:
            thinking.close()

    thread = threading.Thread(target=streaming, name="rivalry stream", daemon=True)
    try:
        thread.start()
        thinking.serve()
    except BaseException:
        left.set()
        for each in stop:
            with suppress(RuntimeError):  # the session is over and its loop closed
                each()
        if thread.ident is not None:
            thread.join(GOODBYE_S)
        raise
    thread.join()
    if failures:
        raise failures[0]
    return endings[0]


def _explain(ending: Ending, address: str, report: Report) -> None:
    if ending.kind == "unreachable":
        report.line(
            f"no arena answers at {address} ({ending.text}); start an arena with `rivalry serve`, a ladder with"
            " `rivalry ladder serve`, or give its address with --address"
        )
    elif ending.kind == "refused":
        report.line(f"the arena at {address} refused this bot: {ending.text}")
    elif ending.kind == "unusable":
        report.line(ending.text)
    elif ending.status and ending.kind not in ("crash", "declined"):  # those were told as they came
        report.line(f"the session ended: {ending.kind}{f' ({ending.text})' if ending.text else ''}")
