"""``run(MyBot)``: the command line that every bot has."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from rivalry_client.bot import Bot, SettingError

if TYPE_CHECKING:
    import argparse


class Given:
    """What the command line says; the defaults stand here, and argparse leaves them."""

    def __init__(self) -> None:
        self.address = ""
        self.token = ""
        self.name = ""
        self.matches = 1
        self.host_bot = ""
        self.set: list[str] = []
        self.verbose = False


def run(bot: type[Bot], argv: Sequence[str] | None = None) -> NoReturn:
    """Plays as the command line says until the session ends, then exits: 0 well, 1 failed, 2 never began to play."""
    sys.exit(main(bot, argv))


def main(bot: type[Bot], argv: Sequence[str] | None = None, *, program: str | None = None) -> int:
    """Plays as ``argv`` says; returns the exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    given = Given()
    if arguments:  # what an arena starts has none, and starts faster without a parser
        _parser(bot, program).parse_args(arguments, given)
    try:
        settings = bot.settings_from(_pairs(given.set))
    except SettingError as error:
        sys.stderr.write(f"rivalry: {error}\n")
        return 2
    if given.matches < 1:
        sys.stderr.write(f"rivalry: --matches {given.matches}; expected at least 1\n")
        return 2
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # the C core has lines of its own for stderr
    from rivalry_client.process import played

    try:
        ending = played(
            bot,
            settings=settings,
            address=given.address or os.environ.get("RIVALRY_ADDRESS", "") or "127.0.0.1:7777",
            host=given.host_bot,
            token=given.token or ("" if given.host_bot else os.environ.get("RIVALRY_TOKEN", "")),
            name=given.name,
            matches=given.matches,
            talkative=given.verbose or sys.stderr.isatty(),
        )
    except KeyboardInterrupt:
        sys.stderr.write("rivalry: interrupted; the bot left its seat\n")
        return 130
    return ending.status


def _pairs(given: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise SettingError(f"--set {text}: expected key=value")
        pairs[key] = value
    return pairs


def _parser(bot: type[Bot], program: str | None) -> argparse.ArgumentParser:
    import argparse

    declared = "".join(
        f"\n  {setting.name}={setting.default}: {setting.meaning} ({setting.wording()})" for setting in bot.declared
    )
    parser = argparse.ArgumentParser(
        prog=program,
        description=f"{bot.shown_name()}: takes a seat at a rivalry arena and plays until its session ends.",
        epilog=f"settings of this bot:{declared}" if declared else "This bot has no settings.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--address",
        metavar="TARGET",
        help="the arena, as host:port or unix:/path (default: RIVALRY_ADDRESS, else 127.0.0.1:7777)",
    )
    parser.add_argument(
        "--token",
        metavar="TOKEN",
        help="what the arena knows the bot by (default: RIVALRY_TOKEN, which other users cannot see)",
    )
    parser.add_argument("--name", metavar="NAME", help=f"the name in tables and records (default: {bot.shown_name()})")
    parser.add_argument("--matches", metavar="N", type=int, help="how many matches may be open at once (default: 1)")
    parser.add_argument(
        "--host-bot", metavar="TARGET", help="do not dial the arena but wait at TARGET to be dialled, until Ctrl-C"
    )
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", help="a setting of the bot; may be repeated")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="tell the course of things also when stderr is no terminal"
    )
    return parser
