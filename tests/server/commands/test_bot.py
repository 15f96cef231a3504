from __future__ import annotations

import subprocess
import sys

import pytest

from rivalry_bots import catalog
from server.commands import broken


def test_the_bots_are_listed(rivalry):
    said = rivalry("bot")

    assert said.status == 0
    assert {"random", "first", "bad-late"} <= {line.split()[0] for line in said.out.splitlines()}


def test_new_writes_a_bot_of_ten_lines_that_runs(rivalry, tmp_path):
    path = tmp_path / "my_bot.py"

    said = rivalry("bot", "new", path)
    ran = subprocess.run([sys.executable, path, "--help"], capture_output=True, text=True, check=False)

    assert said.status == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 10
    assert ran.returncode == 0
    assert "--address" in ran.stdout


def test_new_writes_over_nothing(rivalry, tmp_path):
    path = tmp_path / "my_bot.py"
    path.write_text("mine", encoding="utf-8")

    said = rivalry("bot", "new", path)

    assert said.status == 2
    assert path.read_text(encoding="utf-8") == "mine"


def test_new_asks_for_a_file(rivalry):
    assert "expected the file to write" in rivalry("bot", "new").err


def test_an_unknown_bot_is_status_2(rivalry):
    said = rivalry("bot", "nobody")

    assert said.status == 2
    assert "nobody" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("source", list(broken.SOURCES))
def test_a_bot_that_cannot_be_imported_is_told_in_a_line_and_the_others_are_listed(
    rivalry, tmp_path, monkeypatch, source
):
    broken.entry(catalog, source, tmp_path, monkeypatch)

    listed = rivalry("bot")
    alone = rivalry("bot", "broken")

    assert (listed.status, alone.status) == (0, 2)
    assert "greedy" in listed.out and "broken" not in listed.out
    for said in (listed, alone):
        assert said.err.count("\n") == 1
        assert said.err.startswith("rivalry: bot 'broken': ")
        assert broken.SOURCES[source] in said.err


def test_the_help_beside_a_bot_tells_its_settings(rivalry):
    flood, greedy, unnamed = (
        rivalry("bot", "bad-flood?after=1", "--help"),
        rivalry("bot", "-h", "greedy"),
        rivalry("bot", "-h"),
    )

    assert (flood.status, greedy.status, unnamed.status) == (0, 0, 0)
    assert "Settings of bad-flood" in flood.out and "messages=50000" in flood.out
    assert "greedy has no settings." in greedy.out
    assert "ettings of" not in unnamed.out
    assert rivalry("bot", "nobody", "--help").status == 2
