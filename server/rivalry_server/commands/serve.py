"""``rivalry serve``: an arena that bots and operators dial, until Ctrl-C or SIGTERM."""

from __future__ import annotations

from collections.abc import Callable

import click

from rivalry_server import logs
from rivalry_server.commands import given, output
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Dial


@click.command(epilog="For example: rivalry serve --register 'mine=cmd:python my_bot.py'")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST", help="Where to listen, or unix:/path.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=7777, show_default=True, help="0 takes any that is free."
)
@click.option(
    "--register",
    "registered",
    multiple=True,
    metavar="NAME=SPEC",
    help="A bot that matches may name: NAME=cmd:COMMAND LINE or NAME=dial:TARGET. May be repeated.",
)
@click.option(
    "--log", "level", type=click.Choice(list(logs.LEVELS)), default="info", show_default=True, help="What is logged."
)
@given.json_option
def command(host: str, port: int, registered: tuple[str, ...], level: str, as_json: bool) -> int:
    """Run an arena; matches are made by CreateMatch, and bots take their seats."""
    given.utf8("--host", host)
    logs.configure(level)
    bots = dict(_registered(text) for text in registered)
    from rivalry_server.arena import Arena
    from rivalry_server.commands.loop import run

    async def served() -> None:
        await Arena(built_in=_built_in, registered=bots).serve(_address(host, port), ready=_ready(as_json))

    run(served)
    return 0


def _built_in(text: str, game: str) -> InProcess:
    """The bot of entry point ``rivalry.bots`` that ``text`` names, with settings; raises RivalryError.

    Whoever asks is at the other end of a connection, so that no module is imported because its name was given.
    """
    from rivalry_bots import catalog

    name = catalog.parsed(text).name
    bot = catalog.bot_class(name) if name in catalog.names() and ":" not in name else None
    if bot is None or (bot.games and game not in bot.games):
        why = f"there is no built-in bot {name!r}" if bot is None else f"built-in bot {name} does not play {game}"
        raise catalog.UnknownBotError(f"{why}; those that do play {game} are {', '.join(catalog.names_for(game))}")
    local = catalog.local(text, game)
    return InProcess(local, local.name, local.version, text)


def _address(host: str, port: int) -> str:
    if host.startswith("unix:"):
        return host
    return f"[{host}]:{port}" if ":" in host and not host.startswith("[") else f"{host}:{port}"


def _registered(text: str) -> tuple[str, Command | Dial]:
    from rivalry_server.commands import spec

    name, equals, rest = text.partition("=")
    if not equals or not name or not rest.startswith(("cmd:", "dial:")):
        raise click.UsageError(f"--register {text}: expected NAME=cmd:COMMAND LINE or NAME=dial:TARGET")
    bot = spec.occupant(rest, "", what=f"--register {text}")
    assert isinstance(bot, Command | Dial)
    return name, bot


def _ready(as_json: bool) -> Callable[[str], None]:
    def told(address: str) -> None:
        if as_json:
            output.emit({"address": address})
        else:
            output.tell(f"the arena listens on {address}; bots: rivalry bot NAME --address {address}; Ctrl-C ends it")

    return told
