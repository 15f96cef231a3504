"""A thousand matches in one arena leave nothing behind; a thousand idle sessions, and a bot that does not read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from load.arena_process import ArenaProcess
from load.census import descriptors, resident_kb
from load.crowd import guests, many_matches, slow_reader, unread

ABOUT = (
    "engine",
    "server",
    "clients/python",
    "proto/python/rivalry_wire",
    "tests/load/crowd.py",
    "tests/load/census.py",
    "tests/load/arena_process.py",
    "tests/proof/crowd.py",
)
ALONE = True
MATCHES = 1_000
PROGRAMS = 60
SESSIONS = 1_000
SESSION_KB_MOST = 64.0
"""What a session that does nothing may take of the arena's memory."""
SLOW_KB_MOST = 32 * 1_024
PADDING, ROUNDS, WRITE_S = 200_000, 400, 2.0
"""The events of the match with the slow reader: 80 MB, of which a connection takes a few at most."""
STEPS = ["matches", "sessions", "slow-reader"]


def run(step: str) -> dict[str, Any]:
    """Does one of them; raises AssertionError where something is left, or takes too much."""
    if step == "matches":
        found: dict[str, Any] = uvloop.run(many_matches(MATCHES, programs=PROGRAMS))
        more = {what: (found["before"][what], count) for what, count in found["after"].items()}
        more = {what: counts for what, counts in more.items() if counts[1] > counts[0]}
        assert not more, f"left behind: {more}"
        return {"step": step, **found, "told": f"{MATCHES} matches, nothing left behind"}
    if step == "sessions":
        return uvloop.run(_idle_sessions())
    result, before_kb, after_kb = uvloop.run(slow_reader(padding=PADDING, rounds=ROUNDS, write_s=WRITE_S))
    seat = unread(result)
    assert seat["end"] == "disconnect" and f"did not return in {WRITE_S:g} s" in seat["text"], seat
    assert str(result.seats[1].end) == "normal", result.seats
    grown_kb = after_kb - before_kb
    assert grown_kb < SLOW_KB_MOST, f"the arena's memory grew by {grown_kb} KiB"
    return {"step": step, "grown_kb": grown_kb, "told": f"ended as a slow reader, {grown_kb} KiB more"}


async def _idle_sessions() -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        # What one identity may have is not what is asked here.
        arena = ArenaProcess(None, Path(folder) / "arena.err", "--each-sessions", 10_000, "--each-new", 10_000)
        try:
            arena.rise()
            async with guests(arena.address, 20):
                await asyncio.sleep(1.0)
            await asyncio.sleep(1.0)
            before_kb, before = resident_kb(arena.pid), descriptors(arena.pid)
            async with guests(arena.address, SESSIONS):
                await asyncio.sleep(3.0)
                full_kb = resident_kb(arena.pid)
            for _ in range(60):
                await asyncio.sleep(1.0)
                after_kb, after = resident_kb(arena.pid), descriptors(arena.pid)
                if after <= before:
                    break
            async with guests(arena.address, SESSIONS):
                await asyncio.sleep(3.0)
                again_kb = resident_kb(arena.pid)
            assert arena.stop() == 0
            assert "Traceback" not in arena.said(), arena.said()
        finally:
            arena.kill()
    each_kb = (full_kb - before_kb) / SESSIONS
    assert each_kb <= SESSION_KB_MOST, f"{each_kb:.1f} KiB a session"
    assert after <= before, f"{after} descriptors after, {before} before"
    assert again_kb <= full_kb * 1.25, f"{again_kb} KiB with as many sessions again, {full_kb} at first"
    facts = {"before_kb": before_kb, "full_kb": full_kb, "after_kb": after_kb, "again_kb": again_kb, "each_kb": each_kb}
    return {"step": "sessions", **facts, "told": f"{each_kb:.1f} KiB a session"}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """What was counted before and after, and what memory was taken."""
    matches, sessions, slow = figures
    lines = [f"| what the arena holds | before | after {MATCHES:,} matches |", "|---|---|---|"]
    lines += [f"| {what} | {count} | {matches['after'][what]} |" for what, count in matches["before"].items()]
    lines += [
        "",
        f"In {PROGRAMS} of these matches a bot was a program that the arena started, in the others a client of its own;"
        " the arena kept a journal.",
        "",
        "| memory of the arena | MiB |",
        "|---|---|",
        f"| before | {sessions['before_kb'] / 1_024:.1f} |",
        f"| with {SESSIONS:,} idle sessions | {sessions['full_kb'] / 1_024:.1f} |",
        f"| when they are gone | {sessions['after_kb'] / 1_024:.1f} |",
        f"| with as many again | {sessions['again_kb'] / 1_024:.1f} |",
        f"| more, after a bot that did not read {PADDING * ROUNDS // 1_000_000} MB | {slow['grown_kb'] / 1_024:.1f} |",
        "",
        f"An idle session takes {sessions['each_kb']:.1f} KiB; asserted are {SESSION_KB_MOST:g} at most.",
        "",
        '`make proof ARGS="--only crowd"`',
    ]
    return lines, True
