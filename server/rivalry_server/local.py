"""A match whose bots are all functions in this process: plain calls, no asyncio, no wire."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import perf_counter

from rivalry_server import logs
from rivalry_server.match import Match
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess, InProcessSeat
from rivalry_server.spectator import Spectator


def play(
    spec: MatchSpec,
    bots: Sequence[InProcess],
    *,
    spectator: Spectator | None = None,
    now: Callable[[], float] = perf_counter,
) -> Result:
    """Plays one match to its end.  ``bots`` in seat order; raises RivalryError if they are not as many as the seats or
    the position is none.

    A bot's exception ends its seat as a crash; ``spec.time_control`` is written to the record and limits nothing.
    """
    spec.check_position()
    waiting: deque[Callable[[], None]] = deque()
    results: list[Result] = []

    def again(seat: int, end: End, text: str) -> None:
        waiting.append(lambda: seated(seat))

    def seated(seat: int) -> None:
        match.reseat(seat, InProcessSeat(bots[seat], now=now, later=waiting.append))

    match = Match(
        spec,
        [InProcessSeat(bot, now=now, later=waiting.append) for bot in bots],
        now=now,
        later=waiting.append,
        on_end=results.append,
        on_retry=again,
        spectator=spectator,
    )
    match.start()
    while waiting:
        waiting.popleft()()
    if not results:
        match.fault(AssertionError("nobody is asked and the match has not ended"))
    logs.match_ended(results[0])
    return results[0]
