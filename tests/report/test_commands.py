"""``rivalry tournament table`` and ``report``, on a tournament that was really played."""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
from dataclasses import replace

import pytest

from rivalry_server.program import run
from rivalry_tournament import given, making, reading, results, told
from rivalry_tournament.settings import Entrant
from rivalry_tournament.settings_text import settings_text
from tournament.hall import logged

BOTS = ("--bot", "first=inproc:first", "--bot", "<b>&=inproc:random", "--bot", "third=inproc:random")
PLAYED = ("--kind", "round-robin", "--game", "kuhn", "--seed", "cup", "--name", "Cup", "--concurrency", "1", *BOTS)


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A folder in which a tournament was played."""
    folder = tmp_path_factory.mktemp("cups") / "cup"
    assert run(("tournament", "run", *PLAYED, "--blocks", "6", "--dir", str(folder), "--json", "--no-report")) == 0
    return folder


def test_the_table_depends_on_the_results_alone(cup, tmp_path, capsys):
    """Other times, and results in another order, give the same bytes."""
    other = tmp_path / "other"
    shutil.copytree(cup, other)
    head, *lines, ended = map(json.loads, (cup / "log.jsonl").read_text().splitlines())
    logged(other, (head, *(line | {"at": 1, "duration_us": 5} for line in reversed(lines)), ended))

    for form in ((), ("--csv",), ("--markdown",), ("--json",)):
        outputs = []
        for folder in (cup, other):
            assert run(("tournament", "table", str(folder), *form)) == 0
            outputs.append(capsys.readouterr().out)
        assert outputs[0] == outputs[1] and "third" in outputs[0]


def test_head_to_head_is_printed_by_itself_and_is_the_reports(cup, tmp_path, capsys):
    assert run(("tournament", "report", str(cup), "--out", str(tmp_path / "out"), "--json")) == 0
    capsys.readouterr()
    outputs = []
    for form in ((), ("--csv",), ("--markdown",)):
        assert run(("tournament", "table", str(cup), "--pairs", *form)) == 0
        outputs.append(capsys.readouterr().out)

    assert (tmp_path / "out" / "pairs.csv").read_text(encoding="utf-8") == outputs[1]
    assert all(output.count("third") == 2 for output in outputs) and "against" in outputs[0]
    assert run(("tournament", "table", str(cup), "--pairs", "--json")) == 2
    assert "the object has them already" in capsys.readouterr().err


def test_a_run_ends_with_the_table_that_the_table_command_prints(cup, monkeypatch, capsys):
    """In a terminal of 80 columns as well, and nothing is drawn around it."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("rivalry_tournament.outcome.output.on_terminal", lambda stream: True)
    outputs = []
    for command in (("table",), ("resume", "--no-report")):
        assert run(("tournament", command[0], str(cup), *command[1:])) == 0
        outputs.append(capsys.readouterr().out)

    assert outputs[0] in outputs[1] and max(map(len, outputs[0].splitlines())) <= 80
    assert "left out here" in outputs[0] and "─" not in outputs[1]


def test_the_report_holds_the_same_table_and_tells_the_result(cup, tmp_path, capsys):
    assert run(("tournament", "report", str(cup), "--out", str(tmp_path / "out"), "--json")) == 0
    told_ = json.loads(capsys.readouterr().out)
    assert run(("tournament", "table", str(cup))) == 0

    assert (tmp_path / "out" / "table.txt").read_text(encoding="utf-8") == capsys.readouterr().out
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "<bdi>&lt;b&gt;&amp;</bdi>" in page and "<h1>Cup</h1>" in page
    assert told_["headline"].split()[0] in ("third", "<b>&", "first")
    assert len(told_["files"]) == len(list((tmp_path / "out").iterdir()))


def test_the_files_command_makes_the_same_tournament_again(cup, tmp_path):
    tournament = results.read(cup)
    begin, *lines, end, command = told.commands(tournament.schedule.settings)
    (tmp_path / "again.toml").write_text("\n".join(lines), encoding="utf-8")

    again = reading.settings(given.together(str(tmp_path / "again.toml"), {}))

    assert (begin, end, command) == ("cat >again.toml <<'END'", "END", "rivalry tournament run again.toml")
    assert making.schedule(again) == tournament.schedule


