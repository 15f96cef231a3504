"""The command line that every bot has, for argparse; what is wrong is one line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from rivalry_client.bot import Bot
from rivalry_client.target import FORMS


class Parser(argparse.ArgumentParser):
    """Says in one line what is wrong, and exits with status 2."""

    def error(self, message: str) -> NoReturn:
        told = re.sub(r"^argument (?:-\w/)?(--[\w-]+): expected one argument$", self._expected, message)
        sys.stderr.write(f"rivalry: {told.removeprefix('argument ')}; --help lists the options\n")
        sys.exit(2)

    def _expected(self, found: re.Match[str]) -> str:
        option = found[1]
        values = {name: action.metavar for action in self._actions for name in action.option_strings}
        return f"{option}: expected {option} {values.get(option) or 'VALUE'}"


def parsed(bot: type[Bot], program: str | None, arguments: Sequence[str], given: object) -> None:
    """Fills ``given`` from ``arguments``; exits after ``--help`` and for what cannot be read."""
    declared = "".join(
        f"\n  {setting.name}={setting.default}: {setting.meaning} ({setting.wording()})" for setting in bot.declared
    )
    parser = Parser(
        prog=program,
        description=f"{bot.shown_name()}: takes a seat at a rivalry arena and plays until its session ends.",
        epilog=f"settings of this bot:{declared}" if declared else "This bot has no settings.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--address",
        metavar="TARGET",
        help=f"the arena: {FORMS} (default: RIVALRY_ADDRESS, else 127.0.0.1:7777)",
    )
    parser.add_argument(
        "--token",
        metavar="TOKEN",
        help="what the arena knows the bot by (default: RIVALRY_TOKEN, which other users cannot see)",
    )
    parser.add_argument("--token-file", metavar="FILE", help="the same, in a file of one line")
    parser.add_argument(
        "--tls-ca", metavar="FILE", help="speak TLS: the CA of the arena's certificate (default: RIVALRY_TLS_CA)"
    )
    parser.add_argument(
        "--tls-cert", metavar="FILE", help="the bot's own certificate, where one is asked for (RIVALRY_TLS_CERT)"
    )
    parser.add_argument("--tls-key", metavar="FILE", help="the key of that certificate (RIVALRY_TLS_KEY)")
    parser.add_argument("--name", metavar="NAME", help=f"the name in tables and records (default: {bot.shown_name()})")
    parser.add_argument("--matches", metavar="N", type=int, help="how many matches may be open at once (default: 1)")
    parser.add_argument(
        "--host-bot", metavar="TARGET", help="do not dial the arena but wait at TARGET to be dialled, until Ctrl-C"
    )
    parser.add_argument(
        "--patience",
        metavar="SECONDS",
        type=float,
        help="how long it tries to resume when the stream is lost (default: 60; 0: not at all)",
    )
    parser.add_argument(
        "--resume-file",
        metavar="PATH",
        help="keeps there what this bot, killed and started again, goes on with (default: RIVALRY_RESUME_FILE)",
    )
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", help="a setting of the bot; may be repeated")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="tell the course of things also when stderr is no terminal"
    )
    parser.parse_args(arguments, given)
