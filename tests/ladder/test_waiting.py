"""Waiting in one queue while playing in another, and what is said of a queue that has too few bots."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ladder.crew import Hand, Holding
from ladder.house import house
from rivalry_ladder import book, waiting
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.book import Row
from rivalry_ladder.online import Online
from rivalry_ladder.pairing import Candidate, Terms, paired
from rivalry_ladder.why import Reason, Why, alone

MADE = ladder_settings.settings(
    {
        "ladder": {"round_s": 0.05, "gap": 9, "starve_s": 0.6},
        "queues": {"kuhn": {"game": "kuhn", "time": "60s"}, "band": {"game": "ethnos", "seats": 3, "time": "60s"}},
        "bots": {"own": {"run": "built-in:random", "queues": ["kuhn"]}},
    }
)
HELD = Hand("held", 0, bot=Holding)


def test_who_plays_in_one_queue_waits_on_in_another_and_is_told_that_it_has_too_few_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []

    class Log:
        def warning(self, event: str, **facts: Any) -> None:
            told.append({"event": event} | facts)

    monkeypatch.setattr(waiting, "log", Log())

    async def work() -> list[str]:
        Holding.begins()
        async with house(tmp_path, MADE) as here:
            await here.hired(HELD)

            async def rows() -> dict[str, Row]:
                return {row.queue: row for row in await here.ladder.desk.do(lambda c: book.read(c, "held"))}

            async def probed() -> bool:
                return all(row.probed for row in (await rows()).values())

            await here.until(probed)
            await Holding.holds()
            entry = (await rows())["band"].entry
            before_s = here.ladder.waiting.waited_s(entry)
            await here.until(lambda: here.ladder.waiting.waited_s(entry) > before_s + 0.7)
            playing = await here.why("held")
            Holding.goes_on.set()
            await here.until(lambda: [each for each in told if each["queue"] == "band"])
            await here.crew.go_home()
            return playing

    assert asyncio.run(asyncio.wait_for(work(), 60)) == ["busy", "busy"]
    (band,) = [each for each in told if each["queue"] == "band"]
    assert (band["event"], band["bot"]) == ("bot_starves", "held")
    assert "2 of the 3" not in band["why"] and "1 of the 3 bots that a match needs" in band["why"]


def test_who_finds_nobody_in_a_queue_with_enough_bots_is_told_to_wait() -> None:
    left = {1: Reason(Why.NOBODY, "none is free"), 2: Reason(Why.FULL, "the server is full")}

    assert alone(left, 2, {7: 1, 8: 2}) == left
    few = alone(left, 3, {7: 1, 8: 2})
    assert (few[1].why, few[2]) == (Why.NOBODY, left[2])
    assert few[1].text.startswith("the queue has 2 of the 3 bots") and "ladder register" in few[1].remedy


def test_who_finds_nobody_in_a_queue_whose_bots_are_all_of_one_owner_is_told_so_whoever_is_there() -> None:
    left = {1: Reason(Why.NOBODY, "none is free")}

    (told,) = alone(left, 2, {7: 1, 8: 1}).values()

    assert told.why is Why.SAME_OWNER
    assert told.text.startswith("the queue's 2 bots are of 1 owner, and a match needs 2")
    assert "--owner NAME" in told.remedy and "same_owner = true" in told.remedy
    assert alone(left, 2, {7: 1, 8: 1}, same_owner=True) == left


@pytest.mark.parametrize("free", [1, 2])
def test_who_finds_nobody_who_is_free_is_told_what_to_do(free: int) -> None:
    there = [Candidate(number, number, number, Online(), 0.0) for number in range(free)]

    told = paired(there, Terms(3), most=9, seed=b"").left[0]

    assert told.why is Why.NOBODY
    assert "rivalry ladder list" in told.remedy
