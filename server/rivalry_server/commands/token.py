"""``rivalry token``: tokens of bots and operators, made, listed and revoked while an arena runs or not."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from rivalry_server.commands import given, output
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind, Token, TokenError

UNITS: Final = {"m": 60, "h": 3_600, "d": 86_400}
EXPIRES_MOST_S: Final = 100 * 366 * 86_400

data_option = click.option(
    "--data", "folder", required=True, metavar="DIR", help="The folder that `rivalry serve --data` is given."
)


@click.group()
def command() -> None:
    """Make, list and revoke the tokens that bots and operators show to an arena."""


@command.command(short_help="Make a token and print it, once.")
@data_option
@click.option(
    "--kind",
    type=click.Choice([kind.value for kind in Kind]),
    required=True,
    help="A bot's asks for seats, an operator's makes and cancels matches, an owner's registers bots at a ladder.",
)
@click.option("--name", required=True, metavar="NAME", help="Whose it is, for lists and logs.")
@click.option(
    "--expires", metavar="TIME", help="How long it is good, such as 90m, 12h or 30d; for ever where not given."
)
@given.json_option
def new(folder: str, kind: str, name: str, expires: str | None, as_json: bool) -> None:
    """Make a token and print it: this once, for only a digest of it is kept."""
    given.utf8("--name", name)
    token, text = Token.made(Kind(kind), name, now=time.time(), lasts_s=_duration_s(expires))
    TokenFile(Path(folder)).changed(lambda tokens: {**tokens, token.token_id: token})
    if as_json:
        output.emit({"token": text, **_facts(token)})
    else:
        output.say(text)
        output.tell(
            f"the token of {kind} {name}, id {token.token_id}; it is shown this once.  "
            "Hand it over in RIVALRY_TOKEN or in a file of mode 600 (--token-file), not on a command line"
        )


@command.command("list", short_help="List the tokens, none of which is shown.")
@data_option
@given.json_option
def listed(folder: str, as_json: bool) -> None:
    """List ids, kinds and names of the tokens, and until when each is good."""
    now = time.time()
    tokens = TokenFile(_there(folder)).tokens().values()
    if as_json:
        output.emit({"tokens": [_facts(token) for token in tokens]})
        return
    rows = [
        (
            token.token_id,
            token.kind.value,
            token.name,
            _day(token.created),
            _day(token.expires),
            token.ended(now) or None,
        )
        for token in tokens
    ]
    output.table(("id", "kind", "name", "created", "expires", "ended"), rows)


@command.command(short_help="Revoke a token.")
@data_option
@click.argument("token_id", metavar="ID")
@given.json_option
def revoke(folder: str, token_id: str, as_json: bool) -> None:
    """Revoke the token ID: it is good for nothing from now on, and an arena that runs ends its sessions in a second."""
    if token_id.startswith("rv"):
        raise click.UsageError("expected the id of a token, as `rivalry token list` shows it, and not the token")

    def without(tokens: dict[str, Token]) -> dict[str, Token]:
        if token_id not in tokens:
            raise TokenError(f"no token has the id {token_id[:64]!r}; `rivalry token list` shows the ids")
        return {**tokens, token_id: tokens[token_id].revoke(time.time())}

    file = TokenFile(_there(folder))
    file.changed(without)
    token = file.tokens()[token_id]
    if as_json:
        output.emit(_facts(token))
    else:
        output.say(f"revoked the token of {token.kind} {token.name}, id {token_id}")


def _there(folder: str) -> Path:
    """The folder, if it is one; raises UsageError."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise click.UsageError(f"--data {folder}: a file; expected a folder")
    if not path.is_dir():
        raise click.UsageError(f"--data {folder}: there is no such folder; `rivalry token new` makes one")
    return path


def _duration_s(text: str | None) -> int | None:
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]{1,9})([mhd])", text)
    seconds = int(found[1]) * UNITS[found[2]] if found is not None else 0
    if not 0 < seconds <= EXPIRES_MOST_S:
        raise click.UsageError(f"--expires {text}: expected a whole number with m, h or d, such as 90m, 12h or 30d")
    return seconds


def _facts(token: Token) -> dict[str, Any]:
    return {
        "id": token.token_id,
        "kind": token.kind.value,
        "name": token.name,
        "created": _moment(token.created),
        "expires": _moment(token.expires),
        "revoked": _moment(token.revoked),
    }


def _moment(at: int | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at, UTC).isoformat().replace("+00:00", "Z")


def _day(at: int | None) -> str | None:
    return None if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M}Z"
