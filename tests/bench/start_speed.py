"""G8: from the start of ``rivalry match`` to the first prompt."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.goal import figure, together

RUNS = 7
SEATS = 4


def first_prompt_ms(bot: str) -> float:
    """Milliseconds until a match of four such bots shows its first prompt."""
    command = [sys.executable, "-m", "rivalry_server.main", "match", "--game", "ethnos", "--show", "prompts"]
    began = time.perf_counter()
    with subprocess.Popen(
        [*command, *(["--bot", bot] * SEATS)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "prompt" in line:
                took = (time.perf_counter() - began) * 1000
                break
        else:
            raise RuntimeError(f"{command} showed no prompt")
        process.kill()
    return took


def bare_ms(imports: str) -> float:
    """Milliseconds that Python takes to start and import what cannot be done without."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", imports], check=True)
    return (time.perf_counter() - began) * 1000


def start(progress: Callable[[str], None]) -> dict[str, Any]:
    """G8: medians; the bound is an interpreter that imports gRPC, or nothing."""
    parts = {}
    for name, bot, imports, goal in (
        ("four processes", "random", "import grpc", 500.0),
        ("in process", "inproc:random", "pass", 250.0),
    ):
        first_prompt_ms(bot)
        pairs = [(first_prompt_ms(bot), bare_ms(imports)) for _ in range(RUNS)]
        value = statistics.median(pair[0] for pair in pairs)
        bound = statistics.median(pair[1] for pair in pairs)
        progress(f"G8: {name}: {value:.0f} ms; bare {bound:.0f} ms")
        parts[name] = figure(value, bound, goal, unit="ms", least=False, of="value")
    return together(parts)
