"""``rivalry tournament run``, ``resume`` and ``status``, within the test."""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rivalry_tournament import log, results
from rivalry_tournament.log import Log
from tournament.hall import DreamHall, begun, played, settings

KUHN = ("--kind", "round-robin", "--game", "kuhn", "--seed", "x", "--concurrency", "2")


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tournament that has ended."""
    folder = begun(tmp_path_factory.mktemp("ended"), settings(name="the cup"))
    played(folder, DreamHall(void=[("1.3", 2)]))
    return folder


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """One that was stopped."""
    folder = begun(tmp_path / "a cup", settings())
    played(folder, DreamHall(most=3))
    return folder


def test_functions_are_played_in_processes_of_their_own(rivalry: Any, tmp_path: Path) -> None:
    said = rivalry(
        "tournament", "run", *KUHN, "--bot", "inproc:random", "--bot", "inproc:first", "--dir", tmp_path / "a"
    )

    assert said.status == 0
    assert said.out.startswith("place  bot ")
    assert said.out.endswith(f"report: {tmp_path / 'a' / 'report' / 'report.html'}\n")
    assert f"the tournament is kept in {tmp_path / 'a'}; if it is stopped, go on with: rivalry tournament" in said.err
    assert len(results.read(tmp_path / "a").played()) == 2


def test_a_check_of_the_folder_tells_of_records_that_are_missing_damaged_or_those_of_others(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parent)
    folder = tmp_path / "a"
    bots = ("--bot", "inproc:random", "--bot", "inproc:first", "--bot", "bad=inproc:nulls:Broken", "--on-crash", "void")
    rivalry("tournament", "run", *KUHN, *bots, "--dir", folder, "--no-report")
    held = rivalry("tournament", "check", folder)
    first, second, third, *_, last = sorted(results.read(folder).results.values(), key=lambda one: one.void)
    records = folder / "records"
    (records / f"{first.match}.jsonl").unlink()
    whole = (records / f"{second.match}.jsonl").read_bytes()
    (records / f"{second.match}.jsonl").write_bytes(whole.replace(b'"us":', b'"us":1'))
    shutil.copy(records / f"{last.match}.jsonl", records / f"{third.match}.jsonl")

    said = rivalry("tournament", "check", folder)

    assert held.status == 0 and "yes   every result has its record, which tells the same" in held.out
    assert said.status == 1
    assert f"place {first.place}: there is no record {records / first.match}.jsonl" in said.out
    assert f"{records / second.match}.jsonl: line 2: the chain does not hold" in said.out
    assert f"{records / third.match}.jsonl has the match id {last.match}; the log has {third.match}" in said.out


def test_packages_that_its_end_needs_are_missed_before_the_first_match(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("numpy", "matplotlib", "rivalry_evaluation.evaluation"):
        monkeypatch.setitem(sys.modules, name, None)
    folder = tmp_path / "a"
    said = rivalry("tournament", "run", *KUHN, "--bot", "inproc:random", "--bot", "inproc:first", "--dir", folder)

    first, *_, last = said.err.splitlines()
    assert said.status == 0 and said.out.startswith("bot ")
    assert first.startswith("numpy and matplotlib are not installed: this will end without ratings and report. ")
    assert "pip install -e '.[tournament]'" in first and first.endswith(f"rivalry tournament report {folder}")
    assert "pip install -e '.[tournament]'" in last and last.endswith(f"rivalry tournament report {folder}")


def test_the_folder_is_named_after_the_file_and_the_seed(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(
        'kind = "round-robin"\ngame = "kuhn"\nseed = "x"\nconcurrency = 1\n'
        '[entrants]\na = "inproc:random"\nb = "inproc:first"\n'
    )

    first = rivalry("tournament", "run", "cup.toml", "--no-report")
    second = rivalry("tournament", "run", "cup.toml", "--no-report")

    assert first.status == 0 and results.read(Path("cup-78")).ended
    assert second.status == 2 and "--dir cup-78: a tournament is there already; go on with" in second.err


def test_a_failing_program_loses_its_own_matches_and_is_told(rivalry: Any, tmp_path: Path) -> None:
    told = rivalry(
        *(
            "tournament",
            "run",
            *KUHN,
            "--bot",
            "inproc:random",
            "--bot",
            "bad=bad-exit",
            "--no-report",
            "--dir",
            tmp_path / "a",
            "--json",
        )
    ).json()

    assert told["ended"] and told["faults"] == {"inproc:random": {}, "bad": {"crash": 2}}
    assert [one["bot"] for one in told["standing"]] == ["inproc:random", "bad"]


def test_an_entrant_that_cannot_play_is_said_before_the_first_match(rivalry: Any, tmp_path: Path) -> None:
    bot = tmp_path / "bot.sh"
    bot.write_text("echo no weights; exit 1")
    said = rivalry(
        *("tournament", "run", *KUHN, "--bot", "inproc:random", "--bot", f"mine=cmd:sh {bot}", "--dir", tmp_path / "a")
    )

    assert said.status == 1
    assert "mine| no weights" in said.err
    assert "mine: the program exited with status 1 before it said hello; mend it, and go on with: rivalry" in said.err
    assert not results.read(tmp_path / "a").results


def test_a_second_process_is_refused_and_status_says_that_one_plays(rivalry: Any, stopped: Path) -> None:
    before = (stopped / log.FILE).read_bytes()
    with Log(stopped, results.settled(stopped)[1], at=1):
        said = rivalry("tournament", "resume", stopped)
        running = rivalry("tournament", "status", stopped, "--json").json()["running"]

    assert said.status == 2
    assert f"{stopped}: another process plays here; wait for it, or stop it" in said.err
    assert running and not rivalry("tournament", "status", stopped, "--json").json()["running"]
    assert (stopped / log.FILE).read_bytes() == before


def test_status_tells_how_far_it_is_and_how_to_go_on(rivalry: Any, stopped: Path) -> None:
    said = rivalry("tournament", "status", stopped)

    assert said.status == 0
    assert said.out.splitlines()[0].endswith(f"stopped; go on with: rivalry tournament resume '{stopped}'")
    assert "3 of 24 matches, " in said.out and " of 12 blocks whole, round 1" in said.out


def test_a_utility_is_a_percent_for_people_and_a_fraction_for_programs(rivalry: Any, ended: Path) -> None:
    said = rivalry("tournament", "status", ended).out
    first = rivalry("tournament", "status", ended, "--json").json()["standing"][0]

    assert 0.5 < first["utility"] < 1.0
    assert re.search(rf"^{first['bot']} +\d+ +{100 * first['utility']:.1f}\b", said, re.MULTILINE)
    assert "utility: percent of the others at the table ranked below" in said


def test_a_torn_line_is_said_when_a_tournament_goes_on(rivalry: Any, stopped: Path, monkeypatch: Any) -> None:
    with (stopped / log.FILE).open("ab") as file:
        file.write(b'{"at":1')
    monkeypatch.setattr("rivalry_tournament.playing._hall", lambda *_, **__: DreamHall())
    said = rivalry("tournament", "resume", stopped, "--no-report")

    assert said.status == 0
    assert "log.jsonl was torn: 7 bytes of it are cut off, and what has no line is played again" in said.err


def test_one_that_has_ended_is_told_again(rivalry: Any, ended: Path) -> None:
    told = rivalry("tournament", "resume", ended, "--no-report", "--json").json()
    said = rivalry("tournament", "status", ended)

    assert told["ended"] and told["played"] == 24 and told["void"] == 1 and told["counted"] == 11
    assert told["left_out"][0]["block"] == "1.3"
    assert said.out.startswith("the cup: round-robin of kuhn, ended\n")
    assert "block 1.3 is left out: match" in said.out


def test_one_that_has_ended_is_told_where_nothing_can_be_written(
    rivalry: Any, ended: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "ended"
    shutil.copytree(ended, folder)
    (folder / "report").touch()  # where a folder would be
    really = os.open

    def only_read(path: Any, flags: int, *more: Any, **others: Any) -> int:
        if flags & (os.O_RDWR | os.O_WRONLY) and str(path).startswith(str(folder)):
            raise OSError(errno.EROFS, "Read-only file system", str(path))
        return really(path, flags, *more, **others)

    monkeypatch.setattr("os.open", only_read)
    said = rivalry("tournament", "resume", folder, "--json")

    assert said.status == 0 and said.json()["played"] == 24 and said.json()["report"] is None
    assert f"{folder / 'report'}: File exists; there is no report, rivalry tournament report {folder} --out" in said.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("resume", "nowhere"), "nowhere: no schedule.json is there; expected a folder that `rivalry tournament run`"),
        (("status", "full"), "full: no schedule.json is there"),
        (("run", *KUHN, "--bot", "random", "--bot", "first", "--dir", "full"), "--dir full: it is there and not empty"),
    ],
)
def test_a_folder_that_will_not_do_is_said(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()

    done = rivalry("tournament", *arguments)

    assert done.status == 2 and said in done.err


def test_a_folder_with_a_tournament_is_not_begun_anew(rivalry: Any, ended: Path) -> None:
    done = rivalry("tournament", "run", *KUHN, "--bot", "random", "--bot", "first", "--dir", ended)

    assert done.status == 2
    assert f"--dir {ended}: a tournament is there already; go on with: rivalry tournament resume {ended}" in done.err


@pytest.mark.parametrize("links", [True, False])
def test_of_two_that_begin_in_one_folder_the_second_leaves_the_schedule_of_the_first(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    folder = tmp_path / "a"

    def first_is_there(given: Any) -> Any:
        begun(folder, settings())
        return replace(given, concurrency=1)

    def no_links(*_: object) -> None:
        raise PermissionError(1, "no links here")

    monkeypatch.setattr("rivalry_tournament.run_command._measured", first_is_there)
    if not links:
        monkeypatch.setattr("os.link", no_links)
    said = rivalry("tournament", "run", *KUHN, "--bot", "inproc:random", "--bot", "inproc:first", "--dir", folder)

    assert said.status == 2
    assert f"--dir {folder}: a tournament is there already; go on with: rivalry tournament resume" in said.err
    assert [path.name for path in folder.iterdir()] == ["schedule.json"]
    assert results.read(folder).schedule.settings == settings()


@pytest.mark.parametrize("links", [True, False])
def test_a_folder_with_a_schedule_that_was_not_written_whole_is_begun_anew(
    rivalry: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "no links here")

    (tmp_path / "schedule.json.77.part").write_text("{")
    if not links:
        monkeypatch.setattr("os.link", no_links)
    said = rivalry(
        *("tournament", "run", *KUHN, "--bot", "inproc:random", "--bot", "inproc:first", "--dir", tmp_path),
        "--no-report",
    )

    assert said.status == 0 and results.read(tmp_path).ended


def test_a_schedule_that_was_changed_is_refused(rivalry: Any, ended: Path, tmp_path: Path) -> None:
    folder = tmp_path / "changed"
    shutil.copytree(ended, folder)
    schedule = folder / "schedule.json"
    schedule.write_text(schedule.read_text().replace("the cup", "the cop"))

    done = rivalry("tournament", "resume", folder)

    assert done.status == 2 and "put the schedule back as it was" in done.err