def test_seed_and_time_are_told_as_they_were_given(cup, tmp_path, capsys):
    lines = told.commands(results.read(cup).schedule.settings)
    assert run(("tournament", "report", str(cup), "--out", str(tmp_path / "out"))) == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")

    assert 'seed = "cup"' in lines and 'time = "30s"' in lines and not any("load" in line for line in lines)
    assert "<dt>Seed</dt><dd>cup</dd><dt>Time control</dt><dd>30s</dd>" in page and "first=" not in page
    assert "<dt>First prompts</dt><dd>30s, and 1m until a match of the bot’s program is over</dd>" in page


def test_programs_are_played_again_in_the_folder_where_they_are(cup):
    settings = results.read(cup).schedule.settings
    entrants = (Entrant("mine", "cmd:python my_bot.py"), Entrant("other", "inproc:bots:Other"), Entrant("r", "random"))

    where, begin, *lines = told.commands(replace(settings, entrants=entrants, name=""))

    assert where == "# in the folder where it was played, with the programs of mine, other"
    assert begin == "cat >again.toml <<'END'"
    assert not any(line.startswith("name =") for line in lines), "it has none"


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "swiss", "rounds": 2, "bye": "half"},
        {"kind": "knockout", "further": 2},
        {"kind": "gauntlet", "subjects": ["a"], "options": {"seats": 4}, "game": "ethnos", "splits": "all"},
        {"kind": "evaluation", "subjects": ["b"], "game": "ethnos", "policies": {"on_illegal": "void"}},
        {"kind": "round-robin", "tables": "all", "name": 'a "name" = \\ ボ', "seeds": "own"},
    ],
)
def test_settings_are_read_back_from_their_text(changes, tmp_path):
    values = {"game": "kuhn", "seed": "x", "entrants": {"a": "inproc:first", "b": "inproc:random", '"c"': "random"}}
    path = tmp_path / "first.toml"
    lines = [f"{key} = {_toml(value)}" for key, value in (values | changes).items() if not isinstance(value, dict)]
    for key, table in (values | changes).items():
        if isinstance(table, dict):
            lines += [f"[{key}]", *(f"{_toml(name)} = {_toml(value)}" for name, value in table.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    first = reading.settings(given.together(str(path), {}))

    path.write_text(settings_text(first), encoding="utf-8")

    tomllib.loads(settings_text(first))
    assert reading.settings(given.together(str(path), {})) == first


def _toml(value):
    return json.dumps(value, ensure_ascii=False)


def test_a_tournament_that_has_not_ended_has_a_table_of_whole_blocks(cup, tmp_path, capsys):
    part = tmp_path / "part"
    shutil.copytree(cup, part)
    lines = (cup / "log.jsonl").read_text().splitlines(keepends=True)
    (part / "log.jsonl").write_text("".join(lines[:8]))

    assert run(("tournament", "table", str(part), "--json")) == 0

    out, err = capsys.readouterr()
    assert json.loads(out)["blocks"] < 6 and "not ended" in err


def test_a_tournament_without_a_whole_block_has_a_report_and_status_1(cup, tmp_path, capsys):
    (tmp_path / "none").mkdir()
    shutil.copy(cup / "schedule.json", tmp_path / "none")

    assert run(("tournament", "report", str(tmp_path / "none"))) == 1

    assert "Nothing to tell yet" in capsys.readouterr().out
    assert (tmp_path / "none" / "report" / "report.html").exists()


def test_what_is_no_tournament_is_told_in_a_line(tmp_path, capsys):
    assert run(("tournament", "table", str(tmp_path))) == 2
    assert "expected a folder that `rivalry tournament run` made" in capsys.readouterr().err


def test_a_report_takes_the_place_of_no_file(cup, tmp_path, capsys):
    (tmp_path / "file").write_text("mine")

    assert run(("tournament", "report", str(cup), "--out", str(tmp_path / "file"))) == 2
    assert "a file; expected a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "package"),
    [(("table", "{cup}"), "rivalry_evaluation.evaluation"), (("report", "{cup}", "--out", "{out}"), "matplotlib")],
)
def test_a_package_that_is_missing_is_named_with_the_way_to_install_it(
    cup, tmp_path, monkeypatch, capsys, command, package
):
    monkeypatch.setitem(sys.modules, package, None)

    assert run(("tournament", *(each.format(cup=cup, out=tmp_path / "out") for each in command))) == 2

    err = capsys.readouterr().err
    assert f"{package} is not installed" in err and "pip install" in err
