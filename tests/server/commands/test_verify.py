from __future__ import annotations

import io
import json
import sys

import pytest

from server.commands.recorded import lines


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(lines(), encoding="utf-8")
    return path


def test_a_true_record_is_status_0(rivalry, file):
    said = rivalry("verify", file)

    assert said.status == 0
    assert "true" in said.out
    assert rivalry("verify", file, "--json").json()["true"] is True


def test_a_void_record_can_be_true(rivalry, file):
    file.write_text(lines(void=True), encoding="utf-8")

    assert "none, the match is void" in rivalry("verify", file).out


def test_a_record_is_read_from_stdin(rivalry, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines().encode())))

    assert rivalry("verify", "-").status == 0


def test_a_changed_byte_is_status_1_and_its_line_is_named(rivalry, file):
    file.write_text(lines().replace('"us":12', '"us":13', 1), encoding="utf-8")

    said = rivalry("verify", file)

    assert said.status == 1
    assert "line 2" in said.err
    assert said.err.count("\n") == 1
    assert "line 2" in rivalry("verify", file, "--json").json()["difference"]


@pytest.mark.parametrize("content", ["", "hello\n", "{}\n", '{"format":99}\n'])
def test_what_is_no_record_is_status_2(rivalry, file, content):
    file.write_text(content, encoding="utf-8")

    said = rivalry("verify", file)

    assert said.status == 2
    assert said.err.count("\n") == 1


def test_every_changed_byte_is_noticed(rivalry, file):
    good = lines().encode()
    missed = []
    for at in range(len(good)):
        file.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        if rivalry("verify", file).status not in (1, 2):
            missed.append(at)

    assert missed == []


def test_of_several_files_and_folders_each_is_a_line_and_the_worst_is_the_status(rivalry, file, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "1.jsonl").write_text(lines(), encoding="utf-8")
    (folder / "2.jsonl").write_text(lines().replace('"us":12', '"us":13', 1), encoding="utf-8")
    (folder / "notes.txt").write_text("none", encoding="utf-8")

    true = rivalry("verify", file, folder / "1.jsonl")
    damaged = rivalry("verify", file, folder)
    none = rivalry("verify", folder, folder / "notes.txt", tmp_path / "nowhere", "--json")

    assert (true.status, damaged.status, none.status) == (0, 1, 2)
    assert [": true, " in line for line in damaged.out.splitlines()] == [True, True, False]
    assert f"{folder}/2.jsonl: line 2" in damaged.out
    told = [json.loads(line) for line in none.out.splitlines()]
    assert [each["true"] for each in told] == [True, False, False, False]
    assert [set(each) & {"difference", "error"} for each in told] == [set(), {"difference"}, {"error"}, {"error"}]


def test_a_folder_without_records_is_bad_input(rivalry, tmp_path):
    said = rivalry("verify", tmp_path)

    assert said.status == 2
    assert "a folder without records" in said.err
