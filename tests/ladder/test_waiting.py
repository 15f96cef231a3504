"""Waiting in one queue while playing in another, and what is said of a queue that has too few bots."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ladder.house import house
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder import waiting
from rivalry_ladder.why import Reason, Why, alone

MADE = ladder_settings.settings(
    {
        "ladder": {"round_s": 0.05, "rest_s": 0.1, "gap": 9, "starve_s": 0.6},
        "queues": {"kuhn": {"game": "kuhn"}, "band": {"game": "ethnos", "seats": 3}},
        "bots": {name: {"run": "built-in:random", "owner": name} for name in ("one", "two")},
    }
)


def test_who_plays_in_one_queue_waits_on_in_another_and_is_told_that_it_has_too_few_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []

    class Log:
        def warning(self, event: str, **facts: Any) -> None:
            told.append({"event": event} | facts)

    monkeypatch.setattr(waiting, "log", Log())

    async def work() -> tuple[int, list[Any]]:
        async with house(tmp_path, MADE) as here:
            await here.until(lambda: len(told) >= 2)
            await asyncio.sleep(0.4)  # and it stays at that
            explained = (await here.ask("ExplainBot", name="one")).explanations
            return await here.counted(), [each for each in explained if each.queue == "band"]

    counted, (band,) = asyncio.run(asyncio.wait_for(work(), 40))

    assert counted >= 3
    assert sorted((each["event"], each["bot"], each["queue"]) for each in told) == [
        ("bot_starves", "one", "band"),
        ("bot_starves", "two", "band"),
    ]
    (reason,) = [each for each in band.reasons if each.code in ("nobody", "busy")]
    assert reason.code == "busy" or "2 of the 3 bots that a match needs" in reason.text


def test_who_finds_nobody_in_a_queue_with_enough_bots_is_told_to_wait() -> None:
    left = {1: Reason(Why.NOBODY, "none is free"), 2: Reason(Why.FULL, "the server is full")}

    assert alone(left, 2, {7, 8}) == left
    few = alone(left, 3, {7, 8})
    assert (few[1].why, few[2]) == (Why.NOBODY, left[2])
    assert few[1].text.startswith("the queue has 2 of the 3 bots") and "ladder register" in few[1].remedy
