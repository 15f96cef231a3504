"""How even the seats of a game are: the same bot in every seat, in process; or how strong a bot is there.

The share of wins of each seat (a win is rank 1, shared among those who have it) and its mean score, with Wilson's 95 %
interval (E. B. Wilson 1927).  Run from a clone: ``python tests/bench/balance.py GAME BOT [--games N] [--seats N]``.
With ``--against OTHER`` all other seats are OTHER's, and BOT sits once in every seat for each seed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.strength import wilson, won
from rivalry_bots import catalog as bots
from rivalry_engine import catalog
from rivalry_engine.chance import seed_of_match
from rivalry_engine.playout import play


def played(job: tuple[str, str, int, bytes]) -> tuple[tuple[float, ...], tuple[int, ...], int]:
    """Each seat's share of the win and its score in one game, and how many decisions it took."""
    name, bot, seats, seed = job
    game = catalog.game(name, {"seats": seats})
    done = play(game, [bots.local(bot, name) for _ in range(seats)], seed)
    ranks = done.state.ranks()
    shares = tuple([1 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks])
    return shares, done.state.scores(), len(done.moves)


def measured(name: str, bot: str, seats: int, games: int) -> dict[str, object]:
    """The figures of one number of seats."""
    jobs = [(name, bot, seats, seed_of_match(b"balance", number)) for number in range(games)]
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 4), mp_context=get_context("spawn")) as pool:
        found = list(pool.map(played, jobs, chunksize=4))
    rows = []
    for seat in range(seats):
        share = sum(shares[seat] for shares, _, _ in found) / games
        least, most = wilson(share, games)
        score = sum(scores[seat] for _, scores, _ in found) / games
        rows.append({"seat": seat, "share": round(share, 3), "least": round(least, 3), "most": round(most, 3)})
        rows[-1]["score"] = round(score, 1)
    return {"seats": seats, "games": games, "decisions": sum(each[2] for each in found) // games, "rows": rows}


def against(name: str, bot: str, other: str, seats: int, games: int) -> str:
    """How ``bot`` does among ``other``; ``games`` are rounded down to whole blocks, of which there is at least one."""
    blocks = max(games // seats, 1)
    games = blocks * seats
    seeds = [seed_of_match(b"against", number) for number in range(blocks)]
    share = sum(won(bot, other, seat, seed, game=name, seats=seats) for seed in seeds for seat in range(seats)) / games
    least, most = wilson(share, games)
    told = f"{share:.3f} of the wins ({least:.3f} to {most:.3f})"
    return f"{name}, {seats} seats, {bot} against {seats - 1} × {other}, {games} games: {told}"


def main() -> None:
    """Prints a table, or with --json one object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("bot")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seats", type=int, action="append")
    parser.add_argument("--against", metavar="OTHER")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    counts = given.seats or list(catalog.rules(given.game).seat_counts)
    if given.against:
        for seats in counts:
            print(against(given.game, given.bot, given.against, seats, given.games), flush=True)
        return
    tables = [measured(given.game, given.bot, seats, given.games) for seats in counts]
    if given.json:
        print(json.dumps({"game": given.game, "bot": given.bot, "tables": tables}))
        return
    for table in tables:
        print(f"{given.game}, {table['seats']} × {given.bot}, {table['games']} games, {table['decisions']} decisions")
        for row in table["rows"]:  # type: ignore[attr-defined]
            print(
                f"  seat {row['seat']}: {row['share']:.3f} of the wins ({row['least']:.3f} to {row['most']:.3f}),"
                f" mean score {row['score']}"
            )


if __name__ == "__main__":
    main()
