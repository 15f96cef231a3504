"""``rivalry bench``: the speed goals, measured from a clone of the project, and the speed of any game."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from rivalry_engine import catalog
from rivalry_server import logs
from rivalry_server.commands import given, output
from rivalry_server.commands.failure import FailedError

CLONE = Path(__file__).resolve().parents[3]


@click.command()
@click.option("--goal", "goals", multiple=True, metavar="GOAL", help="Only this goal, for example G1. May be repeated.")
@click.option("--game", "game_name", metavar="GAME", help="The speed of this game instead, of any that is installed.")
@given.option_option
@click.option("--beside", metavar="GAME", help="With --game: the same of another game, to compare it with.")
@given.json_option
def command(
    goals: tuple[str, ...], game_name: str | None, pairs: tuple[str, ...], beside: str | None, as_json: bool
) -> int:
    """Measure what a decision, a prompt and a match cost, each beside the bound of the same run.

    With --game: how many states, choices, observations and whole matches of it are made in a second.

    Exit status: 0 when every goal is met, 1 when one is not or could not be measured; the others are told all the same.
    """
    if game_name is not None:
        if goals:
            raise click.UsageError("--goal beside --game: the goals are not about one game; give one of both")
        return _of_game(game_name, pairs, beside, as_json)
    if pairs or beside is not None:
        raise click.UsageError(f"{'--option' if pairs else '--beside'} without --game: expected --game GAME")
    try:
        measured = _measurements().run(list(goals) or None, output.tell)
    except ValueError as error:
        raise click.UsageError(f"--goal: {error}") from error
    if as_json:
        output.emit(measured)
    else:
        _show(measured)
    return 0 if all(goal["met"] for goal in measured["goals"].values()) else 1


def _of_game(name: str, pairs: tuple[str, ...], beside: str | None, as_json: bool) -> int:
    from rivalry_server.commands import bench_game

    logs.configure("warning")
    game = catalog.game(name, given.options(name, pairs))
    facts = bench_game.measured(game, output.tell, beside=None if beside is None else catalog.game(beside))
    if as_json:
        output.emit(facts)
    else:
        bench_game.show(facts)
    return 0 if facts["met"] else 1


def _measurements() -> ModuleType:
    """The module tests/bench/goals.py of the clone this package runs from."""
    path = CLONE / "tests" / "bench" / "goals.py"
    if not path.is_file():
        raise FailedError("the measurements are part of a clone, not of the package: run `make bench` in one", status=2)
    if str(path.parents[1]) not in sys.path:
        sys.path.insert(0, str(path.parents[1]))
    return import_module("bench.goals")


def _show(measured: dict[str, Any]) -> None:
    rows: list[tuple[object, ...]] = []
    for name, goal in measured["goals"].items():
        parts = goal.get("parts", {})
        rows.append((name, *[None] * 5, _met(goal)) if parts or goal["met"] is None else _row(name, goal))
        rows.extend(_row(f"  {part}", facts) for part, facts in parts.items())
    unmeasured = {name: goal for name, goal in measured["goals"].items() if goal["met"] is None}
    columns = ("goal", "value", "unit", "bound", "ratio", "asked", "met")
    output.table(columns, rows, numbers=("value", "bound", "ratio"))
    for name, goal in unmeasured.items():
        output.say(f"{name} was not measured: {goal['why']}; {goal['remedy']}")
    output.say(f"commit {measured['commit']}; {measured['machine']}")


def _row(name: str, facts: dict[str, Any]) -> tuple[object, ...]:
    asked = f"{facts.get('of', 'ratio')} {_figure(facts['goal'])}"
    return (
        name,
        _figure(facts["value"]),
        facts.get("unit"),
        _figure(facts["bound"]),
        _figure(facts["ratio"]),
        asked,
        _met(facts),
    )


def _met(facts: dict[str, Any]) -> str:
    return "not measured" if facts["met"] is None else "yes" if facts["met"] else "no"


def _figure(value: object) -> str | None:
    """A number to three figures, with thousands set apart."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None if value is None else str(value)
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"
