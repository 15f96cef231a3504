"""The runner: whatever stops it, the outcome is that of the run that nothing stopped."""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rivalry_engine import record
from rivalry_tournament import lines, log, making, results
from rivalry_tournament import schedule as schedules
from rivalry_tournament.checking import check
from rivalry_tournament.line_of import owed
from rivalry_tournament.lines import Line, Opened, Owed, Result
from rivalry_tournament.log import LogError
from rivalry_tournament.made import Made, Making
from rivalry_tournament.results import FolderError, Order, Tournament
from rivalry_tournament.schedule import Schedule
from rivalry_tournament.settings import Kind
from tournament.hall import NAMES, DreamHall, begun, dreamt, logged, played, settings


def truth(tournament: Tournament) -> list[bytes]:
    """The results in the schedule's order, as they are written."""
    return [lines.written(tournament.results[key]) for key in sorted(tournament.results)]


def test_every_match_is_played_once_and_kept_with_its_record(tmp_path: Path) -> None:
    hall = DreamHall()
    tournament = played(begun(tmp_path, settings()), hall)

    assert len(hall.begun) == tournament.matches == 6 * 2 * 2
    assert len(tournament.counted()) == 12 and tournament.ended
    assert results.read(tmp_path).results == tournament.results
    for result in tournament.results.values():
        assert (tmp_path / "records" / f"{result.match}.jsonl").read_text() == f"the record of {result.match}\n"
    assert hall.opened and hall.closed


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="which file a descriptor is, is not told here")
def test_records_are_in_their_folder_on_the_disk_before_their_lines_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    really = os.fsync

    def noted(descriptor: int) -> None:
        steps.append(Path(f"/proc/self/fd/{descriptor}").readlink().name.removesuffix(".part")[-12:])
        really(descriptor)

    folder = begun(tmp_path, settings(blocks=1))
    monkeypatch.setattr("os.fsync", noted)
    tournament = played(folder, DreamHall(), concurrency=1)

    for result in tournament.results.values():
        at = steps.index(f"{result.match}.jsonl"[-12:])
        assert "log.jsonl" in steps[at + 1 :] and "records" in steps[at + 1 : steps.index("log.jsonl", at)]


def test_no_more_matches_run_at_once_than_were_asked_for(tmp_path: Path) -> None:
    hall = DreamHall()
    played(begun(tmp_path, settings()), hall, concurrency=4)

    assert hall.at_once == 4


@pytest.mark.parametrize("kind", [Kind.ROUND_ROBIN, Kind.SWISS, Kind.KNOCKOUT])
def test_a_tournament_that_is_stopped_again_and_again_comes_out_the_same(tmp_path: Path, kind: Kind) -> None:
    whole = played(begun(tmp_path / "whole", settings(kind)), DreamHall())
    folder = begun(tmp_path / "stopped", settings(kind))

    stops = 0
    while not played(folder, DreamHall(most=3)).ended:
        stops += 1

    assert stops >= 2
    stopped = results.read(folder)
    assert truth(stopped) == truth(whole)
    assert stopped.rounds == whole.rounds
    assert (len(whole.rounds) > 1) == (kind is not Kind.ROUND_ROBIN)


@pytest.mark.parametrize("kind", [Kind.ROUND_ROBIN, Kind.SWISS])
def test_a_log_cut_at_any_byte_is_gone_on_with(tmp_path: Path, kind: Kind) -> None:
    """What ``kill -9`` or a power cut leaves is a beginning of the log."""
    whole = played(begun(tmp_path / "whole", settings(kind, blocks=1)), DreamHall())
    text = (tmp_path / "whole" / log.FILE).read_bytes()

    for size in range(0, len(text) + 1, 487):
        folder = tmp_path / str(size)
        shutil.copytree(tmp_path / "whole", folder)
        (folder / log.FILE).write_bytes(text[:size])
        assert truth(played(folder, DreamHall())) == truth(whole)
        shutil.rmtree(folder)


def test_what_had_ended_is_not_played_again(tmp_path: Path) -> None:
    folder = begun(tmp_path, settings())
    second = DreamHall()
    stopped = played(folder, DreamHall(most=5))
    kept = {result.match for result in stopped.results.values()}
    played(folder, second)

    assert kept and not kept & {order.match_id for order in second.begun}
    assert len(kept) + len(second.begun) == stopped.matches


class Versioned(DreamHall):
    """Its records have heads; ada's bot has a version."""

    def __init__(self, version: str, *, most: int | None = None) -> None:
        super().__init__(most=most)
        self.version = version

    async def play(self, order: Order) -> Making:
        made = (await super().play(order))()
        seats = [{"name": f"bot of {name}", "version": self.version if name == "ada" else ""} for name in order.seats]
        return lambda: Made(made.line, json.dumps({"seats": seats}) + "\n")


def test_a_bot_that_has_another_version_after_a_stop_is_told_once(tmp_path: Path) -> None:
    folder = begun(tmp_path, settings())
    outs = [io.StringIO() for _ in range(3)]
    for hall, out in zip((Versioned("1", most=8), Versioned("1", most=8), Versioned("2")), outs, strict=True):
        played(folder, hall, out=out)

    told = "entrant ada is now bot of ada 2, and was bot of ada 1 before: matches of both count as its own\n"
    assert [out.getvalue().count("entrant") for out in outs] == [0, 0, 1]
    assert told in outs[2].getvalue()


