"""``rivalry version``: the five version numbers, each raised alone, and which build of the engine runs."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import click

from rivalry_engine import record
from rivalry_engine.compiled import is_compiled
from rivalry_server.commands import given, output
from rivalry_server.journal.store import FORMAT as JOURNAL_FORMAT
from rivalry_server.settings import PROTOCOL_MOST


@click.command()
@given.json_option
def command(as_json: bool) -> None:
    """Tell the versions of package, protocol, rules of each game, record format and journal format.

    `engine` says whether the rules that run were compiled (make compile) or are plain Python.
    """
    numbers = _numbers()
    if as_json:
        output.emit(numbers)
        return
    rules = ", ".join(f"{name} {number}" for name, number in numbers["rules"].items())
    rows = [(key.replace("_", " "), rules if key == "rules" else value) for key, value in numbers.items()]
    output.table(("what", "version"), rows)


def _numbers() -> dict[str, Any]:
    return {
        "package": version("rivalry"),
        "protocol": PROTOCOL_MOST,
        "rules": {game.name: game.rules_version for game in given.installed()[0]},
        "record_format": record.FORMAT,
        "journal_format": JOURNAL_FORMAT,
        "engine": "compiled" if is_compiled() else "plain",
    }
