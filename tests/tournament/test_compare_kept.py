"""A comparison that is kept: stopped at any moment it goes on, and finds what it would have found."""

from __future__ import annotations

import asyncio
import re
import signal
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rivalry_tournament import compare, compare_command, compare_kept, log
from rivalry_tournament.compare import Comparison
from rivalry_tournament.compare_kept import KeptHall, OtherError
from rivalry_tournament.compare_run import Run
from rivalry_tournament.lines import Owed
from rivalry_tournament.log import Log, LogError
from rivalry_tournament.made import Making
from rivalry_tournament.results import RECORDS, Order
from rivalry_tournament.settings import Entrant, Settings
from tournament.hall import DreamHall, settings

ASKED = ("compare", "inproc:random", "inproc:first", "--game", "kuhn", "--max-blocks", 12, "--json")
TEST: dict[str, int | str] = {"alpha": "0.05", "min_blocks": 10, "sprt": ""}
SPOILED = {("1.2", 1): 1, ("1.4", 2): 3}
RUNS = 21
"""Nine blocks of two matches, and three runs more where they were spoiled."""


def pair() -> Settings:
    return settings(entrants=(Entrant("a", "inproc:random"), Entrant("b", "inproc:random")))


def kept(folder: Path, hall: DreamHall, *, most: int = 9) -> Comparison:
    """What is found in ``folder``, where matches are dreamt in ``hall``."""
    of, digest = compare_kept.settled(folder, pair(), TEST, seeded=True)
    comparison = Comparison(0.05)
    with Log(folder, digest, at=1) as opened:

        async def run() -> None:
            await Run(of, comparison, KeptHall(hall, opened, folder), most=most, on_block=lambda: None).run()

        asyncio.run(run())
    return comparison


def found(comparison: Comparison) -> tuple[object, ...]:
    return comparison.verdict, comparison.blocks, comparison.known, comparison.matches, comparison.left_out


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Comparison]:
    """One that was not interrupted; a match was run twice, and one was spoiled too often."""
    folder = tmp_path_factory.mktemp("whole")
    return folder, kept(folder, DreamHall(spoiled=SPOILED))


def test_what_was_played_is_kept_with_its_records_and_not_played_again(whole: tuple[Path, Comparison]) -> None:
    folder, comparison = whole
    hall = DreamHall()
    again = kept(folder, hall)

    assert found(again) == found(comparison)
    assert comparison.blocks == 8 and len(comparison.left_out) == 1, "owed runs are kept as well"
    assert not hall.begun and not hall.opened, "no bot is even started"
    assert len(list((folder / RECORDS).iterdir())) == RUNS


@pytest.mark.parametrize("part", [0.0, 0.1, 0.35, 0.6, 0.85, 0.999])
def test_one_that_was_killed_goes_on_and_finds_the_same(
    whole: tuple[Path, Comparison], tmp_path: Path, part: float
) -> None:
    folder, comparison = whole
    text = (folder / log.FILE).read_bytes()
    (tmp_path / compare_kept.FILE).write_bytes((folder / compare_kept.FILE).read_bytes())
    (tmp_path / log.FILE).write_bytes(text[: int(part * len(text))])
    left = log.read(tmp_path / log.FILE, compare_kept.settled(folder, pair(), TEST, seeded=True)[1])
    spoiled = Counter((line.block, line.place) for line in left if isinstance(line, Owed))
    hall = DreamHall(spoiled=Counter(SPOILED) - spoiled)

    assert found(kept(tmp_path, hall)) == found(comparison)
    assert len(hall.begun) == RUNS - len(left)


def test_match_ids_follow_from_seed_and_settings_as_in_a_tournament() -> None:
    def ids(**more: Any) -> set[str]:
        of, hall = replace(pair(), **more), DreamHall(spoiled={("1.1", 1): 1})
        asyncio.run(Run(of, Comparison(0.05), hall, most=3, on_block=lambda: None).run())
        blocks = {block.id: block for group in islice(compare.groups(of), 3) for block in group}
        for order in hall.begun:
            if order.attempt == 1:
                assert order.match_id == blocks[order.block].matches[order.place - 1].match_id
        found = {order.match_id for order in hall.begun}
        assert len(found) == len(hall.begun) == 7
        return found

    assert ids(concurrency=1) == ids()
    assert not ids() & ids(entrants=(Entrant("a", "inproc:random"), Entrant("b", "inproc:first")))