def test_a_tournament_that_has_ended_is_left_as_it_is(tmp_path: Path) -> None:
    played(begun(tmp_path, settings()), DreamHall())
    before = (tmp_path / log.FILE).read_bytes()
    hall = DreamHall()
    played(tmp_path, hall)

    assert not hall.opened
    assert (tmp_path / log.FILE).read_bytes() == before


def test_a_match_that_the_arena_spoils_is_owed_and_run_again_with_the_same_seed_and_another_id(tmp_path: Path) -> None:
    hall = DreamHall(spoiled={("1.2", 1): 1})
    tournament = played(begun(tmp_path, settings()), hall)

    runs = [order for order in hall.begun if (order.block, order.place) == ("1.2", 1)]
    assert [order.attempt for order in runs] == [1, 2]
    assert runs[0].seed == runs[1].seed and runs[0].match_id != runs[1].match_id
    assert runs[1].earlier == (runs[0].match_id,)
    assert tournament.results["1.2", 1].match == runs[1].match_id
    assert not tournament.left_out()
    assert [line for line in log_of(tmp_path) if isinstance(line, Owed)] == [
        Owed("1.2", 1, runs[0].match_id, 1, "it was spoiled", 2)
    ]
    assert (tmp_path / "records" / f"{runs[0].match_id}.jsonl").exists(), "nothing is deleted"


def test_a_spoiled_match_is_run_again_after_a_stop_as_well(tmp_path: Path) -> None:
    folder = begun(tmp_path, settings(blocks=1))
    whole = played(begun(tmp_path / "whole", settings(blocks=1)), DreamHall(spoiled={("1.1", 1): 1}))
    stopped = played(folder, DreamHall(spoiled={("1.1", 1): 1}, most=1), concurrency=1)
    assert stopped.owed and not stopped.results
    hall = DreamHall()
    tournament = played(folder, hall)

    assert [order.attempt for order in hall.begun if (order.block, order.place) == ("1.1", 1)] == [2]
    assert truth(tournament) == truth(whole)


def test_a_block_whose_match_is_spoiled_too_often_is_left_out_whole(tmp_path: Path) -> None:
    hall = DreamHall(spoiled={("1.2", 1): 9})
    tournament = played(begun(tmp_path, settings(attempts=3)), hall)

    assert sum((order.block, order.place) == ("1.2", 1) for order in hall.begun) == 3
    assert tournament.ended
    ((block, why),) = tournament.left_out()
    assert block.id == "1.2" and why.endswith("is owed after 3 runs: it was spoiled")
    assert "1.2" not in {block.id for block in tournament.counted()}
    assert len(tournament.played()) == 11 * 2


def test_a_block_with_a_void_match_is_left_out_whole_and_faults_are_counted(tmp_path: Path) -> None:
    tournament = played(begun(tmp_path, settings()), DreamHall(void=[("1.3", 2)]))

    ((block, why),) = tournament.left_out()
    assert block.id == "1.3" and "is void: a seat crashed" in why
    assert len(tournament.played()) == 11 * 2
    assert sum(ends.get("void", 0) for ends in tournament.faults().values()) == 2


def test_only_whole_blocks_are_evaluated(tmp_path: Path) -> None:
    tournament = Tournament(tmp_path, *_with([0]))
    assert tournament.played() == []

    tournament.add(dreamt(tournament.orders()[0]))
    assert [one.match for one in tournament.played()] == [
        match.match_id for match in tournament.schedule.blocks[0].matches
    ]
    assert {one.block for one in tournament.played()} == {tournament.schedule.blocks[0].cluster}


def test_what_each_seat_took_is_told_in_the_order_of_the_schedule(tmp_path: Path) -> None:
    tournament = Tournament(tmp_path, *_with([1, 0]))

    assert [(one.seat, one.bot_us, one.arena_us, one.match_us) for one in tournament.timings()] == [
        (0, 1, 3, 5),
        (1, 1, 3, 5),
    ] * 2
    assert [one.match for one in tournament.timings()][::2] == [
        match.match_id for match in tournament.schedule.blocks[0].matches
    ]


def test_the_matches_of_a_slow_bot_do_not_keep_others_waiting(tmp_path: Path) -> None:
    hall = DreamHall(slow=["dan"])
    tournament = played(begun(tmp_path, settings(blocks=4)), hall, concurrency=4, results=3 * 4 * 2)

    without = [order for order in hall.ended if "dan" not in order.seats]
    assert len(without) == 3 * 4 * 2, "all that he has no part in is played while his matches hang"
    assert len(tournament.results) == len(without)


