"""Matches that ended before the arena was started are told like those that ended since."""

from __future__ import annotations

import asyncio
from pathlib import Path

from rivalry.arena.v1 import match_pb2
from rivalry_server import describe
from rivalry_server.match_spec import MatchSpec
from server import virtual
from server.journal.house import arena, built_in, played
from server.peer import kuhn


def test_what_ended_before_a_restart_is_told_in_full(tmp_path: Path) -> None:
    async def told() -> list[match_pb2.Match]:
        house = arena(tmp_path)
        try:
            house.go_on()
            await asyncio.sleep(0)
            return [describe.match(attempt, with_seed=True) for attempt in house.attempts.values()]
        finally:
            await house.stop()

    bots = [built_in("random", "kuhn"), built_in("first", "kuhn")]
    (result,) = virtual.run(played(tmp_path, [MatchSpec(kuhn(), b"past")], bots))

    (match,) = virtual.run(told())

    assert match.phase == match_pb2.MATCH_PHASE_ENDED
    assert [(seat.name, seat.taken) for seat in match.seats] == [("random", True), ("first", True)]
    assert match.outcome.game_digest == result.game_digest
