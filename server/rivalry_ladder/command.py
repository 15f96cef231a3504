"""``rivalry ladder``: a group whose subcommands stand in modules of their own, imported when they are run."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

SUBCOMMANDS: Final[dict[str, str]] = {
    "serve": "Run an arena with a ladder that runs itself.",
    "register": "Register a bot, or a new version of one.",
    "list": "List the bots, or the queues.",
    "table": "Show the official table.",
    "matches": "List matches, the newest first.",
    "show": "Show a bot: its versions, ratings and faults.",
    "why": "Tell why a bot is not playing.",
    "pause": "Have a bot, or a queue, not be matched.",
    "resume": "Have it be matched again.",
    "season": "List the seasons, or begin one.",
}
MODULES: Final[dict[str, str]] = {"serve": "serve_command", "register": "register_command", "table": "table_command"}
"""Where a subcommand is, as ``command``; the others are in ``asking_commands`` under their own names."""


class Subcommands(click.Group):
    """The subcommands, by file; help lists them without importing one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBCOMMANDS:
            return None
        if cmd_name in MODULES:
            command = import_module(f"rivalry_ladder.{MODULES[cmd_name]}").command
        else:
            command = import_module("rivalry_ladder.asking_commands").COMMANDS[cmd_name]
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))


@click.group(cls=Subcommands, epilog="`rivalry ladder serve --data DIR` runs one; DIR/ladder.toml holds its settings.")
def command() -> None:
    """A ladder: bots register, are matched, rated and watched for faults, without an end.

    Where the server asks for tokens, register, pause and resume take an owner's or an operator's, season and queues an
    operator's, and the rest takes any.
    """
