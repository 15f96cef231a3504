"""``rivalry records export``: both forms of every table, from records and tournaments, good and bad."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rivalry_engine import record
from rivalry_engine.error import RivalryError
from rivalry_engine.record import canonical
from rivalry_report.export import rows, writing
from rivalry_report.export.reading import read
from rivalry_report.export.schema import TABLES, markdown
from rivalry_server.program import run
from rivalry_tournament.compare import Comparison

ROOT = Path(__file__).resolve().parents[2]
BOTS = ("--bot", "first=inproc:first", "--bot", "x=inproc:random", "--bot", "ボ=inproc:random")


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder in which a tournament was played."""
    folder = tmp_path_factory.mktemp("cups") / "cup"
    played = ("tournament", "run", "--kind", "round-robin", "--game", "kuhn", "--seed", "cup", "--concurrency", "1")
    assert run((*played, *BOTS, "--blocks", "4", "--dir", str(folder), "--json", "--no-report")) == 0
    return folder


@pytest.fixture
def matches(tmp_path):
    """A folder of records that a match command wrote, each of another match."""
    folder = tmp_path / "records"
    played = ("match", "--game", "kuhn", "--bot", "inproc:random", "--bot", "inproc:first", "--seed", "s", "--json")
    assert run((*played, "--count", "3", "--record", f"{folder}/")) == 0
    return folder