def test_more_blocks_may_be_played_later(whole: tuple[Path, Comparison], tmp_path: Path) -> None:
    kept(tmp_path, DreamHall(spoiled=SPOILED), most=4)
    hall = DreamHall()

    assert found(kept(tmp_path, hall)) == found(whole[1])
    assert len(hall.begun) == 10


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"alpha": "0.1"}, "kept there with alpha 0.05, and this one has 0.1; give the same to go on with it"),
        ({"time": "2s"}, "kept there with time 30s, and this one has 2s"),
        ({"seed": b"b"}, 'with seed "the seed of this tournament", and this one has "b"'),
        (
            {"entrants": (Entrant("a", "random"), Entrant("b", "inproc:random"))},
            'with entrants ["inproc:random", "inproc:random"], and this one has ["random", "inproc:random"]',
        ),
    ],
)
def test_other_settings_are_refused(whole: tuple[Path, Comparison], change: dict[str, Any], said: str) -> None:
    test = {key: change.get(key, value) for key, value in TEST.items()}
    of = pair() if "alpha" in change else settings(**{"entrants": pair().entrants, **change})

    with pytest.raises(OtherError) as error:
        compare_kept.settled(whole[0], of, test, seeded=True)
    assert said in str(error.value)


def test_a_log_with_a_line_twice_is_refused(whole: tuple[Path, Comparison], tmp_path: Path) -> None:
    digest = compare_kept.settled(tmp_path, pair(), TEST, seeded=True)[1]
    with Log(tmp_path, digest, at=1) as opened:
        opened.append(*log.read(whole[0] / log.FILE, digest)[:2] * 2)

    with pytest.raises(LogError, match=r"log\.jsonl: line 4 is none of a comparison's"):
        kept(tmp_path, DreamHall())


class Interrupted(DreamHall):
    """Ctrl-C comes when three blocks have been played."""

    async def play(self, order: Order) -> Making:
        if order.block == "1.4":
            signal.raise_signal(signal.SIGINT)
        return await super().play(order)


def test_the_same_command_goes_on_after_ctrl_c_with_the_seed_that_was_drawn(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a folder"
    asked = (*ASKED, "--out", folder)
    monkeypatch.setattr(compare_command, "_hall", lambda *_: Interrupted())
    stopped = rivalry(*asked, "--concurrency", 1)
    monkeypatch.setattr(compare_command, "_hall", lambda *_: DreamHall())
    told = rivalry(*asked, "--concurrency", 3)
    other = rivalry(*asked, "--alpha", "0.1")
    again = rivalry(*ASKED, "--seed", told.json()["seed"])

    assert stopped.status == 130
    assert stopped.err.endswith(f"what was played is kept: go on by the same command, with --out '{folder}'\n")
    assert re.fullmatch(rf"[67] matches kept in {folder}; it goes on from there\n", told.err)
    assert told.json() == again.json() and told.json()["blocks"] == 12
    assert other.status == 2 and "a comparison is kept there with alpha 0.05, and this one has 0.1" in other.err


def test_it_may_be_shorter_or_longer_than_the_usual_least_for_a_verdict(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_command, "_hall", lambda *_: DreamHall())
    asked = ("compare", "inproc:random", "inproc:first", "--game", "kuhn", "--json", "--out")
    found = [
        rivalry(*asked, tmp_path / name, "--seed", "s", "--max-blocks", most).json()
        for name, most in (("a", 5), ("a", 12), ("b", 12), ("b", 5))
    ]

    assert [each["blocks"] for each in found] == [5, 12, 12, 5]


def test_a_folder_that_will_not_do_is_refused(rivalry: Any, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / compare_kept.FILE).write_text("{}")

    full, broken = (rivalry(*ASKED, "--out", tmp_path / name) for name in ("full", "broken"))

    assert full.status == broken.status == 2
    assert f"--out {tmp_path / 'full'}: it is there, is not empty and holds no comparison" in full.err
    assert "compare.json: expected what `rivalry compare --out` wrote, of format 1" in broken.err
