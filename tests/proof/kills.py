"""``kill -9`` of the arena, of bots that keep a resume token, and of bots that are started again by ``retry``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from e2e.program import RIVALRY, environment
from load.arena_process import PONDERING, TESTS, ArenaProcess, Process, Wanted, awaited, ended, ends_of
from rivalry_engine.chance import Stream

ABOUT = (
    "engine",
    "server",
    "clients/python",
    "proto/python/rivalry_wire",
    "tests/load/arena_process.py",
    "tests/load/pondering.py",
    "tests/proof/kills.py",
)
ALONE = True
BOTS = 4
MATCHES = 20
ROUNDS = 5
KILLS = 10
"""Of the arena, in a round."""
LIFE_MOST_MS = 2_500
"""How long the arena lives at most, once it listens, before it is killed."""
THINKS_MS = 50
"""The longest that the bots think."""
BOT_KILLS = 20
RETRIED = 8
RETRIES = 2
ENDS_S = 240.0
STEPS = [*(f"arena-{number}" for number in range(ROUNDS)), "bots", "retry"]


def run(step: str) -> dict[str, Any]:
    """Does one round; raises AssertionError where a match did not end, or not as the one that nothing happened to."""
    with tempfile.TemporaryDirectory() as folder:
        if step == "retry":
            return _retried(Stream(b"kills", step))
        return _killed(Path(folder), step)


def _killed(folder: Path, step: str) -> dict[str, Any]:
    """Kills the arena or the bots while twenty matches run."""
    chance = Stream(b"kills", step)
    arena = ArenaProcess(folder / "data", folder / "arena.err")
    bots = [
        Process(
            ("bot", f"{PONDERING}?most_ms={THINKS_MS}", "--matches", MATCHES, "--patience", 300, "-v"),
            folder / f"bot-{number}.err",
        )
        for number in range(BOTS)
    ]
    wanted = [_wanted(number, step) for number in range(MATCHES)]
    expected = [each.digest() for each in wanted]
    try:
        arena.rise()
        for number, bot in enumerate(bots):
            bot.arguments += ["--address", arena.address, "--resume-file", str(folder / f"bot-{number}.token")]
            bot.start()
        for bot in bots:
            bot.says("welcome at")
        ids = [arena.made(number, each) for number, each in enumerate(wanted)]
        kills = _arena_killed(arena, chance) if step != "bots" else _bots_killed(arena, bots, chance)
        again = [arena.made(number, each) for number, each in enumerate(wanted)]
        assert again == ids, "a request that was made again made another match"
        found = awaited(arena, MATCHES, ENDS_S)
        equal = 0
        for match_id, digest in zip(ids, expected, strict=True):
            outcome = found[match_id].outcome
            assert set(ends_of(found[match_id])) == {"normal"}, f"{match_id}: {outcome}"
            equal += outcome.game_digest == digest
        assert equal == MATCHES, f"{MATCHES - equal} of {MATCHES} games are others than those without a kill"
        assert arena.stop() == 0
        for each in (arena, *bots):
            assert "Traceback" not in each.said(), each.said()[-3000:]
    finally:
        for each in (arena, *bots):
            each.kill()
    what = "bots" if step == "bots" else "arena"
    told = f"{kills} kills of the {what}, {equal} of {MATCHES} digests equal"
    return {"what": what, "kills": kills, "matches": MATCHES, "equal": equal, "told": told}


def _wanted(number: int, step: str) -> Wanted:
    seed = f"kills/{step}/{number}".encode()
    if number % 5 < 2:
        return Wanted("kuhn", 2, seed, open_seats=2)
    return Wanted("ethnos", 3 + number % 4, seed, open_seats=2)


def _arena_killed(arena: ArenaProcess, chance: Stream) -> int:
    """Kills the arena at random moments and starts it again; what was told as ended has to stay so."""
    told: dict[str, str] = {}
    for kills in range(KILLS):
        until = time.monotonic() + chance.below(LIFE_MOST_MS) / 1_000
        while True:
            found = arena.matches()
            for match_id, digest in told.items():
                assert ended(found[match_id]), f"{match_id} had ended, and has not after a kill"
                assert found[match_id].outcome.game_digest == digest, f"{match_id} has another result after a kill"
            told = {each.match_id: each.outcome.game_digest for each in found.values() if ended(each)}
            if len(told) == MATCHES:
                return kills
            if time.monotonic() >= until:
                break
            time.sleep(min(0.02, max(0.0, until - time.monotonic())))
        arena.kill()
        arena.rise()
    return KILLS


def _bots_killed(arena: ArenaProcess, bots: list[Process], chance: Stream) -> int:
    """Kills one bot after the other, and starts each again a moment later."""
    for kills in range(BOT_KILLS):
        time.sleep(chance.below(500) / 1_000)
        if all(map(ended, arena.matches().values())):
            return kills
        bot = bots[chance.below(len(bots))]
        bot.kill()
        time.sleep(chance.below(300) / 1_000)
        bot.start()
    return BOT_KILLS


def _retried(chance: Stream) -> dict[str, Any]:
    """Kills one bot of each match of ``rivalry match``, twice."""
    equal = kills = 0
    for number in range(RETRIED):
        seed = f"kills/retry/{number}"
        digest = Wanted("ethnos", 3, seed.encode(), open_seats=3).digest()
        command = [
            str(RIVALRY),
            "match",
            "--game",
            "ethnos",
            "--seed",
            seed,
            "--on-crash",
            f"retry {RETRIES + 1}",
            "--json",
        ]
        command += [
            "--bot",
            f"cmd:{RIVALRY} bot {PONDERING}?most_ms={THINKS_MS}",
            "--bot",
            "inproc:random",
            "--bot",
            "inproc:random",
        ]
        with subprocess.Popen(
            command, cwd=TESTS, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as match:
            for _ in range(RETRIES):
                kills += _bot_of(match, chance)
            out, err = match.communicate(timeout=ENDS_S)
        assert match.returncode == 0, err
        played = json.loads(out)
        assert [seat["end"] for seat in played["seats"]] == ["normal"] * 3, played
        equal += played["game_digest"] == digest
    assert equal == RETRIED, f"{RETRIED - equal} of {RETRIED} games are others than those without a kill"
    told = f"{kills} kills, {equal} of {RETRIED} digests equal"
    return {"what": "retry", "kills": kills, "matches": RETRIED, "equal": equal, "told": told}


def _bot_of(match: subprocess.Popen[str], chance: Stream) -> int:
    """Kills the one bot of a match that is a program, once it has played a little; 0 if the match was over before."""
    limit = time.monotonic() + 30
    while match.poll() is None and time.monotonic() < limit:
        found = [pid for pid in _children(match.pid) if "pondering" in _command(pid)]
        if found:
            time.sleep(0.8 + chance.below(600) / 1_000)
            try:
                os.kill(found[0], signal.SIGKILL)
            except ProcessLookupError:
                return 0
            while found[0] in _children(match.pid) and match.poll() is None:
                time.sleep(0.01)
            return 1
        time.sleep(0.02)
    return 0


def _children(pid: int) -> list[int]:
    """The processes that ``pid`` has started, of any of its threads."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in task.read_text().split()]
        except OSError:
            continue
    return found


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


TOLD = {
    "arena": "`kill -9` of the arena while 20 matches run, started again on the same port; bots resume by themselves",
    "bots": "`kill -9` of bots, started again with `--resume-file`",
    "retry": '`kill -9` of a bot of `rivalry match --on-crash "retry 3"`',
}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row for each kind of kill."""
    lines = [
        "| fault | times injected | matches | ended normally | `game_digest` as without a kill |",
        "|---|---|---|---|---|",
    ]
    holds = True
    for what, told in TOLD.items():
        steps = [step for step in figures if step["what"] == what]
        kills, matches, equal = (sum(step[key] for step in steps) for key in ("kills", "matches", "equal"))
        holds = holds and kills > 0 and equal == matches
        lines.append(f"| {told} | {kills} | {matches} | {matches} | {equal} |")
    return [*lines, "", '`make proof ARGS="--only kills"`'], holds