def exported(tmp_path, *paths, what, kind="jsonl", status=0):
    target = tmp_path / f"{what}.{kind}"
    assert run(("records", "export", *map(str, paths), "--what", what, "--to", str(target), "--force")) == status
    if kind == "parquet":
        return pq.read_table(target).to_pylist()
    return [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("what", TABLES)
def test_both_forms_hold_the_same_rows_with_the_columns_of_the_schema(cup, matches, tmp_path, what):
    lines = exported(tmp_path, cup, matches, what=what)

    assert lines == exported(tmp_path, cup, matches, what=what, kind="parquet")
    assert {tuple(line) for line in lines} == {tuple(column.name for column in TABLES[what])}
    for column in TABLES[what]:
        assert column.null or all(line[column.name] is not None for line in lines), column.name
    field = pq.read_schema(tmp_path / f"{what}.parquet").field(1)
    assert field.metadata[b"description"].decode() == TABLES[what][1].meaning


def test_results_are_those_of_the_log(cup, tmp_path):
    logged = [json.loads(line) for line in (cup / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    logged = {line["match"]: line for line in logged if line["kind"] == "result"}

    found = exported(tmp_path, cup, what="results")

    assert [line["match"] for line in found] and {line["match"] for line in found} == set(logged)
    for line in found:
        for key in ("bots", "scores", "ranks", "ends", "block", "place", "digest"):
            assert line[key] == logged[line["match"]][key]
        assert line["counted"] is True and line["tournament"] == "cup" and line["options"] == '{"seats":2}'


def test_seats_add_up_to_results_and_decisions(cup, tmp_path):
    results = {line["match"]: line for line in exported(tmp_path, cup, what="results")}
    decisions = exported(tmp_path, cup, what="decisions")

    for line in exported(tmp_path, cup, what="seats"):
        own = [each for each in decisions if (each["match"], each["seat"]) == (line["match"], line["seat"])]
        result = results[line["match"]]
        assert line["bot"] == result["bots"][line["seat"]] == own[0]["bot"]
        assert (line["decisions"], line["us"]) == (len(own), sum(each["us"] for each in own))
        assert (line["score"], line["rank"]) == (result["scores"][line["seat"]], result["ranks"][line["seat"]])
        assert line["below"] == (2 if line["rank"] == 1 else 0) and line["others"] == 1
        assert line["name"] in ("first", "random") and line["stand_ins"] == 0
    assert len(decisions) == sum(line["decisions"] for line in results.values())


def test_outside_of_a_tournament_a_bot_has_its_own_name(matches, tmp_path):
    found = exported(tmp_path, matches, what="results")

    assert [line["bots"] for line in found] == [["random", "first"]] * 3
    assert {line["block"] for line in found} == {None}
    assert len({line["match"] for line in found}) == 3


def compared(folder, *more):
    """The folder of a comparison, of one bot by two SPECs."""
    asked = (
        "compare",
        "inproc:random?",
        "inproc:random",
        "--game",
        "kuhn",
        "--seed",
        "s",
        "--concurrency",
        "1",
        *more,
        "--out",
        str(folder),
    )
    assert run((*asked, "--json")) == 0
    return folder


@pytest.mark.parametrize("field", [(), ("--against", "inproc:first")])
def test_a_comparison_tells_its_two_bots_apart_and_has_blocks_as_a_tournament(tmp_path, field, capsys):
    folder = compared(tmp_path / "kept", *field, "--max-blocks", "6")
    logged = [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    logged = {line["match"]: line for line in logged if line["kind"] == "result"}
    capsys.readouterr()

    found = exported(tmp_path, folder, what="results")
    seats = exported(tmp_path, folder, what="seats")

    assert {line["match"] for line in found} == set(logged)
    for line in found:
        for key in ("bots", "scores", "ranks", "ends", "block", "place", "digest"):
            assert line[key] == logged[line["match"]][key]
        assert line["counted"] is True and line["tournament"] == "kept"
    assert [(line["block"], line["place"]) for line in found[:3]] == [("1.1", 1), ("1.1", 2), ("1.2", 1)]
    assert {line["bot"] for line in seats} >= {"inproc:random?", "inproc:random"}
    for line in seats:
        assert line["bot"] == logged[line["match"]]["bots"][line["seat"]]
        assert line["name"] in ("random", "first"), "what the bot calls itself is another column"


def test_blocks_of_a_comparison_that_are_not_in_its_verdict_do_not_count(tmp_path, monkeypatch):
    folder = compared(tmp_path / "kept", "--max-blocks", "6")
    log = (folder / "log.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "log.jsonl").write_bytes(b"".join(log[:-1]))

    unfinished = exported(tmp_path, folder, what="results")
    monkeypatch.setattr(Comparison, "over", property(lambda self: self.blocks == 3))
    behind = exported(tmp_path, folder, what="results")

    assert [line["counted"] for line in unfinished] == [True] * 10 + [False]
    assert [line["counted"] for line in behind] == [True] * 6 + [False] * 5


def test_a_log_that_is_not_the_comparisons_is_told(tmp_path, capsys):
    folder = compared(tmp_path / "kept", "--max-blocks", "2")
    text = (folder / "compare.json").read_text(encoding="utf-8")
    (folder / "compare.json").write_text(text.replace('"wait":"60s"', '"wait":"61s"'), encoding="utf-8")

    assert run(("records", "export", str(folder), "--to", str(tmp_path / "x.jsonl"))) == 2
    assert "and compare.json beside it is" in capsys.readouterr().err


def test_a_record_named_twice_is_there_once(matches, tmp_path):
    one = sorted(matches.iterdir())[0]

    assert len(exported(tmp_path, one, matches, one, what="results")) == 3


def test_a_bad_record_is_told_and_left_out_with_status_1(matches, tmp_path, capsys):
    bad, missing, _ = sorted(matches.iterdir())
    bad.write_bytes(bad.read_bytes().replace(b'"n":1', b'"n":2'))
    missing.write_bytes(missing.read_bytes()[:-5])

    found = exported(tmp_path, matches, what="results", status=1)

    err = capsys.readouterr().err
    assert len(found) == 1
    assert f"{bad}: left out: line 2: the chain does not hold" in err and f"{missing}: left out:" in err
    assert "2 of 3 records are bad and were left out" in err


def test_a_result_whose_record_is_gone_is_told(cup, tmp_path, capsys):
    other = tmp_path / "other"
    shutil.copytree(cup, other)
    gone = sorted((other / "records").iterdir())[0]
    gone.unlink()

    found = exported(tmp_path, other, what="results", status=1)

    assert len(found) == 23
    assert f"{gone}: left out: No such file" in capsys.readouterr().err


def chained(*lines):
    chain, text = record.START, b""
    for line in lines:
        chain, written = record._chained(chain, line)
        text += written.encode() + b"\n"
    return text


def lines_of(path):
    found = [json.loads(line) for line in path.read_bytes().splitlines()]
    for line in found:
        del line["chain"]
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda head, action, tail: head.pop("game"),
        lambda head, action, tail: head.update(seats=[{"name": "a"}, {"name": "b", "version": "1"}]),
        lambda head, action, tail: head.update(format=9),
        lambda head, action, tail: action.update(seat=7),
        lambda head, action, tail: action.update(us="x"),
        lambda head, action, tail: tail["seats"].pop(),
        lambda head, action, tail: tail["outcome"].update(scores=[1]),
        lambda head, action, tail: tail["outcome"].update(ranks=None),
        lambda head, action, tail: tail["outcome"].update(scores=[1 << 70, 0]),
    ],
)
def test_a_record_whose_chain_holds_may_still_be_none(matches, change):
    head, *actions, tail = lines_of(sorted(matches.iterdir())[0])
    change(head, actions[0], tail)

    with pytest.raises(RivalryError):
        read(chained(head, *actions, tail))


def test_the_quick_reader_and_the_engines_agree(matches):
    for path in matches.iterdir():
        quick, whole = read(path.read_bytes()), record.read(path.read_bytes())

        assert (quick.head, tuple(quick.actions), quick.tail) == (whole.head, whole.actions, whole.tail)


def test_stand_ins_notes_and_void_matches_have_their_columns(matches):
    head, *actions, tail = lines_of(sorted(matches.iterdir())[0])
    actions[0] |= {"by": "stand-in", "network": 3, "arena": 4, "note": "hm"}
    tail["outcome"] = {"scores": None, "ranks": None}
    tail |= {"game_digest": "", "text": "no bot came"}

    found = read(chained(head, *actions, tail))

    result = dict(zip((c.name for c in TABLES["results"]), next(rows.results(found, None)), strict=True))
    seat = dict(zip((c.name for c in TABLES["seats"]), next(rows.seats(found, None)), strict=True))
    first = dict(zip((c.name for c in TABLES["decisions"]), next(rows.decisions(found, None)), strict=True))
    assert (result["void"], result["scores"], result["digest"]) == ("no bot came", None, None)
    assert (seat["score"], seat["rank"], seat["below"], seat["stand_ins"]) == (None, None, None, 1)
    assert (first["stand_in"], first["network_us"], first["arena_us"], first["note"]) == (True, 3, 4, "hm")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere", "--to", "x.jsonl"), "nowhere: there is nothing; expected a record"),
        ((".", "--to", "x.jsonl"), "a folder without records"),
        ((".", "--to", "x.csv"), "expected a file that ends in .parquet or .jsonl"),
        ((".", "--to", "no/x.jsonl"), "expected a file in a folder that is there"),
        ((".", "--to", "there.jsonl"), "it is there already; --force replaces it"),
    ],
)
def test_what_cannot_be_exported_is_told_in_a_line(tmp_path, monkeypatch, capsys, arguments, told):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    if "there.jsonl" in arguments:
        Path("there.jsonl").write_text("mine")

    assert run(("records", "export", *arguments)) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("ending", writing.WRITERS)
def test_rows_are_taken_as_they_are_written_and_a_failure_leaves_nothing(tmp_path, monkeypatch, ending):
    """No more than two batches are ahead of the file; what breaks in the middle leaves the old file."""
    monkeypatch.setattr(writing, "BATCH", 10)
    target = tmp_path / f"x{ending}"
    target.write_text("old")
    alive, most = 0, 0

    class Note(str):
        def __new__(cls, text):
            nonlocal alive, most
            alive += 1
            most = max(most, alive)
            return super().__new__(cls, text)

        def __del__(self):
            nonlocal alive
            alive -= 1

    def endless():
        for n in range(1000):
            yield ("m", None, n, 0, "b", Note("pass"), False, 1, 0, 0, None)
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        writing.write(target, "decisions", TABLES["decisions"], endless())
    assert most <= 25
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]
    assert writing.write(target, "decisions", TABLES["decisions"], islice(endless(), 35)) == 35


