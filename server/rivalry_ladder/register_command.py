"""``rivalry ladder register``: a bot, a new version of one, or more queues for it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import click

from rivalry_ladder.calls import answer
from rivalry_server import files
from rivalry_server.commands import given, output
from rivalry_server.commands.arena_where import Where, where_options


@click.command(epilog="For example: rivalry ladder register alice --version 1 --file my_bot.py")
@click.argument("name", metavar="BOT")
@click.option("--version", required=True, metavar="TEXT", help="As the bot says it in its hello, if it says one.")
@click.option("--digest", default="", metavar="SHA256", help="What its program is, in 64 hex digits.")
@click.option("--file", "file", metavar="FILE", help="The same, computed from a file.")
@click.option(
    "--owner", default="", metavar="NAME", help="Whose bot it is, where you may say so; bots of one owner do not meet."
)
@click.option("--queue", "queues", multiple=True, metavar="QUEUE", help="Where it plays; all where not given.")
@click.option("--link", is_flag=True, help="A new version's online rating begins where the one before is, less sure.")
@click.option("--new-token", is_flag=True, help="Give it another token; the one before is revoked.")
@where_options
def command(
    where: Where,
    name: str,
    version: str,
    digest: str,
    file: str | None,
    owner: str,
    queues: tuple[str, ...],
    link: bool,
    new_token: bool,
    as_json: bool,
) -> None:
    """Register BOT, or another version of it; the same again changes nothing.

    A bot that says another version in its hello is not matched; one that says none is taken for the one registered.
    The token of a new bot is printed this once.  A new version has ratings of its own, and plays a probe match first.
    """
    from rivalry_ladder.facts import facts

    if digest and file:
        raise click.UsageError("--digest and --file: give one of them")
    if file:
        digest = _digest(Path(file))
    for option, text in (("BOT", name), ("--version", version), ("--owner", owner), *(("--queue", q) for q in queues)):
        given.utf8(option, text)
    done = answer(
        where,
        "RegisterBot",
        name=name,
        version=version,
        digest=digest,
        owner=owner,
        queues=queues,
        link=link,
        new_token=new_token,
    )
    if as_json:
        output.emit(facts(done))
        return
    if done.token:
        output.say(done.token)
    what = "a new bot" if done.new_bot else "a new version" if done.new_version else "known before"
    played = ", ".join(entry.queue for entry in done.bot.entries)
    output.tell(f"{name} version {version} of {done.bot.owner}: {what}; it plays in {played}")
    if done.token:
        output.tell(
            "its token is shown this once: hand it over in RIVALRY_TOKEN or in a file of mode 600 (--token-file); "
            f"RIVALRY_TOKEN=… rivalry bot NAME --address {where.address} dials in with a built-in bot"
        )
    else:
        output.tell("its token was told when it was registered; --new-token gives it another")


def _digest(path: Path) -> str:
    """The SHA-256 of a file of any size, in hex; raises UsageError for what is no regular file, and OSError."""
    if path.exists() and not path.is_file():
        raise click.UsageError(f"--file {path}: no regular file; give the bot's own, or --digest")
    with files.reading(path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
