"""``rivalry tournament``: a group whose subcommands stand in modules of their own, imported when they are run."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import click

SUBCOMMANDS: Final[dict[str, str]] = {
    "plan": "Show what a tournament would play, and how long that takes.",
    "run": "Play a tournament.",
    "resume": "Go on with one that was stopped or killed.",
    "status": "Tell how far one is.",
    "table": "Print the table: ratings with intervals.",
    "report": "Write tables, plots and one HTML page.",
    "check": "Check that a schedule holds what it promises.",
}
"""What the help says of each; the command is in ``rivalry_tournament.NAME_command``, named ``command``."""


class Subcommands(click.Group):
    """The subcommands, by file; help lists them without importing one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in SUBCOMMANDS:
            return None
        command = import_module(f"rivalry_tournament.{cmd_name}_command").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUBCOMMANDS.items()))


@click.group(cls=Subcommands)
def command() -> None:
    """Plan, check and run tournaments whose seats and luck cancel."""
