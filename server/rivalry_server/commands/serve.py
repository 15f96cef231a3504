"""``rivalry serve``: an arena that bots and operators dial, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import contextlib
import shutil
from collections import Counter
from collections.abc import Callable, Container
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rivalry_engine.counting import counted
from rivalry_engine.naming import among
from rivalry_server import files, logs
from rivalry_server.address import of_this_machine
from rivalry_server.commands import given, output, plan
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Dial
from rivalry_server.settings import Settings

if TYPE_CHECKING:
    from rivalry_server.journal.lasting import FileJournal

_USUAL = Settings()

REGISTER = "give --register {name}=SPEC as before, or --give-up to end them"


def _each(option: str, usual: int, meaning: str) -> Callable[[Any], Any]:
    return click.option(
        option, type=click.IntRange(1, 1_000_000), default=usual, show_default=True, metavar="N", help=f"{meaning}."
    )


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
    help="A bot that matches may name: NAME=cmd:COMMAND LINE or NAME=dial:TARGET, which takes also "
    "TARGET,ca=FILE,cert=FILE,key=FILE,token-file=FILE. May be repeated.",
)
@click.option(
    "--data",
    "folder",
    metavar="DIR",
    help="Where matches are kept, so that a restart goes on with them, and the tokens that `rivalry token` makes.",
)
@click.option(
    "--give-up",
    is_flag=True,
    help="With --data: end matches whose registered bots are not registered any more, as faults of the arena.",
)
@click.option("--ask-for-tokens", is_flag=True, help="Ask on this machine too; from elsewhere one is asked for anyway.")
@click.option(
    "--tls-cert", metavar="FILE", default="", help="Speak TLS: the arena's certificate and its chain, in PEM."
)
@click.option("--tls-key", metavar="FILE", default="", help="The key of that certificate.")
@click.option("--tls-client-ca", metavar="FILE", default="", help="Take only callers with a certificate by this CA.")
@click.option(
    "--insecure",
    is_flag=True,
    help="Listen beyond this machine without TLS or without tokens: everybody on the way reads all, and whoever "
    "reaches the port makes matches.",
)
@click.option(
    "--grace", default="30s", show_default=True, metavar="T", help="How long a bot whose stream was lost may be away."
)
@click.option(
    "--drain",
    default="10s",
    show_default=True,
    metavar="T",
    help="When told to stop: how long running matches may still take to end; what is left --data keeps.",
)
@_each("--each-sessions", _USUAL.identity_sessions, "Sessions of one identity that may be open")
@_each("--each-matches", _USUAL.identity_matches, "Matches in the sessions of one identity")
@_each("--each-new", _USUAL.identity_new_per_minute, "Sessions that one identity may open in a minute")
@_each("--each-unasked", int(_USUAL.identity_unasked_per_s), "Messages a second that no prompt asked for")
@click.option(
    "--log", "level", type=click.Choice(list(logs.LEVELS)), default="info", show_default=True, help="What is logged."
)
@given.json_option
def command(
    host: str,
    port: int,
    registered: tuple[str, ...],
    folder: str | None,
    give_up: bool,
    ask_for_tokens: bool,
    tls_cert: str,
    tls_key: str,
    tls_client_ca: str,
    insecure: bool,
    grace: str,
    drain: str,
    each_sessions: int,
    each_matches: int,
    each_new: int,
    each_unasked: int,
    level: str,
    as_json: bool,
) -> int:
    """Run an arena; matches are made by CreateMatch, and bots take their seats.

    Beyond this machine it speaks TLS and asks for tokens, or is not begun.  Limits are for each identity: a token, or
    where none is shown an address.
    """
    given.utf8("--host", host)
    if folder == "":
        raise click.UsageError("--data: expected a folder, and the text given is empty; is a variable unset?")
    logs.configure(level)
    where = _address(host, port)
    from rivalry_client.tls import Tls
    from rivalry_server.journal.lasting import FileJournal
    from rivalry_server.token_file import TokenFile

    tls = Tls(tls_client_ca, tls_cert, tls_key, ("--tls-client-ca", "--tls-cert", "--tls-key"))
    if tls:
        tls.dialled()
    asks = ask_for_tokens or not (insecure or of_this_machine(where))
    if not insecure and not of_this_machine(where):
        _check_exposed(f"--host {host}", tls=bool(tls), data=folder is not None)
    if asks and folder is None:
        raise click.UsageError("--ask-for-tokens: give --data DIR, where `rivalry token new --data DIR` keeps them")
    tokens = None if folder is None else TokenFile(Path(folder))
    with files.writing(folder or ""):
        journal = None if folder is None else FileJournal(Path(folder))
    bots = dict(_registered(text) for text in registered)
    if journal is not None and not give_up:
        _check_registered(journal, bots)
    settings = Settings(
        grace_s=_seconds("--grace", grace),
        drain_s=_seconds("--drain", drain),
        ask_for_tokens=asks,
        identity_sessions=each_sessions,
        identity_matches=each_matches,
        identity_new_per_minute=each_new,
        identity_unasked_per_s=each_unasked,
        identity_unasked_burst=8 * each_unasked,
    )
    from rivalry_bots import catalog as bot_catalog
    from rivalry_server.arena import Arena
    from rivalry_server.commands.loop import run

    async def served() -> None:
        arena = Arena(settings, built_in=_built_in, registered=bots, journal=journal, tokens=tokens)
        await arena.serve(where, tls=tls, ready=_ready(as_json))

    _take_descriptors()
    logs.prepare()
    with contextlib.suppress(Exception):  # a bot of others that cannot be loaded is told of when it is asked for
        bot_catalog.names_for("")
    run(served)
    return 0


def _take_descriptors() -> None:
    """Has as many descriptors as this user may: each stream is one, and each silent connection of a stranger."""
    try:
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ImportError, ValueError, OSError):  # what there is has to do
        return


def _check_registered(journal: FileJournal, bots: Container[str], remedy: str = REGISTER) -> None:
    """Raises UsageError if matches go on with bots that are not registered: a slip that could not be undone."""
    needed: Counter[str] = Counter()
    for kept in journal.recovered.matches.values():
        seats = kept.opening.facts["seats"]
        needed.update({seat["registered"] for seat in seats if "registered" in seat and seat["registered"] not in bots})
    if needed:
        name, number = needed.most_common(1)[0]
        matches = counted(number, "match", "matches")
        raise click.UsageError(
            f"--data {journal.folder}: the registered bot {name!r} is needed by {matches}; {remedy.format(name=name)}"
        )


def _seconds(option: str, text: str) -> float:
    """A time in seconds, or none at all; raises UsageError."""
    return 0.0 if text == "0s" else plan.seconds(option, text)


def _check_exposed(what: str, *, tls: bool, data: bool) -> None:
    """Raises UsageError if an arena that can be reached from elsewhere would speak plain text, or to everybody."""
    missing = []
    if not tls:
        missing.append("TLS (--tls-cert FILE --tls-key FILE)")
    if not data:
        missing.append("tokens (--data DIR, and `rivalry token new --data DIR`)")
    if missing:
        raise click.UsageError(
            f"{what} can be reached from other machines, which takes {' and '.join(missing)}; or insist with --insecure"
        )


def _built_in(text: str, game: str) -> InProcess:
    """The bot of entry point ``rivalry.bots`` that ``text`` names, with settings; raises RivalryError.

    Whoever asks is at the other end of a connection, so that no module is imported because its name was given.
    """
    from rivalry_bots import catalog

    name = catalog.parsed(text).name
    bot = catalog.bot_class(name) if name in catalog.names() and ":" not in name else None
    if bot is None or bot.private or (bot.games and not among(game, bot.games)):
        unknown = bot is None or bot.private
        why = f"there is no built-in bot {name!r}" if unknown else f"built-in bot {name} does not play {game}"
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
    if isinstance(bot, Command) and shutil.which(bot.argv[0]) is None:
        raise click.UsageError(f"--register {text}: there is no program {bot.argv[0]!r}; give one that can be started")
    return name, bot


def _ready(as_json: bool) -> Callable[[str], None]:
    def told(address: str) -> None:
        if as_json:
            output.emit({"address": address})
        else:
            output.tell(f"the arena listens on {address}; bots: rivalry bot NAME --address {address}; Ctrl-C ends it")

    return told
