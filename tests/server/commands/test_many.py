"""Many matches over several processes, and what is left when one of them dies."""

from __future__ import annotations

import json
import signal

import pytest


@pytest.fixture
def dying(tmp_path, monkeypatch):
    """The arguments of nine matches of a bot that dies as ``death`` says when it is asked in a third one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")

    def arguments(death):
        (tmp_path / "dying_bot.py").write_text(
            "import os, signal\n"
            "from rivalry_client import Bot\n"
            "class Dying(Bot):\n"
            "    played = 0\n"
            "    def choose(self, prompt):\n"
            "        Dying.played += 1\n"
            f"        if Dying.played == 3:\n            {death}\n"
            "        return 0\n",
            encoding="utf-8",
        )
        bots = ("--bot", "inproc:dying_bot:Dying", "--bot", "inproc:first")
        return ("match", "--game", "kuhn", *bots, "--seed", "x", "--count", 9, "--jobs", 2)

    return arguments


@pytest.mark.parametrize(
    ("death", "told"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", f"its process was ended by {signal.SIGKILL.name}"),
        ("os._exit(7)", "its process exited with status 7"),
    ],
)
def test_a_process_that_dies_is_told_with_how_to_go_on_and_what_finished_is_shown(rivalry, dying, death, told):
    shown = rivalry(*dying(death))
    said = rivalry(*dying(death), "--json")

    numbers = [json.loads(line)["number"] for line in said.out.splitlines()]
    assert (shown.status, said.status) == (1, 1)
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 1
    assert f"match {len(numbers) + 1} failed: {told}" in said.err
    assert f"--seed 0x78, --count 9 and --from {len(numbers) + 1}" in said.err
    assert shown.out.splitlines()[0].split()[:3] == ["seat", "bot", "matches"]
