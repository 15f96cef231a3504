"""A bot that thinks for ninety seconds and says nothing meanwhile, over gRPC with the usual keepalive of both sides."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from e2e.program import RIVALRY, environment

ABOUT = (
    "server",
    "clients/python",
    "clients/typescript/src",
    "tests/proof/silence.py",
)
THINKS_S = 90
LIMIT_S = 240
NODE = Path(__file__).resolve().parents[2] / "clients" / "typescript" / "dist" / "index.js"
PYTHON = """
import asyncio, time
import rivalry_client

class Silent(rivalry_client.Bot):
    {choose}

rivalry_client.run(Silent)
"""
AWAITING = """async def choose(self, prompt):
        await asyncio.sleep({s} if prompt.number == 1 else 0)
        return 0
"""
BLOCKING = """def choose(self, prompt):
        time.sleep({s} if prompt.number == 1 else 0)
        return 0
"""
IN_NODE = """
import {{ run }} from "{module}";

class Silent {{
  async choose(prompt) {{
    if (prompt.number === 1) await new Promise((resolve) => setTimeout(resolve, {s} * 1000));
    return {{ index: 0 }};
  }}
}}

await run(Silent);
"""
BOTS = {
    "python-async": "Python client, `async def choose`",
    "python-thread": "Python client, `def choose` in a thread of its own",
    "node": "Node client",
}
STEPS = ["together"]


def program(folder: Path, bot: str, thinks_s: float) -> str:
    """The command line of a bot that thinks so long at its first prompt."""
    if bot == "node":
        file = folder / "silent.mjs"
        file.write_text(IN_NODE.format(module=NODE.as_uri(), s=thinks_s), encoding="utf-8")
        return f"node {file} --verbose"
    file = folder / "silent.py"
    choose = (AWAITING if bot == "python-async" else BLOCKING).format(s=thinks_s)
    file.write_text(PYTHON.format(choose=choose), encoding="utf-8")
    return f"{sys.executable} {file} -v"


def run(step: str) -> dict[str, Any]:
    """Plays a match of Kuhn poker with each bot, all at once; raises AssertionError where a stream was lost."""
    with ThreadPoolExecutor(len(BOTS)) as pool:
        list(pool.map(_played, BOTS))
    return {"bots": list(BOTS), "thought_s": THINKS_S, "told": f"{THINKS_S} s of thought, no stream lost"}


def _played(bot: str) -> None:
    with TemporaryDirectory() as folder:
        command = program(Path(folder), bot, THINKS_S)
        bots = ("--bot", f"cmd:{command}", "--bot", "inproc:first")
        done = subprocess.run(
            [RIVALRY, "match", "--game", "kuhn", *bots, "--time", "2m", "--seed", "silence", "--json"],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    played = json.loads(done.stdout)
    assert [seat["end"] for seat in played["seats"]] == ["normal", "normal"], played
    assert "lost" not in done.stderr and "resum" not in done.stderr, done.stderr
    assert "rivalry: " in done.stderr, f"the bot did not say what happens to it: {done.stderr}"
    assert played["duration_s"] >= THINKS_S, played


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row for each bot."""
    lines = ["| bot | silent for | streams lost |", "|---|---|---|"]
    lines += [f"| {BOTS[bot]} | {step['thought_s']} s | 0 |" for step in figures for bot in step["bots"]]
    return [*lines, "", '`make proof ARGS="--only silence"`'], True
