"""Where the arena is that ``rivalry arena`` speaks to, and what is shown to it."""

from __future__ import annotations

import functools
import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import click

from rivalry_server.commands import given

if TYPE_CHECKING:
    from rivalry_client.tls import Tls

USUAL: Final = "127.0.0.1:7777"


@dataclass(frozen=True, slots=True)
class Where:
    """An arena's address, the token that is shown there (empty: none), and the files of TLS."""

    address: str
    token: str = field(repr=False)
    tls: Tls

    def bot_command(self, token: str) -> str:
        """What the author of a bot runs to take the seat of ``token``, as a shell reads it."""
        words = ["rivalry", "bot", "NAME", "--address", self.address]
        if self.tls.ca:
            words += ["--tls-ca", self.tls.ca]
        return f"RIVALRY_TOKEN={shlex.quote(token)} {shlex.join(words)}"


def where_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that say where the arena is, and ``--json``; ``command`` is given the former as ``where``."""
    return given.json_option(place_options(command, otherwise=USUAL))


def place_options(command: Callable[..., Any], *, otherwise: str) -> Callable[..., Any]:
    """Adds the options that say where the arena is; ``command`` is given them as ``where``.

    ``otherwise`` says in their help which arena it is where none is given.
    """

    @functools.wraps(command)
    def placed(
        address: str | None,
        token: str | None,
        token_file: str | None,
        tls_ca: str | None,
        tls_cert: str | None,
        tls_key: str | None,
        **others: Any,
    ) -> Any:
        return command(where=_where(address, token, token_file, (tls_ca, tls_cert, tls_key)), **others)

    for option, metavar, meaning in reversed(
        (
            ("--address", "TARGET", f"The arena; RIVALRY_ADDRESS, else {otherwise}, where not given."),
            ("--token", "TOKEN", "What the arena knows you by; RIVALRY_TOKEN where not given."),
            ("--token-file", "FILE", "The same, in a file of one line."),
            ("--tls-ca", "FILE", "Speak TLS: the CA of the arena's certificate; RIVALRY_TLS_CA."),
            ("--tls-cert", "FILE", "Your own certificate, where one is asked for; RIVALRY_TLS_CERT."),
            ("--tls-key", "FILE", "The key of that certificate; RIVALRY_TLS_KEY."),
        )
    ):
        placed = click.option(option, metavar=metavar, help=meaning)(placed)
    return placed


def _where(
    address: str | None, token: str | None, token_file: str | None, files: tuple[str | None, str | None, str | None]
) -> Where:
    """What options and environment say; raises UsageError, TargetError, TokenFileError and TlsError."""
    from rivalry_client.target import checked
    from rivalry_client.tls import Tls
    from rivalry_client.token_file import in_file

    name, text = "--address", address or ""
    if not text and os.environ.get("RIVALRY_ADDRESS"):
        name, text = "RIVALRY_ADDRESS", os.environ["RIVALRY_ADDRESS"]
    target = checked(given.utf8(name, text or USUAL), name)
    if token and token_file:
        raise click.UsageError("--token and --token-file: give one of them")
    shown = in_file(token_file) if token_file else token or os.environ.get("RIVALRY_TOKEN", "")
    if any(not 32 < ord(character) < 127 for character in shown):
        raise click.UsageError(
            f"{'--token' if token else 'RIVALRY_TOKEN'}: expected a token, which is one word of ASCII"
        )
    ca, cert, key = (path or "" for path in files)
    tls = Tls(ca, cert, key) or Tls.of_environment(os.environ)
    return Where(target, shown, tls)
