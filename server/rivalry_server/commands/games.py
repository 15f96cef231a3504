"""``rivalry games``: the games that are installed, and what each lets its organiser decide."""

from __future__ import annotations

from typing import Any

import click

from rivalry_engine import catalog
from rivalry_engine.game import Game
from rivalry_engine.option import Option
from rivalry_server.commands import given, output


@click.command()
@click.argument("name", required=False, metavar="[GAME]")
@given.json_option
def command(name: str | None, as_json: bool) -> None:
    """List the games; with a GAME, its options and what they mean."""
    listed = given.installed_games() if name is None else [catalog.rules(name)]
    if as_json:
        output.emit({"games": [_facts(each) for each in listed]})
    elif name is None:
        rows = [(each.name, each.title, _seats(each), each.rules_version) for each in listed]
        output.table(("game", "title", "seats", "rules"), rows, numbers=("rules",))
    else:
        (only,) = listed
        output.say(f"{only.name}: {only.title}, {_seats(only)} seats, rules version {only.rules_version}")
        output.table(
            ("option", "kind", "default", "allowed", "meaning"),
            [
                (each.name, each.kind, _default(each.default), _allowed(each), each.meaning)
                for each in only.options_declared()
            ],
        )


def _facts(game: type[Game]) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "seat_counts": list(game.seat_counts),
        "score_unit": game.score_unit,
        "imagines": game.imagines,
        "has_positions": game.has_positions,
        "options": [
            {
                "name": each.name,
                "kind": each.kind,
                "default": each.default,
                "allowed": list(each.allowed),
                "meaning": each.meaning,
            }
            for each in game.options_declared()
        ],
    }


def _seats(game: type[Game]) -> str:
    least, most = min(game.seat_counts), max(game.seat_counts)
    return str(least) if least == most else f"{least} to {most}"


def _allowed(option: Option) -> str:
    return f"only {_default(option.allowed[0])}" if len(option.allowed) == 1 else option.wording()


def _default(value: Any) -> str:
    if value is None:
        return "by chance"
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
