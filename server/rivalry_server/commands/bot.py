"""``rivalry bot``: a built-in bot at an arena, or the beginning of one's own."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rivalry_engine.error import RivalryError
from rivalry_engine.loading import fault
from rivalry_server import files, stop
from rivalry_server.commands import given, output

if TYPE_CHECKING:
    from rivalry_client.bot import Bot


class BotCommand(click.Command):
    """Its help ends with the settings of the bot that is named beside it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named, _, _ = self.make_parser(ctx).parse_args(list(args))  # help is printed before the name is known
        ctx.meta[__name__] = named.get("name")
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        name = ctx.meta.get(__name__)
        if not isinstance(name, str) or name == "new":
            return
        bot, name = _loaded(name), name.partition("?")[0]
        rows = [(f"{each.name}={each.default}", f"{each.meaning} ({each.wording()})") for each in bot.declared]
        if rows:
            with formatter.section(f"Settings of {name}"):
                formatter.write_dl(rows)
        else:
            formatter.write_paragraph()
            formatter.write_text(f"{name} has no settings.")


@click.command(cls=BotCommand)
@click.argument("name", required=False, metavar="NAME[?KEY=VALUE&…]|new|stdio")
@click.argument("words", nargs=-1, metavar="[FILE | -- COMMAND…]")
@click.option("--address", metavar="TARGET", help="The arena; RIVALRY_ADDRESS, else 127.0.0.1:7777, where not given.")
@click.option("--token", metavar="TOKEN", help="What the arena knows it by; RIVALRY_TOKEN where not given.")
@click.option("--token-file", metavar="FILE", help="The same, in a file of one line.")
@click.option("--tls-ca", metavar="FILE", help="Speak TLS: the CA of the arena's certificate; RIVALRY_TLS_CA.")
@click.option("--tls-cert", metavar="FILE", help="The bot's own certificate, where one is asked for; RIVALRY_TLS_CERT.")
@click.option("--tls-key", metavar="FILE", help="The key of that certificate; RIVALRY_TLS_KEY.")
@click.option("--name", "shown", metavar="NAME", help="The name in tables and records.")
@click.option("--matches", type=click.IntRange(min=1), metavar="N", help="How many matches may be open at once.")
@click.option("--host-bot", metavar="TARGET", help="Wait at TARGET to be dialled, until Ctrl-C.")
@click.option("--patience", type=float, metavar="SECONDS", help="How long it tries to resume a lost stream; 60.")
@click.option("--resume-file", metavar="PATH", help="Keeps there what it goes on with when it is started again.")
@click.option("-v", "--verbose", is_flag=True, help="Tell the course of things without a terminal, too.")
def command(
    name: str | None,
    words: tuple[str, ...],
    address: str | None,
    token: str | None,
    token_file: str | None,
    tls_ca: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    shown: str | None,
    matches: int | None,
    host_bot: str | None,
    patience: float | None,
    resume_file: str | None,
    verbose: bool,
) -> int:
    """Run the bot NAME until its session ends; `rivalry bot new FILE` writes ten lines to begin your own with, and
    `rivalry bot stdio -- COMMAND…` plays as a program that reads and writes lines (clients/stdio/README.md).

    Without a NAME it lists the bots.
    """
    if name is None:
        return _list()
    if name == "new":
        return _new(words)
    if name == "stdio" and words:
        from rivalry_agents import stdio

        name, shown = stdio.spec(shlex.join(words)), shown or stdio.shown_name(shlex.join(words))
    elif words:
        raise click.UsageError(
            f"{words[0]}: only `rivalry bot new` takes a file, and only `rivalry bot stdio` a command"
        )
    arguments = [name, *(["--verbose"] if verbose else [])]
    for option, value in (
        ("--address", address),
        ("--token", token),
        ("--token-file", token_file),
        ("--tls-ca", tls_ca),
        ("--tls-cert", tls_cert),
        ("--tls-key", tls_key),
        ("--name", shown),
        ("--matches", None if matches is None else str(matches)),
        ("--host-bot", host_bot),
        ("--patience", None if patience is None else str(patience)),
        ("--resume-file", resume_file),
    ):
        arguments += [] if value is None else [f"{option}={given.utf8(option, value)}"]
    from rivalry_bots.__main__ import status

    _loaded(name)
    with stop.usual():
        return status(arguments)


def _loaded(name: str) -> type[Bot]:
    """The class of the bot ``name``, settings left aside; raises RivalryError in one line."""
    from rivalry_bots import catalog

    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        return catalog.bot_class(catalog.parsed(name).name)
    except RivalryError:
        raise
    except (Exception, SystemExit) as error:
        raise RivalryError(f"bot {name!r}: its module cannot be imported: {fault(error)}") from error


def _list() -> int:
    from rivalry_bots import catalog

    rows: list[tuple[str, str | None, str | None, str]] = []
    for name in catalog.names():
        try:
            bot = _loaded(name)
        except RivalryError as error:
            output.tell(f"rivalry: {error}")
            continue
        settings = ", ".join(f"{setting.name}={setting.default}" for setting in bot.declared)
        rows.append((name, ", ".join(bot.games) or "any", settings, _sentence(bot.__doc__)))
    output.table(("bot", "games", "settings", "what it does"), rows)
    return 0


def _sentence(text: str | None) -> str:
    """The first sentence of a docstring."""
    return " ".join((text or "").split()).partition(". ")[0].rstrip(".")


def _new(words: Sequence[str]) -> int:
    if len(words) != 1:
        raise click.UsageError("new: expected the file to write, for example `rivalry bot new my_bot.py`")
    from rivalry_client.template import TEXT

    file = words[0]
    path = Path(file)
    if not path.parent.is_dir():
        raise click.UsageError(f"{file}: there is no folder {path.parent}; make it first")
    try:
        files.made(path, TEXT.encode())
    except FileExistsError:
        raise click.UsageError(f"{file}: is there already; give another name or remove it") from None
    output.say(f'wrote {file}; let it play: rivalry match --game GAME --bot "cmd:python {file}" --bot random')
    return 0
