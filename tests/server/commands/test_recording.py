"""``--record``: what it may be, said before the match, and what becomes of files that are no plain ones."""

from __future__ import annotations

import json
import os
import threading

import pytest

from rivalry_server.commands import play, recording

KUHN = ("match", "--game", "kuhn", "--bot", "inproc:random", "--bot", "inproc:first", "--seed", "x")


def test_a_pipe_is_written_to_and_stays_one(rivalry, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text(encoding="utf-8")), daemon=True)
    reader.start()

    said = rivalry(*KUHN, "--record", pipe)
    reader.join(60)

    assert said.status == 0
    assert pipe.is_fifo()
    assert read and read[0].startswith('{"')


def test_a_link_stays_one_and_what_it_leads_to_is_the_record(rivalry, tmp_path):
    (tmp_path / "there").mkdir()
    link, target = tmp_path / "link", tmp_path / "there" / "game.jsonl"
    link.symlink_to(target)

    said = rivalry(*KUHN, "--record", link)

    assert said.status == 0
    assert link.is_symlink()
    assert rivalry("verify", target).status == 0
    assert [path.name for path in target.parent.iterdir()] == ["game.jsonl"]


@pytest.mark.parametrize(
    ("more", "record", "complaint"),
    [
        ((), "/proc/game.jsonl", "nothing can be written there"),
        ((), "a" * 253, "nothing can be written there"),
        ((), "/proc/", "nothing can be written there"),
        (("--count", 2), "/proc/games", "nothing can be written there"),
        (("--count", 2), "/proc", "nothing can be written there"),
    ],
)
def test_a_record_that_cannot_be_written_is_refused_before_the_match(
    rivalry, monkeypatch, tmp_path, more, record, complaint
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(play, "played", lambda *_, **__: pytest.fail("it was played"))

    said = rivalry(*KUHN, "--record", record, *more)

    assert said.status == 2
    assert said.err.count("\n") == 1
    assert complaint in said.err


@pytest.mark.parametrize("more", [(), ("--count", 1)])
def test_an_outcome_is_told_though_its_record_is_not_written(rivalry, monkeypatch, tmp_path, more):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(recording, "write", full)

    said = rivalry(*KUHN, "--record", tmp_path / "game", "--json", *more)

    assert said.status == 1
    assert json.loads(said.out)["record"] is None
    assert "the record was not written: No space left on device" in said.err


def test_the_name_of_a_record_need_not_be_text(rivalry, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    said = rivalry(*KUHN, "--record", "\udcff.jsonl", "--json")
    shown = rivalry(*KUHN, "--record", "\udcff.jsonl", "--force")

    assert (said.status, shown.status) == (0, 0)
    assert said.json()["record"] == "\udcff.jsonl"


@pytest.mark.parametrize("more", [(), ("--count", 12), ("--count", 12, "--jobs", 2)])
def test_a_record_is_replaced_only_by_force(rivalry, tmp_path, more):
    record = tmp_path / ("12.jsonl" if more else "game.jsonl")
    given = ("--record", tmp_path if more else record)
    first = rivalry(*KUHN[:-1], "first", "--record", record, "--json").json()
    held = record.read_bytes()

    refused = rivalry(*KUHN, *given, *more)
    left = sorted(path.name for path in tmp_path.iterdir())
    forced = rivalry(*KUHN, *given, *more, "--force")

    assert refused.status == 2
    assert refused.out == ""
    assert refused.err.count("\n") == 1
    assert f"there already, the record of match {first['match_id']} of kuhn; --force replaces it" in refused.err
    assert left == [record.name]
    assert forced.status == 0
    assert record.read_bytes() != held


def test_any_file_but_an_empty_one_is_spared(rivalry, tmp_path):
    notes, empty = tmp_path / "notes", tmp_path / "empty"
    notes.write_text("mine", encoding="utf-8")
    empty.touch()

    refused = rivalry(*KUHN, "--record", notes)

    assert "there already, a file of 4 bytes that is no record; " in refused.err
    assert notes.read_text(encoding="utf-8") == "mine"
    assert rivalry(*KUHN, "--record", empty).status == 0


def test_with_from_only_the_records_to_come_are_looked_at(rivalry, tmp_path):
    assert rivalry(*KUHN, "--record", tmp_path, "--count", 2).status == 0

    (tmp_path / "2.jsonl").unlink()

    assert rivalry(*KUHN, "--record", tmp_path, "--count", 2, "--from", 2).status == 0


def test_a_folder_takes_a_record_named_after_the_match(rivalry, tmp_path):
    made = rivalry(*KUHN, "--record", f"{tmp_path}/new/out/", "--json").json()
    again = rivalry(*KUHN, "--record", tmp_path / "new" / "out", "--json").json()

    assert {path.name for path in (tmp_path / "new" / "out").iterdir()} == {
        f"{match['match_id']}.jsonl" for match in (made, again)
    }
    assert rivalry("verify", made["record"]).status == 0


def test_what_to_go_on_with_says_force_when_a_record_to_come_is_there(rivalry, monkeypatch, tmp_path):
    (tmp_path / "4.jsonl").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(play, "played", _interrupted)

    said = rivalry(*KUHN, "--record", tmp_path, "--count", 4, "--force")

    assert said.status == 130
    assert "--from 1, with --force for the records that are there" in said.err


def _interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt
