from __future__ import annotations

import io
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
