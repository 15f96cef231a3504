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
    reader.join(5)

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
        ((), ".", "a folder"),
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
    shown = rivalry(*KUHN, "--record", "\udcff.jsonl")

    assert (said.status, shown.status) == (0, 0)
    assert said.json()["record"] == "\udcff.jsonl"
