"""How strong ``search`` is against ``greedy`` with 200 ms a prompt: two seats, and alone against three.

A block is one seed with ``search`` once in every seat, and a step; the steps go round the four pairings, so that a
table of some of them has a part of each (``run.py --most``).  It plays in process, where no clock runs: ``ms=200`` says
what a prompt has, and it thinks for its usual share of that.  The engine is the compiled one where that comes first on
the path (``make strength``); the table says which.  This takes an hour, so ``make proof`` leaves it out.
"""

from __future__ import annotations

from typing import Any

from bench.strength import wilson, won
from rivalry_engine.chance import seed_of_match
from rivalry_engine.compiled import is_compiled

ENGINE = "engine/rivalry_engine"
BOTS = "clients/python/rivalry_bots"
ABOUT = (
    f"{ENGINE}/ethnos",
    f"{ENGINE}/foederati",
    *[f"{ENGINE}/{name}.py" for name in ("chance", "game", "playout", "prompt", "state")],
    f"{BOTS}/search",
    f"{BOTS}/search/ethnos_value.json",
    f"{BOTS}/search/ethnos_weights.json",
    f"{BOTS}/search/foederati_weights.json",
    *[f"{BOTS}/{name}.py" for name in ("greedy", "plan", "worth", "settler", "standing")],
    "tests/bench/strength.py",
)
LONG = True
BOT = "search?ms=200"
OTHER = "greedy"
ROWS = {("ethnos", 2): 100, ("ethnos", 4): 40, ("foederati", 2): 100, ("foederati", 4): 40}
"""Blocks by game and seats."""
STEPS = [
    f"{game}-{seats}-{block}"
    for block in range(max(ROWS.values()))
    for (game, seats), blocks in ROWS.items()
    if block < blocks
]


def run(step: str) -> dict[str, Any]:
    """A block: the share of the win that ``search`` has in each of its matches."""
    game, seats_text, block = step.split("-")
    seats = int(seats_text)
    seed = seed_of_match(b"search", int(block))
    shares = [won(BOT, OTHER, seat, seed, game=game, seats=seats) for seat in range(seats)]
    return {
        "game": game,
        "seats": seats,
        "blocks": 1,
        "shares": shares,
        "engine": "compiled" if is_compiled() else "plain",
        "told": f"{sum(shares):g} of {len(shares)}",
    }


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row a game and number of seats; holds where each is there and its whole interval is above an equal share."""
    lines = [
        "| game | seats | blocks | matches | engine | share of wins | 95 % interval | equal share |",
        "|---|---|---|---|---|---|---|---|",
    ]
    holds = True
    for game, seats in ROWS:
        steps = [step for step in figures if (step["game"], step["seats"]) == (game, seats)]
        shares = [share for step in steps for share in step["shares"]]
        if not shares:
            holds = False
            continue
        mean = sum(shares) / len(shares)
        least, most = wilson(mean, len(shares))
        engine = " and ".join(sorted({step["engine"] for step in steps}))
        lines.append(
            f"| {game} | {seats} | {sum(step['blocks'] for step in steps)} | {len(shares)} | {engine} | {mean:.1%}"
            f" | {least:.1%} to {most:.1%} | {1 / seats:.0%} |"
        )
        holds &= least > 1 / seats
    return lines, holds
