"""G6: what the arena adds to a prompt while 64 matches of Ethnos with four seats run.

Measured for every prompt but the first of a match, by the match's ledger: from the moment at which the answer that led
to it was read off its stream until the frame with the prompt was begun, and from there until its write returned (or the
answer to it came, should that be earlier).  This holds the answer's check, its application, the next observation and
choices, the wait for what else the same frame said, the outbox, and the call into gRPC.  It does not hold the way
itself, nor how long an answer lay in gRPC or the kernel before it was read.

The bots think, 50 ms on average: with bots that answer at once the arena is never idle, and the figure is the length of
its queue.  That one is told beside, and not asked for.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import uvloop

from bench import bare
from bench.arena_speed import GAME, SEATS, table
from bench.goal import figure, together
from rivalry_engine import catalog
from rivalry_server.clock import TimeControl
from rivalry_server.ledger import Decision
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seating import Listen
from rivalry_server.spectator import Spectator

MATCHES = 64
THINKING = "load.pondering:Pondering?most_ms=100"
AT_ONCE = "first"
ROUNDS = 3
"""The machine's speed changes from one minute to the next: the middle one of so many counts."""
GOALS_US = {50: 1_000.0, 99: 5_000.0}
"""By percentile."""


class Ledger(Spectator):
    """Keeps the lines of a match's ledger."""

    wants_decisions = True
    wants_events = False

    def __init__(self) -> None:
        self.lines: list[Decision] = []

    def decided(self, decision: Decision) -> None:
        self.lines.append(decision)


def added_us(lines: list[Decision]) -> list[int]:
    """What the arena added to each prompt after the first; lines without the moments are left out."""
    found = []
    for before, line in pairwise(lines):
        if before.read_us is None or before.committed_us is None or line.begun_us is None or line.read_us is None:
            continue
        returned_us = line.read_us if line.returned_us is None else min(line.returned_us, line.read_us)
        found.append(before.committed_us - before.read_us + returned_us - line.begun_us)
    return found


async def _measured(bot: str, processes: int) -> list[int]:
    game = catalog.game(GAME, {"seats": SEATS})
    os.environ["PYTHONPATH"] = str(bare.TESTS)
    async with table(processes, MATCHES * SEATS // processes, bot=bot) as arena:
        ledgers = [Ledger() for _ in range(MATCHES)]
        await asyncio.gather(
            *(
                arena.run_match(
                    MatchSpec(game, b"g6/%d" % number, time_control=TimeControl()), [Listen()] * SEATS, spectator=ledger
                )
                for number, ledger in enumerate(ledgers)
            )
        )
    return sorted(added for ledger in ledgers for added in added_us(ledger.lines))


def prompt(progress: Callable[[str], None]) -> dict[str, Any]:
    """G6: the bound is the round trip of a bare server that asks one client after the other."""
    bound_us = 1e6 / bare.round_trips(clients=SEATS, payload_bytes=1_000, answer_bytes=10, seconds=2.0)
    parts = {}
    for processes in (1, SEATS):
        rounds = [uvloop.run(_measured(THINKING, processes)) for _ in range(ROUNDS)]
        busy = uvloop.run(_measured(AT_ONCE, processes))
        name = f"{processes} process{'es' if processes > 1 else ''}"
        told = []
        for percent, goal_us in GOALS_US.items():
            values_us = sorted(found[len(found) * percent // 100] for found in rounds)
            value_us = values_us[ROUNDS // 2]
            told.append(
                f"p{percent} {value_us:,} µs, the middle of {', '.join(f'{each:,}' for each in values_us)}"
                f" ({busy[len(busy) * percent // 100]:,} with bots that answer at once)"
            )
            parts[f"p{percent}, {name}"] = figure(value_us, bound_us, goal_us, unit="us", least=False, of="value")
        progress(f"G6: {name}: {'; '.join(told)}; {len(rounds[0]):,} prompts, a bare round trip {bound_us:.0f} µs")
    return together(parts)
