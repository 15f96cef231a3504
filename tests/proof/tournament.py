"""A tournament that is killed three times and gone on with is, to the byte, the one that nothing happened to."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from e2e.program import RIVALRY, environment
from rivalry_engine.chance import Stream

ABOUT = (
    "engine",
    "server/rivalry_server",
    "server/rivalry_tournament",
    "server/rivalry_evaluation",
    "server/rivalry_report",
    "clients/python",
    "proto/python/rivalry_wire",
    "tests/proof/tournament.py",
)
KILLS: Final = 3
LATER_MS: Final = 700
"""At most so long after a result is in the log the runner is killed."""
ENDS_S: Final = 600.0
TABLE: Final = ("table.txt", "table.csv", "table.json", "table.md")
ROUND_ROBIN: Final = (
    "--kind",
    "round-robin",
    "--blocks",
    "8",
    "--bot",
    "greedy",
    "--bot",
    "hoarder",
    "--bot",
    "random",
)
WANTED: Final[dict[str, tuple[str, ...]]] = {
    "round-robin": (*ROUND_ROBIN, "--bot", "first"),
    "faulty": (*ROUND_ROBIN, "--bot", "bad=bad-exit"),
    "swiss": (
        *("--kind", "swiss", "--bots", "2", "--rounds", "3", "--blocks", "1", "--bot", "hoarder", "--bot", "random"),
        *("--bot", "first", "--bot", "again=random"),
    ),
}
"""By step what is played, all at tables of four."""
STEPS = list(WANTED)


def run(step: str) -> dict[str, Any]:
    """Plays a tournament twice; raises AssertionError where killing makes a difference."""
    chance = Stream(b"tournament", step)
    with tempfile.TemporaryDirectory() as name:
        whole, killed = Path(name) / "whole", Path(name) / "killed"
        begin = ("run", "--game", "ethnos", "--seats", "4", "--seed", step, "--concurrency", "3", *WANTED[step])
        with _started(*begin, "--dir", whole) as process:
            _ended(process)
        matches = len(_results(whole))
        deaths = [
            _killed((*begin, "--dir", killed) if number == 0 else ("resume", killed), killed, matches, number, chance)
            for number in range(KILLS)
        ]
        with _started("resume", killed) as process:
            _ended(process)
        _same(whole, killed)
        attempts = {line["attempt"] for line in _results(killed)}
        assert attempts == {1}, f"the arena was said to have spoiled a match: attempts {attempts}"
        return {
            "played": " ".join(word for word in WANTED[step][:2] if not word.startswith("--")),
            "matches": matches,
            "killed": deaths,
            "torn": sum(death["torn"] for death in deaths),
            "told": f"{matches} matches, killed after {', '.join(str(death['after']) for death in deaths)}: the same",
        }


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row a tournament."""
    lines = [
        "| tournament | matches | killed with so many in the log | table and ids | each match's digest |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {each['matches']} | {', '.join(str(death['after']) for death in each['killed'])} | the same | the"
        " same |"
        for name, each in zip(STEPS, figures, strict=True)
    ]
    return [*lines, "", '`make proof ARGS="--only tournament"`'], True


def _started(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [RIVALRY, "tournament", *map(str, arguments)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def _ended(process: subprocess.Popen[str]) -> None:
    told = process.communicate(timeout=ENDS_S)[0]
    assert process.returncode == 0, told[-2000:]


def _killed(arguments: tuple[object, ...], folder: Path, matches: int, number: int, chance: Stream) -> dict[str, Any]:
    """Kills a run a while after one more part of the matches is in the log."""
    least = 1 + matches * (number + 1) // (KILLS + 1)
    due = time.monotonic() + ENDS_S
    with _started(*arguments) as process:
        while _lines(folder) <= least:
            assert process.poll() is None, f"it ended by itself: {process.communicate()[0][-2000:]}"
            assert time.monotonic() < due, "it makes no progress"
            time.sleep(0.01)
        time.sleep(chance.below(LATER_MS) / 1_000)
        assert process.poll() is None, f"it ended before it was killed: {process.communicate()[0][-2000:]}"
        process.kill()
    text = (folder / "log.jsonl").read_bytes()
    return {"after": len(_results(folder)), "torn": int(not text.endswith(b"\n"))}


def _lines(folder: Path) -> int:
    log = folder / "log.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


def _results(folder: Path) -> list[dict[str, Any]]:
    """The results in the log, without what depends on the clock, by match id."""
    whole = [line for line in (folder / "log.jsonl").read_bytes().split(b"\n")[:-1] if line]
    timed = ("at", "spent", "duration_us", "chain")
    lines = [{key: value for key, value in json.loads(line).items() if key not in timed} for line in whole]
    return sorted((line for line in lines if line["kind"] == "result"), key=lambda line: str(line["match"]))


def _same(whole: Path, killed: Path) -> None:
    """Raises AssertionError where schedule, results, records or table of the two differ."""
    assert (whole / "schedule.json").read_bytes() == (killed / "schedule.json").read_bytes()
    assert _results(whole) == _results(killed)
    for name in TABLE:
        assert (whole / "report" / name).read_bytes() == (killed / "report" / name).read_bytes(), name
    records = [sorted(path.name for path in (folder / "records").glob("*.jsonl")) for folder in (whole, killed)]
    assert records[0] == records[1]
    assert records[0] == sorted(f"{line['match']}.jsonl" for line in _results(whole))
