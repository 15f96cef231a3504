"""``run(MyBot)``: the command line that every bot has."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from rivalry_client.bot import Bot, SettingError
from rivalry_client.report import Report
from rivalry_client.resume_file import ResumeFile, ResumeFileError
from rivalry_client.target import TargetError, checked
from rivalry_client.tls import Tls, TlsError
from rivalry_client.token_file import TokenFileError, in_file, is_token

PATIENCE_MOST_S = 86_400


class Given:
    """What the command line says; the defaults stand here, and argparse leaves them."""

    def __init__(self) -> None:
        self.address = ""
        self.token = ""
        self.token_file = ""
        self.tls_ca = ""
        self.tls_cert = ""
        self.tls_key = ""
        self.name = ""
        self.matches = 1
        self.host_bot = ""
        self.patience = 60.0
        self.resume_file = ""
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
        from rivalry_client.command_line import parsed

        parsed(bot, program, arguments, given)
    try:
        settings = bot.settings_from(_pairs(given.set))
        address, host = _targets(given)
        token, tls = _shown(given)
        resume_file = _resume_file(given)
    except (SettingError, TargetError, TokenFileError, TlsError, ResumeFileError) as error:
        sys.stderr.write(f"rivalry: {error}\n")
        return 2
    if given.matches < 1:
        sys.stderr.write(f"rivalry: --matches {given.matches}; expected at least 1\n")
        return 2
    if not 0 <= given.patience <= PATIENCE_MOST_S:
        sys.stderr.write(f"rivalry: --patience {given.patience:g}; expected 0 to {PATIENCE_MOST_S} seconds\n")
        return 2
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # the C core has lines of its own for stderr
    from rivalry_client.process import TERMINATED, Terminated, played

    report = Report(talkative=given.verbose or sys.stderr.isatty())
    try:
        ending = played(
            bot,
            settings=settings,
            address=address,
            host=host,
            token=token,
            tls=tls,
            name=given.name,
            matches=given.matches,
            patience_s=given.patience,
            resume_file=resume_file,
            report=report,
        )
    except Terminated:
        report.line(f"terminated{report.left()}")
        return 128 + TERMINATED
    except KeyboardInterrupt:
        report.line(f"interrupted{report.left()}")
        return 130
    return ending.status


def _targets(given: Given) -> tuple[str, str]:
    """Where to dial and where to wait; raises TargetError that names where the text came from."""
    from_environment = "" if given.address else os.environ.get("RIVALRY_ADDRESS", "")
    address = given.address or from_environment or "127.0.0.1:7777"
    if given.host_bot:
        return address, checked(given.host_bot, "--host-bot", least_port=0)
    return checked(address, "RIVALRY_ADDRESS" if from_environment else "--address"), ""


def _resume_file(given: Given) -> ResumeFile | None:
    """The file for the resume token, checked; a host has none.  Raises ResumeFileError that names the option."""
    if given.host_bot:
        if given.resume_file:
            raise ResumeFileError("--resume-file goes with dialling: a bot that waits with --host-bot keeps no token")
        return None
    path = given.resume_file or os.environ.get("RIVALRY_RESUME_FILE", "")
    if not path:
        return None
    file = ResumeFile(path)
    try:
        file.token()
    except ResumeFileError as error:
        raise ResumeFileError(f"{'--resume-file' if given.resume_file else 'RIVALRY_RESUME_FILE'} {error}") from None
    return file


def _shown(given: Given) -> tuple[str, Tls]:
    """The token to show, or to be shown by whoever dials a host, and the files of TLS; raises TokenFileError, TlsError.

    A host takes nothing from the environment, which speaks of the arena.
    """
    if given.token and given.token_file:
        raise TokenFileError("--token and --token-file: give one of them")
    token = in_file(given.token_file) if given.token_file else given.token
    _check_token(token, "--token")
    tls = Tls(given.tls_ca, given.tls_cert, given.tls_key)
    if given.host_bot:
        if tls:
            tls.dialled()
        return token, tls
    tls = tls or Tls.of_environment(os.environ)
    if tls:
        tls.dialling()
    if not token:
        token = os.environ.get("RIVALRY_TOKEN", "")
        _check_token(token, "RIVALRY_TOKEN")
    return token, tls


def _check_token(token: str, what: str) -> None:
    """Raises TokenFileError, which does not say what is in it."""
    if token and not is_token(token):
        raise TokenFileError(f"{what}: expected a token, which is one word of ASCII")


def _pairs(given: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise SettingError(f"--set {text}: expected key=value")
        pairs[key] = value
    return pairs
