"""The program ``rivalry``: finds the subcommand, runs it, and turns what goes wrong into one line and an exit status.

0 done, 1 failed or void, or not written, 2 bad input, 130 Ctrl-C, 141 nobody reads what it prints, 143 SIGTERM.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import EIO
from importlib import import_module
from io import UnsupportedOperation
from typing import Final

import click

from rivalry_engine.error import RivalryError, UnknownGameError
from rivalry_server import files, stop
from rivalry_server.commands.failure import FailedError

COMMANDS: Final = {
    "games": "List the games and their options.",
    "match": "Play a match, or many.",
    "serve": "Run an arena that bots and operators dial.",
    "arena": "Make, watch and read matches at an arena that runs.",
    "token": "Make, list and revoke the tokens that an arena asks for.",
    "journal": "Look at the matches that an arena keeps.",
    "bot": "Run a built-in bot, or begin one of your own.",
    "mcp": "Give chat agents seats, over the Model Context Protocol.",
    "replay": "Show a recorded game move by move.",
    "verify": "Check that a record is true.",
    "position": "Make positions, look at them, play on from them.",
    "ladder": "Run a ladder of bots that come and go, and ask it.",
    "tournament": "Plan, check and run tournaments whose seats and luck cancel.",
    "records": "Export results and records as Parquet or JSON lines.",
    "compare": "Find out which of two bots is better, and stop as soon as it is known.",
    "bench": "Measure the speed goals.",
    "version": "Tell the five version numbers.",
}
MODULES: Final = {
    "tournament": "rivalry_tournament.command",
    "compare": "rivalry_tournament.compare_command",
    "ladder": "rivalry_ladder.command",
    "records": "rivalry_tournament.records_command",
}
"""Where the command is that packages above this one bring; each other is in ``rivalry_server.commands``."""

UNREAD: Final = 141
"""Whoever read the output went away, as ``| head`` does: a shell says the same of its own tools."""


class Commands(click.Group):
    """The subcommands, by file; help lists them without importing one."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:  # which click would take for itself
            raise FailedError("", status=UNREAD) from error

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = MODULES.get(cmd_name, f"rivalry_server.commands.{cmd_name}")
        command = import_module(module).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.pass_context
def program(context: click.Context) -> None:
    """An arena where bots play games against each other."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run(arguments: Sequence[str]) -> int:
    """The exit status of ``rivalry`` with ``arguments``; what went wrong stands on stderr, in one line."""
    try:
        status = program.main(args=list(arguments), prog_name="rivalry", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx is not None else _path(arguments)
        return _told(path, f"{_sentence(error.format_message())}; see {path} --help", status=2)
    except click.ClickException as error:
        return _told("rivalry", error.format_message(), status=2)
    except FailedError as failure:
        if failure.status == UNREAD:
            _let_go_of_stdout()
            return UNREAD
        return _told("rivalry", str(failure), status=failure.status)
    except RivalryError as error:
        return _told("rivalry", f"{error}{_meant(error)}", status=2)
    except click.Abort as aborted:  # what click makes of a KeyboardInterrupt, Stopped among them, and of an EOFError
        cause = aborted.__cause__
        if isinstance(cause, EOFError):
            raise cause from None
        stopped = cause if isinstance(cause, KeyboardInterrupt) else KeyboardInterrupt()
        return _told("rivalry", stop.text(stopped), status=stop.status(stopped))
    except KeyboardInterrupt as stopped:
        return _told("rivalry", stop.text(stopped), status=stop.status(stopped))
    except BrokenPipeError:
        _let_go_of_stdout()
        return UNREAD
    except OSError as error:
        if error.filename is None:
            if not _unprinted(error):
                raise
            _let_go_of_stdout()
            return _told("rivalry", f"the output was not written: {error.strerror}", status=1)
        full = isinstance(error, files.UnwrittenError) or error.errno in files.FULL
        return _told("rivalry", files.told(error), status=1 if full else 2)
    except MemoryError:
        return _told("rivalry", "there is not enough memory; give it more, or less to do at once", status=1)
    return status if isinstance(status, int) else 0


def _meant(error: BaseException | None) -> str:
    """Where a name is no game, but that of one in a family: how to write it.  A family may import what is slow."""
    while error is not None and not (isinstance(error, UnknownGameError) and error.name):
        error = error.__cause__
    if error is None:
        return ""
    from rivalry_engine import catalog

    found = catalog.whole_names(error.name)
    return f"; did you mean {' or '.join(found)}?" if found else ""


def _sentence(text: str) -> str:
    """What click says, in one line and without its full stop."""
    return " ".join(text.split()).rstrip(".")


def _path(arguments: Sequence[str]) -> str:
    """The command that ``arguments`` name, where whoever found them wrong does not know it."""
    command: click.Command | None = program
    path = "rivalry"
    for word in arguments:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word)
        if command is None:
            break
        path += f" {word}"
    return path


def _unprinted(error: OSError) -> bool:
    """True if it was stdout that could not be written: each file has its name in an error, and what else fails is ours.

    What could not be written is still to be written then, unless it was much at once.
    """
    if error.errno in (*files.FULL, EIO):
        return True
    try:
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), b"")  # which fails where it is open for reading alone
    except UnsupportedOperation:  # it is no file
        return False
    except OSError:
        return True
    return False


def _let_go_of_stdout() -> None:
    """What is left to be written goes nowhere, so that Python does not complain of it at its end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _told(path: str, text: str, *, status: int) -> int:
    from rivalry_server.words import cleaned  # which takes a while, and most often nothing is told

    with suppress(OSError):  # there is nobody else to tell
        sys.stderr.write(f"{path}: {cleaned(' '.join(text.split()))}\n")  # what was given need not be text
    return status
