"""A tournament as an organiser has it: killed, stopped, gone on with, and told."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from e2e.program import rivalry, running

KUHN = ("--kind", "round-robin", "--game", "kuhn", "--seed", "x", "--concurrency", "2", "--time", "10m")
HELD = """
import sys
import time
from pathlib import Path
from rivalry_client import Bot, run

folder = Path(sys.argv.pop(1))

def may():
    '''True while fewer choices were made than the test allows, by all programs together.'''
    try:
        most = int((folder / "most").read_text())
    except FileNotFoundError:
        return True
    with (folder / "choices").open("ab") as choices:
        if choices.tell() >= most:
            return False
        choices.write(b".")
    return True

class Held(Bot):
    def choose(self, prompt):
        while not may():
            time.sleep(0.02)
        return 0

run(Held)
"""


def run(*arguments: object, status: int = 0) -> dict[str, Any]:
    """What ``rivalry tournament …`` says as JSON."""
    done = rivalry("tournament", *arguments, "--json")
    assert done.returncode == status, done.stderr
    told = json.loads(done.stdout)
    assert isinstance(told, dict)
    return told


def lines(folder: Path) -> int:
    """How many lines the log of a tournament has."""
    log = folder / "log.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


def grown(process: subprocess.Popen[str], folder: Path, least: int) -> None:
    """Returns when the log has ``least`` lines, and the process that writes it runs on."""
    due = time.monotonic() + 90
    while lines(folder) < least:
        assert time.monotonic() < due
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    assert process.poll() is None, "it was too fast for this test"


def results(folder: Path) -> list[dict[str, Any]]:
    """The results in the log without what depends on the clock, in the order of their ids."""
    timed = ("at", "spent", "duration_us", "chain")
    found = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    kept = [{key: line[key] for key in line if key not in timed} for line in found if line["kind"] == "result"]
    return sorted(kept, key=lambda line: str(line["match"]))


def test_a_tournament_that_is_killed_and_stopped_comes_out_as_one_that_is_not(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(HELD)
    whole, folder = tmp_path / "whole", tmp_path / "stopped"
    begin = (*KUHN, "--bot", "random", "--bot", f"held=cmd:python {bot} {tmp_path}", "--blocks", "30", "--dir")
    straight = run("run", *begin, whole, "--no-report")

    (tmp_path / "most").write_text("40")  # a match has one of its choices or two
    with running("tournament", "run", *begin, folder) as process:
        grown(process, folder, 20)
        process.kill()
    (tmp_path / "most").write_text(str((tmp_path / "choices").stat().st_size + 16))
    with running("tournament", "resume", folder) as process:
        grown(process, folder, lines(folder) + 5)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[1]
    (tmp_path / "most").unlink()
    stopped = lines(folder) - 1
    resumed = run("resume", folder, "--no-report")

    assert process.returncode == 130
    # A bot whose answer came when its match had just been stopped is told so, and says it.
    assert [line for line in said.splitlines() if not line.startswith(("random| ", "held| "))] == [
        f"rivalry: stopped by Ctrl-C after {stopped} of 60 matches; go on with: rivalry tournament resume {folder}"
    ]
    assert 24 <= stopped < 60
    assert {**resumed, "dir": ""} == {**straight, "dir": ""}
    assert straight["ended"] and straight["counted"] == 30
    assert results(folder) == results(whole)
    assert sorted(path.name for path in (folder / "records").glob("*.jsonl")) == sorted(
        f"{line['match']}.jsonl" for line in results(whole)
    )
