"""How many matches at once: what a level must bear, and that what was found is in the schedule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rivalry_tournament import calibration, results
from rivalry_tournament.calibration import Level

ONE = Level(1, decisions_per_s=500.0, bot_us=2_000.0, arena_us=10.0, timeouts=0)
TWO = Level(2, decisions_per_s=900.0, bot_us=2_200.0, arena_us=20.0, timeouts=0)


def test_a_level_is_worth_it_that_brings_more_and_takes_nothing_from_bots() -> None:
    assert ONE.bears(None, None)
    assert TWO.bears(ONE, ONE)


@pytest.mark.parametrize(
    ("level", "why"),
    [
        (replace(TWO, decisions_per_s=540.0), "it brings hardly more"),
        (replace(TWO, timeouts=1), "a bot ran out of time"),
        (replace(TWO, bot_us=3_100.0), "bots think much longer"),
        (replace(TWO, arena_us=1_500.0), "the arena holds them up"),
        (replace(TWO, decisions_per_s=0.0), "nothing was decided"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_level_is_not_borne(level: Level, why: str) -> None:
    assert not level.bears(ONE, ONE)


def test_quick_bots_may_take_a_millisecond_longer() -> None:
    assert replace(TWO, bot_us=1_090.0).bears(ONE, replace(ONE, bot_us=100.0))
    assert not replace(TWO, bot_us=1_110.0).bears(ONE, replace(ONE, bot_us=100.0))


def test_null_matches_find_how_many_and_the_schedule_holds_it(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "WINDOW_S", 0.1)
    monkeypatch.setattr(calibration, "LEVELS_A_CORE", 1)
    monkeypatch.setattr(calibration, "cores", lambda: 1)
    said = rivalry(
        *("tournament", "run", "--kind", "round-robin", "--game", "kuhn", "--seed", "x", "--no-report"),
        *("--bot", "inproc:first", "--bot", "null=random", "--dir", tmp_path / "cup"),
    )

    assert said.status == 0
    assert "null match of null, 1 at once: " in said.err and "concurrency: 1 match at once" in said.err
    assert results.settled(tmp_path / "cup")[0].settings.concurrency == 1


def test_functions_get_a_processor_each(rivalry: Any, tmp_path: Path) -> None:
    said = rivalry(
        *("tournament", "run", "--kind", "round-robin", "--game", "kuhn", "--seed", "x", "--no-report"),
        *("--bot", "inproc:first", "--bot", "inproc:random", "--dir", tmp_path / "cup"),
    )

    assert said.status == 0 and "null match" not in said.err
    assert results.settled(tmp_path / "cup")[0].settings.concurrency == calibration.cores()
