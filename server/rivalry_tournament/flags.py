"""The flags of commands that make a tournament: the keys of its file, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import click

from rivalry_server.commands import given as given_on_command_line
from rivalry_server.commands import spec
from rivalry_server.policies import ENDS
from rivalry_tournament import given, reading
from rivalry_tournament.given import SettingsError, Value
from rivalry_tournament.names import shown
from rivalry_tournament.settings import Kind, Settings

TEXTS: Final = {
    "name": ("TEXT", "What reports call it."),
    "kind": ("KIND", ", ".join(Kind) + "."),
    "game": ("GAME", "The game; `rivalry games` lists them."),
    "seed": ("TEXT", "Text, or 0x and hex; by chance where not given."),
    "time": ("T", "Time for a prompt, as for `rivalry match`; 30s where not given."),
    "load": ("T", "What a first prompt has until its program has played a match; 60s where --time has no first=."),
    "wait": ("T", "How long a seat may stay empty; 60s where not given."),
    "rotations": ("R", "Seats in a block: full (usual to 3 seats), cyclic (usual from 4), or 'balanced N'."),
    "splits": ("S", "Where bots share a table's seats: even splits (usual), or all."),
    "tables": ("T", "Round robin at bigger tables: all, a design of fewer, or auto (usual)."),
    "seeds": ("S", "Blocks of different tables: shared seeds (usual), or own."),
    "bye": ("B", "Swiss: a round without a table counts as a win (usual for two at a table) or half."),
}
NUMBERS: Final = {
    "seats": ("N", "Seats at a table, 2 to 6; the game's usual where not given."),
    "blocks": ("N", "Blocks that each table plays; 1 where not given."),
    "bots": ("N", "Round robin and Swiss: different bots at a table; as many as seats where not given."),
    "rounds": ("N", "Swiss: how many rounds."),
    "further": ("N", "Knockouts: further blocks for a tie that is level; 1 where not given."),
    "attempts": ("N", "Runs of a match that the arena spoils, before its block is left out; 3 where not given."),
}
EPILOG: Final = (
    "FILE is TOML with these flags as keys and the tables [entrants] (name = SPEC), [options] and [policies]"
    f' (on_illegal = "void"); flags go before it. SPEC is {spec.FORMS}. KIND is {", ".join(Kind)}.'
)


def settings_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds FILE and the flags; the command gets them by name, and ``settings`` reads them."""
    options: list[Callable[..., Any]] = [click.argument("file", required=False, metavar="[FILE]")]
    options += [click.option(f"--{key}", metavar=var, help=text) for key, (var, text) in TEXTS.items()]
    options += [click.option(f"--{key}", type=int, metavar=var, help=text) for key, (var, text) in NUMBERS.items()]
    options += [
        click.option("--bot", "bots_given", multiple=True, metavar="[NAME=]SPEC", help="An entrant; once for each."),
        click.option(
            "--subject", "subjects", multiple=True, metavar="NAME", help="Gauntlet, evaluation: who is tried."
        ),
        click.option("--concurrency", metavar="N", help="Matches at once, or auto: measured first (usual)."),
        given_on_command_line.option_option,
    ]
    for end in ENDS:
        what = end.replace("_", "-")
        options.append(click.option(f"--on-{what}", metavar="POLICY", help=f"What follows when a seat ends by {end}."))
    options.append(click.option("--grace", metavar="T", help="How long a bot whose stream was lost may stay away."))
    for option in reversed(options):
        command = option(command)
    return command


def settings(arguments: Mapping[str, Any]) -> Settings:
    """The settings of a file and flags; raises SettingsError, UsageError, or OSError that names the file."""
    path: str | None = arguments["file"]
    values = of_flags(arguments)
    if path is None and not values:
        raise click.UsageError("Missing argument 'FILE': a TOML file, or --kind, --game and --bot twice or more")
    together = given.together(path, values)
    pairs: Sequence[str] = arguments["pairs"]
    if pairs:
        name = together.text("game", None, expected="the name of a game")
        options = given_on_command_line.options(name, pairs)
        values["options"] = Value("--option", {key: Value(f"--option {key}", item) for key, item in options.items()})
        together = given.together(path, values)
    return reading.settings(together)


def of_flags(arguments: Mapping[str, Any]) -> dict[str, Value]:
    """The values of flags that were given, by key, without options of the game."""
    values = {
        key: Value(f"--{key}", arguments[key])
        for key in (*TEXTS, *NUMBERS, "concurrency")
        if arguments[key] is not None
    }
    if arguments["concurrency"] is not None and re.fullmatch("[0-9]{1,4}", arguments["concurrency"]):
        values["concurrency"] = Value("--concurrency", int(arguments["concurrency"]))
    policies = {
        name: Value(f"--{name.replace('_', '-')}", arguments[name])
        for name in (*(f"on_{end}" for end in ENDS), "grace")
        if arguments[name] is not None
    }
    if policies:
        values["policies"] = Value("--on-…", policies)
    if arguments["subjects"]:
        values["subjects"] = Value("--subject", list(arguments["subjects"]))
    if arguments["bots_given"]:
        values["entrants"] = Value("--bot", _entrants(arguments["bots_given"]))
    return values


def _entrants(texts: Sequence[str]) -> dict[str, Value]:
    """The entrants of ``NAME=SPEC`` or ``SPEC``, which is then the name as well; raises SettingsError."""
    found: dict[str, Value] = {}
    for text in texts:
        named = re.fullmatch(r"([^:?,/=]+)=(.+)", text)
        name, spec_text = (named[1], named[2]) if named else (text, text)
        if name in found:
            raise SettingsError(
                f"--bot {shown(text)}: there is an entrant '{shown(name)}'; give it another name: --bot NAME=SPEC"
            )
        found[name] = Value(f"--bot {shown(text)}", spec_text)
    return found
