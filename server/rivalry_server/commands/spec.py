"""SPEC: who plays a seat, as people write it on the command line."""

from __future__ import annotations

import re
import shlex
import sys
from typing import Final

from rivalry_engine.error import RivalryError
from rivalry_engine.loading import fault
from rivalry_server.aside import set_aside
from rivalry_server.commands import given
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Dial, Listen, Occupant

FORMS: Final = "NAME, inproc:NAME, inproc:MODULE:CLASS, cmd:COMMAND LINE, stdio:COMMAND LINE, dial:TARGET or listen"


class SpecError(RivalryError):
    """A SPEC that names nobody."""


def occupant(text: str, game: str, *, what: str = "") -> Occupant:
    """Who ``text`` names, checked as far as can be without starting anything; raises SpecError.

    It is one of FORMS, and errors call it ``what``; settings follow a NAME or CLASS as ``?key=value&…``.
    """
    kind, colon, rest = text.partition(":")
    what = what or f"--bot {text}"
    if text == "listen":
        return Listen(text)
    if kind == "cmd" and colon:
        return Command(_words(what, rest), text)
    if kind == "stdio" and colon:
        return _lines(what, rest, text)
    if kind == "dial" and colon:
        return dialled(what, rest, text)
    inside = kind == "inproc" and colon != ""
    if colon and not inside and "?" not in kind:
        raise SpecError(f"{what}: expected {FORMS}")
    from rivalry_bots import catalog

    try:
        with set_aside():
            if not inside:
                return Command(catalog.command(_here(text), game), text)
            if "" not in sys.path:
                sys.path.insert(0, "")
            bot = catalog.local(rest, game, own=f"inproc:{catalog.OWN}")
    except RivalryError as error:
        raise SpecError(f"{what}: {error}") from error
    except (Exception, SystemExit) as error:
        raise SpecError(f"{what}: its module cannot be imported: {fault(error)}") from error
    return InProcess(bot, bot.name, bot.version, text)


def _here(text: str) -> str:
    """``text``; a person is told which terminal is meant, since the bot's process has none."""
    if text.partition("?")[0] != "human":
        return text
    from rivalry_agents import human

    return human.here(text)


def _lines(what: str, line: str, text: str) -> Command:
    """The bot that starts a program which reads and writes lines; raises SpecError."""
    from rivalry_agents import stdio

    try:
        return Command(stdio.command(line), text)
    except RivalryError as error:
        raise SpecError(f"{what}: {error}") from error


def _words(what: str, line: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(line))
    except ValueError as error:
        raise SpecError(f"{what}: {error}; expected a command line as a shell reads it") from error
    if not words:
        raise SpecError(f"{what}: no command; expected one, for example cmd:python my_bot.py")
    return words


def dialled(what: str, rest: str, text: str) -> Dial:
    """The bot of ``TARGET[,ca=FILE][,cert=FILE,key=FILE][,token-file=FILE]``; raises SpecError, and TlsError."""
    from rivalry_client.tls import Tls
    from rivalry_client.token_file import in_file

    target, *pairs = re.split(r",(?=(?:ca|cert|key|token-file)=)", rest)
    given: dict[str, str] = {}
    for pair in pairs:
        key, _, path = pair.partition("=")
        if key in given or not path:
            raise SpecError(f"{what}: expected {key}=FILE, once")
        given[key] = path
    names = tuple(f"{what}: {key}" for key in ("ca", "cert", "key"))
    tls = Tls(given.get("ca", ""), given.get("cert", ""), given.get("key", ""), (names[0], names[1], names[2]))
    target = _target(what, target)
    if tls:
        tls.dialling()
    token = in_file(given["token-file"], f"{what}: token-file") if "token-file" in given else ""
    return Dial(target, text, tls=tls, token=token)


def _target(what: str, target: str) -> str:
    """What gRPC takes: ``host:port``, ``[v6]:port`` or ``unix:/path``."""
    given.utf8(f"{what}:", target)
    if target.startswith("unix:") and len(target) > len("unix:"):
        return target
    host, colon, port = target.rpartition(":")
    bare = ":" not in host or (host.startswith("[") and host.endswith("]"))
    if colon and host and bare and port.isdecimal() and 0 < int(port) < 65536:
        return target
    raise SpecError(f"{what}: {target!r} is no address; expected host:port, [v6]:port or unix:/path")
