"""The stream of a seat is cut at every moment of a match, and those of two seats at random ones: nothing changes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from load.cutting import differences, played
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.game import Game
from server.tally import Tally

ABOUT = (
    "engine",
    "server",
    "clients/python",
    "proto/python/rivalry_wire",
    "tests/load/cutting.py",
    "tests/server/returning.py",
    "tests/proof/cuts.py",
)
WAYS = {"scripted": (), "client": (0,)}
"""By how seat 0 plays: the seats that the Python client plays."""
BLOCKS = 8
RANDOM = {"kuhn": 300, "tally": 200, "ethnos": 60}
"""Matches of each block with cuts at random moments."""
SEVERAL = 3
"""Cuts of each of the two seats."""
STEPS = [
    *(f"{way}-{block}" for way in WAYS for block in range(BLOCKS)),
    *(f"random-{game}-{block}" for game in RANDOM for block in range(2)),
]

Cuts = Mapping[int, Collection[int]]


def run(step: str) -> dict[str, Any]:
    """Plays the matches of one step; raises AssertionError where one differs from that without a cut."""
    way, *rest = step.split("-")
    if way == "random":
        return _random(rest[0], step)
    game = catalog.game("ethnos", {"seats": 3})
    client = WAYS[way]
    whole = played(game, {0: ()}, client=client)
    cuts = 0
    for at in range(int(rest[0]) + 1, 100_000, BLOCKS):
        cut = played(game, {0: (at,)}, client=client)
        if cut.moments[0] < at:
            break
        found = differences(cut, whole)
        assert not found, f"cut at moment {at}: {'; '.join(found)}"
        cuts += 1
    return _figures(way, matches=cuts, cuts=cuts)


def _random(name: str, step: str) -> dict[str, Any]:
    game = _game(name)
    matches = cuts = 0
    for number, seed in enumerate(_seeds(step, RANDOM[name])):
        chance = Stream(seed, "cuts")
        seats = list(range(game.seats))
        chance.shuffle(seats)
        seats = seats[:2]
        client = [seat for seat in range(game.seats) if chance.below(2)]
        whole = played(game, dict.fromkeys(seats, ()), client=client, seed=seed)
        where: Cuts = {seat: {1 + chance.below(whole.moments[seat]) for _ in range(SEVERAL)} for seat in seats}
        cut = played(game, where, client=client, seed=seed)
        found = differences(cut, whole)
        assert not found, f"{step}, match {number}, cut at {where}, client {client}: {'; '.join(found)}"
        matches += 1
        cuts += cut.cuts
    return _figures(f"random-{name}", matches=matches, cuts=cuts)


def _game(name: str) -> Game:
    if name == "tally":
        return Tally({"seats": 4, "rounds": 6})
    return catalog.game(name, {"seats": 4} if name == "ethnos" else {})


def _seeds(label: str, count: int) -> Iterator[bytes]:
    return (f"{label}/{number}".encode() for number in range(count))


def _figures(way: str, *, matches: int, cuts: int) -> dict[str, Any]:
    return {"way": way, "matches": matches, "cuts": cuts, "told": f"{cuts} cuts of {matches} matches, all the same"}


TOLD = {
    "scripted": "stream of a scripted bot cut, each moment of a match of Ethnos",
    "client": "stream of the Python client cut, each moment of a match of Ethnos",
    "random-kuhn": "streams of both seats cut at random, Kuhn poker",
    "random-tally": "streams of two seats of four cut at random, a simultaneous game",
    "random-ethnos": "streams of two seats of four cut at random, Ethnos",
}


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row for each way of cutting."""
    lines = ["| fault | matches | times injected | survived, with the same `game_digest` and no choice made twice |"]
    lines.append("|---|---|---|---|")
    for way, told in TOLD.items():
        steps = [step for step in figures if step["way"] == way]
        matches, cuts = (sum(step[key] for step in steps) for key in ("matches", "cuts"))
        lines.append(f"| {told} | {matches:,} | {cuts:,} | {cuts:,} |")
    return [*lines, "", '`make proof ARGS="--only cuts"`'], True
