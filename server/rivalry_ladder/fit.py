"""Fits official tables in a process of its own, which the server starts: a fit takes seconds, and its loop may not.

``python -m rivalry_ladder.fit`` reads one JSON object, ``{log: [[match_id, attempt, body], …], alpha, resamples}``, on
stdin, and writes the table to stdout.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from rivalry_ladder.official import Line, table

NICE = 10
"""Matches that run come first."""


async def fitted(log: Sequence[Line], *, alpha: float, resamples: int) -> dict[str, Any]:
    """The official table, fitted elsewhere; raises RuntimeError if that fails, which is our fault."""
    if not log:
        return table(log, alpha=alpha, resamples=resamples)
    asked = {"log": [[line.match_id, line.attempt, line.body] for line in log], "alpha": alpha, "resamples": resamples}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "rivalry_ladder.fit",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = await process.communicate(json.dumps(asked).encode())
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    if process.returncode != 0:
        why = err.decode(errors="replace").strip().splitlines()[-1:] or [f"status {process.returncode}"]
        raise RuntimeError(f"the table could not be fitted: {why[0][:300]}")
    told: dict[str, Any] = json.loads(out)
    return told


def main() -> None:
    """Reads, fits, writes."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICE)
    asked = json.load(sys.stdin)
    log = [Line(*line) for line in asked["log"]]
    json.dump(table(log, alpha=asked["alpha"], resamples=asked["resamples"]), sys.stdout)


if __name__ == "__main__":
    main()
