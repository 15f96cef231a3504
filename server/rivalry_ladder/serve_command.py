"""``rivalry ladder serve``: an arena and a ladder in it, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import contextlib
from importlib.util import find_spec
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Final

import click

from rivalry_engine.error import RivalryError
from rivalry_engine.extra import install
from rivalry_server import files, logs
from rivalry_server.address import of_this_machine
from rivalry_server.commands import given, output, serve

if TYPE_CHECKING:
    from collections.abc import Callable

    from rivalry_client.tls import Tls
    from rivalry_ladder.settings import Settings as LadderSettings
    from rivalry_server.arena import Arena
    from rivalry_server.settings import Settings

PUT_BACK: Final = (
    "put [bots.{name}] back into the settings, and take it out again when its matches have ended: "
    "`rivalry ladder pause {name}` has it begin no others"
)


@click.command(
    epilog="Its settings are DIR/ladder.toml: queues, bots that the server runs, figures (server/README.md)."
)
@click.option("--data", "folder", required=True, metavar="DIR", help="Where everything is kept.")
@click.option(
    "--database", metavar="URL", help="Results and ratings, instead of DIR/ladder.db: postgresql+psycopg://HOST/NAME."
)
@click.option("--settings", "file", metavar="FILE", help="The settings, instead of DIR/ladder.toml.")
@click.option(
    "--address", default="127.0.0.1:7777", show_default=True, metavar="HOST:PORT", help="Or unix:/path; port 0: any."
)
@click.option("--ask-for-tokens", is_flag=True, help="Ask on this machine too; from elsewhere one is asked for anyway.")
@click.option("--tls-cert", metavar="FILE", default="", help="Speak TLS: the certificate and its chain, in PEM.")
@click.option("--tls-key", metavar="FILE", default="", help="The key of that certificate.")
@click.option("--tls-client-ca", metavar="FILE", default="", help="Take only callers with a certificate by this CA.")
@click.option("--insecure", is_flag=True, help="Listen beyond this machine without TLS or without tokens.")
@click.option("--grace", default="30s", show_default=True, metavar="T", help="How long a bot may be away in a match.")
@click.option(
    "--drain", default="10s", show_default=True, metavar="T", help="What running matches may take at the end."
)
@click.option(
    "--log", "level", type=click.Choice(list(logs.LEVELS)), default="info", show_default=True, help="What is logged."
)
@given.json_option
def command(
    folder: str,
    database: str | None,
    file: str | None,
    address: str,
    ask_for_tokens: bool,
    tls_cert: str,
    tls_key: str,
    tls_client_ca: str,
    insecure: bool,
    grace: str,
    drain: str,
    level: str,
    as_json: bool,
) -> int:
    """Run an arena with a ladder: bots register and dial in, and are matched and rated without an end.

    Started again on the same DIR it goes on where it was: matches that ran, bots that waited, every result once.
    """
    if folder == "":
        raise click.UsageError("--data: expected a folder, and the text given is empty; is a variable unset?")
    _check_address(given.utf8("--address", address))
    logs.configure(level)
    _check_installed()
    from rivalry_client.tls import Tls
    from rivalry_server.settings import Settings

    settings = _settings(Path(folder), file)
    tls = Tls(tls_client_ca, tls_cert, tls_key, ("--tls-client-ca", "--tls-cert", "--tls-key"))
    if tls:
        tls.dialled()
    if not insecure and not of_this_machine(address):
        serve._check_exposed(f"--address {address}", tls=bool(tls), data=True)
    arena_settings = Settings(
        grace_s=serve._seconds("--grace", grace),
        drain_s=serve._seconds("--drain", drain),
        ask_for_tokens=ask_for_tokens or not (insecure or of_this_machine(address)),
        open_matches=4_096 + settings.figures.concurrent,
    )
    _serve(Path(folder), database, settings, arena_settings, address, tls, _ready(as_json))
    return 0


def _serve(
    folder: Path,
    database: str | None,
    settings: LadderSettings,
    arena_settings: Settings,
    address: str,
    tls: Tls,
    ready: Callable[[str], None],
) -> None:
    from rivalry_bots import catalog
    from rivalry_ladder import book
    from rivalry_ladder.desk import Desk
    from rivalry_ladder.ladder import Ladder
    from rivalry_ladder.service import NAME, handlers
    from rivalry_ladder.store import FILE, Store
    from rivalry_server.arena import Arena
    from rivalry_server.commands.loop import run
    from rivalry_server.journal.lasting import FileJournal
    from rivalry_server.journal.store import FILE as JOURNAL
    from rivalry_server.token_file import TokenFile

    registered = {bot.name: bot.registered for bot in settings.bots.values() if bot.registered is not None}
    _check_built_in(settings)
    tokens = TokenFile(folder)
    anew = database is None and (folder / JOURNAL).exists() and not (folder / FILE).exists()
    with files.writing(folder):
        journal = FileJournal(folder)
    serve._check_registered(journal, registered, PUT_BACK)
    store = Store.in_folder(folder) if database is None else Store.at(database)
    if anew:
        logs.log.warning("ladder_begins_anew", why=f"{folder} has matches of an arena and no {FILE}: was it removed?")
    try:
        store.settle(lambda connection: book.settle(connection, settings, now=time()))
    except BaseException:
        store.close()
        raise

    async def served() -> None:
        arena = Arena(arena_settings, built_in=serve._built_in, registered=registered, journal=journal, tokens=tokens)
        ladder = Ladder(arena, Desk(store), settings, tokens)
        arena.services[NAME] = handlers(ladder)
        try:

            def begins(listening: str) -> None:
                ladder.begin()
                ready(listening)

            await ladder.prepare()
            await arena.serve(address, tls=tls or None, ready=begins)
        finally:
            await _stopped(arena, ladder)

    serve._take_descriptors()
    logs.prepare()
    with contextlib.suppress(Exception):
        catalog.names_for("")
    run(served)


async def _stopped(arena: Arena, ladder: object) -> None:
    from rivalry_ladder.ladder import Ladder

    assert isinstance(ladder, Ladder)
    try:
        await ladder.stop()
        await arena.stop()
    finally:
        await ladder.desk.close()


def _settings(folder: Path, file: str | None) -> LadderSettings:
    from rivalry_ladder import settings

    path = Path(file) if file is not None else folder / settings.FILE
    what = "--settings" if file is not None else "--data"
    if path.is_dir():
        raise click.UsageError(f"{what} {path}: a folder; expected a file with the settings")
    if not path.exists():
        raise click.UsageError(
            f"{what} {file or folder}: there is no {path}; write one, for example with the"
            f' two lines [queues.kuhn] and game = "kuhn"'
        )
    return settings.read(path)


def _check_installed() -> None:
    """Raises UsageError where what a ladder needs is not installed."""
    for module in ("alembic", "openskill", "sqlalchemy"):
        if find_spec(module) is None:
            raise click.UsageError(f"the ladder needs {module}, which is not installed: {install('ladder')}")


def _check_built_in(settings: LadderSettings) -> None:
    """Raises UsageError where a built-in bot of the settings is none, or does not play."""
    for queue in settings.queues.values():
        _play(queue.probe, queue.game.name, f"[queues.{queue.name}] probe")
    for bot in settings.bots.values():
        for name in bot.queues if bot.built_in else ():
            _play(bot.built_in, settings.queues[name].game.name, f"[bots.{bot.name}] run")


def _play(text: str, game: str, what: str) -> None:
    try:
        serve._built_in(text, game)
    except RivalryError as error:
        raise click.UsageError(f"{what}: {error}") from error


def _check_address(address: str) -> None:
    from rivalry_client.target import checked

    checked(address, "--address", least_port=0)


def _ready(as_json: bool) -> Callable[[str], None]:
    def told(address: str) -> None:
        if as_json:
            output.emit({"address": address})
        else:
            register = f"rivalry ladder register BOT --version V --address {address}"
            output.tell(f"the ladder is at {address}; bots: {register}; Ctrl-C ends it")

    return told
