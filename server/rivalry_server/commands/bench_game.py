"""The speed of any game: what its own code and a whole match of it cost, beside another game in the same run."""

from __future__ import annotations

import json
import platform
import random
from collections.abc import Callable, Sequence
from itertools import count
from os import cpu_count, getloadavg
from time import perf_counter
from typing import Any, Final, NamedTuple

from rivalry_engine import playout
from rivalry_engine.chance import Stream
from rivalry_engine.compiled import is_compiled
from rivalry_engine.error import GameFailedError
from rivalry_engine.game import Action, Choice, Game, State
from rivalry_server import local
from rivalry_server.commands import output
from rivalry_server.commands.asking import asked
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seat import InProcess
from rivalry_server.settings import ACTIONS

SLICE_S: Final = 0.3
"""Each figure is measured for at least so long."""
SAMPLES: Final = 200
"""States of random games at which choices, observations and so on are asked for."""
HEAVY_US: Final = 1_000
"""A game that takes so long for a decision says ``heavy``, so that its arena takes its steps beside other work."""
BOT: Final = InProcess(playout.uniform, "random")


class Rate(NamedTuple):
    """How many things were done, and in how many seconds."""

    done: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.done / self.seconds

    @property
    def each_us(self) -> float:
        return 1e6 * self.seconds / self.done


class Sample(NamedTuple):
    """A state of a random game, and a seat that is asked in it."""

    state: State
    seat: int


Work = Callable[[], int]
"""Does some of what is measured, and says how much."""


def measured(game: Game, progress: Callable[[str], None], *, beside: Game | None = None) -> dict[str, Any]:
    """What ``game`` does in a second, and ``beside`` where it is given, as programs read it; raises GameFailedError."""
    figures = _figures(game, progress)
    others = {} if beside is None else _figures(beside, progress)
    decision_us = figures["decisions"].each_us
    return {
        "game": game.name,
        "options": game.options_given(),
        "beside": None if beside is None else beside.name,
        "heavy": game.heavy,
        "figures": {
            name.replace(" ", "_").lower(): {
                "per_second": round(rate.per_second, 1),
                "each_us": round(rate.each_us, 3),
                "beside_per_second": round(others[name].per_second, 1) if name in others else None,
            }
            for name, rate in figures.items()
        },
        "decision_us": round(decision_us, 3),
        "goal_us": None if game.heavy else HEAVY_US,
        "met": game.heavy or decision_us < HEAVY_US,
        "engine": "compiled" if is_compiled() else "plain",
        "machine": f"{platform.python_implementation()} {platform.python_version()}, {cpu_count()} CPUs,"
        f" load average {getloadavg()[0]:.2f}",
    }


def show(facts: dict[str, Any]) -> None:
    """The same for a person."""
    columns = ["what", "a second", "µs each"]
    rows = [
        [name.replace("_", " "), _figure(each["per_second"]), f"{each['each_us']:,.1f}"] for name, each in _all(facts)
    ]
    if facts["beside"] is not None:
        columns.append(f"{facts['beside']}, a second")
        for row, (_, each) in zip(rows, _all(facts), strict=True):
            row.append(_figure(each["beside_per_second"]))
    output.table(columns, rows, numbers=columns[1:])
    if facts["heavy"]:
        output.say("goal: none for a decision; the game says that it is heavy")
    else:
        told = "met" if facts["met"] else "not met: make it quicker, or say heavy = True"
        output.say(f"goal: a decision takes less than {HEAVY_US:,} µs of a game that does not say heavy; {told}")
    output.say(f"{facts['engine']} engine; {facts['machine']}")


def _all(facts: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return list(facts["figures"].items())


def _figure(value: float | None) -> str | None:
    return None if value is None else f"{value:,.0f}"


def _figures(game: Game, progress: Callable[[str], None]) -> dict[str, Rate]:
    found: dict[str, Rate] = {}
    with asked(game):
        for name, work in _works(game).items():
            progress(f"{game.name}: {name}")
            found[name] = _rate(work)
    return found


def _rate(work: Work) -> Rate:
    work()  # what is made once is made
    done, began = 0, perf_counter()
    while True:
        done += work()
        seconds = perf_counter() - began
        if seconds >= SLICE_S:
            return Rate(done, seconds)


def _works(game: Game) -> dict[str, Work]:
    samples = _samples(game)
    rng, seeds = Stream(b"bench", "imagine"), count()

    def new_state() -> int:
        game.new_state(b"bench/%d" % next(seeds))
        return 1

    works: dict[str, Work] = {
        "new states": new_state,
        "decisions": lambda: len(_played(game, b"bench/%d" % next(seeds))),
        "choices": _each(samples, lambda state, seat: state.choices(seat)),
        "observations": _each(samples, lambda state, seat: state.observe(seat)),
        "observations as json": _each(samples, lambda state, seat: json.dumps(state.observe(seat).json())),
        "views": _each(samples, lambda state, seat: game.view(state.observe(seat))),
        "clones": _each(samples, lambda state, seat: state.clone()),
    }
    if game.imagines:
        works["imagined states"] = _each(samples, lambda state, seat: game.imagine(seat, state.observe(seat), rng))
    works["matches"] = lambda: _match(game, b"bench/%d" % next(seeds))
    return works


def _each(samples: Sequence[Sample], ask: Callable[[State, int], object]) -> Work:
    turns = count()

    def work() -> int:
        ask(*samples[next(turns) % len(samples)])
        return 1

    return work


def _samples(game: Game) -> list[Sample]:
    samples: list[Sample] = []
    for number in range(SAMPLES):
        _played(game, b"bench/sample/%d" % number, samples)
        if len(samples) >= SAMPLES:
            break
    if not samples:
        raise GameFailedError(f"the game {game.name} failed: it asks nobody")
    return samples


def _played(game: Game, seed: bytes, samples: list[Sample] | None = None) -> list[Action]:
    """The actions of a whole random game; ``samples`` gets its states."""
    rng = random.Random(seed)
    state = game.new_state(seed)
    done: list[Action] = []
    while movers := state.movers():
        seat = movers[0]
        if samples is not None:
            samples.append(Sample(state.clone(), seat))
        action = _drawn(game, state.choices(seat), rng)
        state.apply(seat, action)
        done.append(action)
        if len(done) >= ACTIONS:
            raise GameFailedError(f"the game {game.name} failed: it has not ended after {ACTIONS:,} actions")
    return done


def _drawn(game: Game, choices: Sequence[Choice], rng: random.Random) -> Action:
    choice = choices[int(rng.random() * len(choices))]
    if not choice.most:
        return choice.action
    size = choice.least + int(rng.random() * (choice.most - choice.least + 1))
    return game.fill(choice, sorted(rng.sample(range(len(choice.parts)), size)))


def _match(game: Game, seed: bytes) -> int:
    result = local.play(MatchSpec(game, seed), [BOT] * game.seats)
    if result.void:
        raise GameFailedError(f"a match of {game.name} is void: {result.text}")
    return 1
