"""G4 with the journal on: one match of four bot processes beside a bare server that asks four processes in turn."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvloop

from bench import bare
from bench.arena_speed import GAME, SEATS, Traffic, table
from bench.goal import figure
from rivalry_engine import catalog
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seating import Listen

ROUNDS = 2
MATCHES = 6
"""One after the other, in a round."""


async def _played(arena: Arena, label: str) -> tuple[int, float]:
    """Decisions and seconds of one match, which the journal keeps."""
    spec = MatchSpec(catalog.game(GAME, {"seats": SEATS}), label.encode(), time_control=TimeControl())
    began = time.perf_counter()
    result = await arena.open_match(spec, [Listen()] * SEATS).finished
    assert all(seat.end == "normal" for seat in result.seats)
    return result.decisions, time.perf_counter() - began


async def _measured(folder: Path) -> tuple[float, float]:
    """Decisions a second, and bytes a frame."""
    with Traffic() as traffic:
        async with table(SEATS, 1, journal=FileJournal(folder)) as arena:
            await _played(arena, "warm")
            frames, size = traffic.frames, traffic.bytes
            counted = [await _played(arena, f"g4/{number}") for number in range(MATCHES)]
            bytes_a_frame = (traffic.bytes - size) / (traffic.frames - frames)
    return sum(count for count, _ in counted) / sum(took for _, took in counted), bytes_a_frame


def one_match(progress: Callable[[str], None]) -> dict[str, Any]:
    """The goal is 0.75 of the bare server's round trips."""
    rates, bounds = [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            rate, size = uvloop.run(_measured(Path(folder)))
        bound = bare.round_trips(clients=SEATS, payload_bytes=round(size), answer_bytes=10, seconds=2.0)
        rates.append(rate)
        bounds.append(bound)
        progress(f"G4 with the journal: {rate:,.0f} decisions/s; bare {bound:,.0f} with {size:,.0f} bytes a frame")
    return figure(sum(rates), sum(bounds), 0.75, unit="decisions/s, summed over rounds", least=True)
