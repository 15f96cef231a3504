"""``rivalry games``: the games that are installed, and what each lets its organiser decide."""

from __future__ import annotations

import click

from rivalry_engine import catalog
from rivalry_engine.error import RivalryError
from rivalry_server.commands import game_table, given, output


@click.command()
@click.argument("name", required=False, metavar="[GAME]")
@given.json_option
def command(name: str | None, as_json: bool) -> None:
    """List the games; with a GAME, its options, its words and its rules in short; with a family, its games."""
    if name is None:
        _all(as_json)
        return
    family = catalog.family(name)
    if family is None:
        game = game_table.facts(catalog.rules(name), whole=True)
        if as_json:
            output.emit({"games": [game], "families": []})
        else:
            game_table.show(game)
        return
    told = game_table.family_facts(name, family)
    if told["unavailable"]:
        raise RivalryError(told["unavailable"])
    if as_json:
        output.emit({"games": [], "families": [told]})
    else:
        game_table.show_family(told)


def _all(as_json: bool) -> None:
    games, families = given.installed()
    listed = [game_table.facts(each) for each in games]
    told = [game_table.family_facts(name, each) for name, each in families.items()]
    if as_json:
        output.emit({"games": listed, "families": told})
    else:
        game_table.show_list(listed, told)