def test_without_pyarrow_the_way_to_install_it_is_told(matches, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    assert run(("records", "export", str(matches), "--to", str(tmp_path / "x.parquet"))) == 2
    assert "pyarrow is not installed" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [matches]


def test_the_readme_says_what_the_schema_says():
    assert markdown() in (ROOT / "server" / "README.md").read_text(encoding="utf-8")


def test_the_example_reads_them(cup, tmp_path):
    exported(tmp_path, cup, what="seats", kind="parquet")
    exported(tmp_path, cup, what="decisions", kind="parquet")
    files = (tmp_path / "seats.parquet", tmp_path / "decisions.parquet")
    example = ROOT / "server" / "examples" / "analysis.py"

    ran = subprocess.run(
        [sys.executable, example, *files],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", "POLARS_FMT_MAX_ROWS": "20"},
    )

    assert ran.returncode == 0, ran.stderr
    assert "ボ" in ran.stdout and "utility" in ran.stdout and "p99_us" in ran.stdout


def test_the_example_calls_what_was_declined_by_its_name(cup, tmp_path):
    seats, decisions = tmp_path / "seats.parquet", tmp_path / "decisions.parquet"
    exported(tmp_path, cup, what="seats", kind="parquet")
    actions = ["no horde", "no horde", "no giant", "pass", "take blue orc"]
    made = (("m", None, n, 0, "b", action, False, n, 0, 0, None) for n, action in enumerate(actions, 1))
    writing.write(decisions, "decisions", TABLES["decisions"], made)

    ran = subprocess.run(
        [sys.executable, ROOT / "server" / "examples" / "analysis.py", seats, decisions],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )

    assert ran.returncode == 0, ran.stderr
    kinds = ran.stdout[ran.stdout.index("┆ kind") :].splitlines()[2:6]
    assert [[cell.strip() for cell in line.strip("│").split("┆")][:3] for line in kinds] == [
        ["b", "no horde", "2"],
        ["b", "no giant", "1"],
        ["b", "pass", "1"],
        ["b", "take", "1"],
    ]


def test_options_are_canonical_json(matches, tmp_path):
    (line, *_) = exported(tmp_path, matches, what="results")

    assert canonical(json.loads(line["options"])).decode() == line["options"]