def test_lines_that_do_not_go_with_the_schedule_are_refused(tmp_path: Path) -> None:
    schedule, (line, second) = _with([0, 1])
    spoiled = [owed(_order(schedule, place=1, attempt=attempt), "it was") for attempt in range(1, 4)]
    for wrong, said in (
        ([line], "has a result already"),
        ([spoiled[0]], "has a result already"),
        ([replace(second, block="9.9")], "is not in the schedule"),
        ([replace(second, place=3)], "is not in the schedule"),
        ([replace(second, bots=("ada", "ada"))], "was played by others"),
        ([replace(second, match="0" * 32)], f"is run 1, {'0' * 32}; expected 1, {second.match}"),
        ([replace(second, attempt=2)], f"is run 2, {second.match}; expected 1, "),
        ([lines.Head("d" * 64)], "a second head"),
    ):
        with pytest.raises(LogError, match=rf"log\.jsonl: line 3: .*{said}"):
            Tournament(tmp_path, schedule, [line, *wrong])
    with pytest.raises(LogError, match=r"line 5: match 1 of block 1\.1 was run after its last attempt"):
        Tournament(tmp_path, schedule, [*spoiled, replace(line, attempt=4)])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda values: [values[0], values[-1]], "line 2: the tournament has ended there, and not all of its matches"),
        (lambda values: [*values[:-2], values[-1]], "the tournament has ended there, and not all of its matches"),
        (lambda values: [*values[:9], values[-1]], "the tournament has ended there, and not all of its matches"),
        (lambda values: [*values, values[-1]], "line 20: it stands after the end"),
        (lambda values: [*values[:10], *values[9:]], "line 11: round 2 stands there, after 2 rounds"),
        (lambda values: [values[0], *values[9:]], "line 2: round 2 begins there, and not all matches before it are"),
        (lambda values: [*values[:9], *values[10:]], "line 10: match . of block 2.. is not in the schedule"),
        (
            lambda values: json.loads(json.dumps(values).replace('"seats": ["ada"', '"seats": ["eve"')),
            "line 10: match . of block 2.. is none of entrants at 2 seats",
        ),
        (
            lambda values: json.loads(json.dumps(values).replace('"id": "2.1"', '"id": "1.1"')),
            "line 10: there are two blocks 1.1",
        ),
    ],
)
def test_a_log_that_tells_of_other_rounds_than_can_be_is_refused(
    swiss: Path, tmp_path: Path, change: Callable[[list[Any]], list[Any]], said: str
) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(swiss, folder)
    values = [json.loads(line) for line in (swiss / log.FILE).read_bytes().splitlines()]
    logged(folder, values)
    assert results.read(folder).ended and [value["kind"] for value in values].index("round") == 9

    logged(folder, change(values))

    with pytest.raises(LogError, match=said):
        results.read(folder)


@pytest.fixture(scope="module")
def swiss(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament of two rounds that has ended."""
    folder = begun(tmp_path_factory.mktemp("swiss"), settings(Kind.SWISS))
    played(folder, DreamHall())
    return folder


def _order(schedule: Schedule, *, place: int, attempt: int) -> Order:
    block = schedule.blocks[0]
    match = schedules.match_id(schedule.settings.ids(), block.id, place, attempt)
    return Order(block.id, place, block.seed, block.matches[place - 1].seats, attempt, match)


def test_a_folder_without_a_tournament_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FolderError, match=r"no schedule\.json is there; expected a folder that `rivalry"):
        results.read(tmp_path)
    with pytest.raises(FolderError):
        results.read(tmp_path / "nothing")


def test_a_round_that_depends_on_results_is_in_the_log_before_its_first_match(tmp_path: Path) -> None:
    played(begun(tmp_path, settings(Kind.SWISS)), DreamHall())
    known = log_of(tmp_path)

    (at,) = [at for at, line in enumerate(known) if isinstance(line, Opened)]
    assert {line.block.split(".")[0] for line in known[:at] if isinstance(line, Result)} == {"1"}
    assert {line.block.split(".")[0] for line in known[at:] if isinstance(line, Result)} == {"2"}
    assert {bot for line in known[at:] if isinstance(line, Result) for bot in line.bots} == set(NAMES)


def test_a_folder_of_before_is_gone_on_with_by_the_ids_it_has(tmp_path: Path) -> None:
    of = settings(Kind.SWISS, ids_of="seed")
    value = making.schedule(of).json()
    del value["settings"]["ids_of"], value["settings"]["load"]
    (tmp_path / schedules.FILE).write_bytes(record.canonical(value) + b"\n")
    played(tmp_path, DreamHall(most=3))
    whole = played(tmp_path, DreamHall(spoiled={("2.1", 1): 1}))

    assert whole.ended and len(whole.results) == 16
    assert whole.results["1.1", 1].match == schedules.match_id(of.seed, "1.1", 1)
    assert whole.results["2.1", 1].match == schedules.match_id(of.seed, "2.1", 1, 2)
    assert all(one.held for one in check(whole.schedule))


def log_of(folder: Path) -> Sequence[Line]:
    return log.read(folder / log.FILE, results.settled(folder)[1])


def _with(places: Sequence[int]) -> tuple[Schedule, list[Result]]:
    """A schedule, and the results of its first matches with these numbers, in that order."""
    schedule = making.schedule(settings())
    orders = Tournament(Path(), schedule).orders()
    return schedule, [dreamt(orders[place]) for place in places]
