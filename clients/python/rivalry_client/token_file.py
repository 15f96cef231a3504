"""A token in a file: one line, which no list of processes shows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rivalry_engine.error import RivalryError

MOST_BYTES: Final = 4_096


class TokenFileError(RivalryError):
    """A file that holds no token; the message names the file and not what is in it."""


def in_file(path: str, what: str = "--token-file") -> str:
    """The token in a file; raises TokenFileError, which calls the file ``what``."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise TokenFileError(f"{what} {path}: {error.strerror}") from error
    except ValueError as error:
        raise TokenFileError(f"{what} {path!r}: {error}") from error
    token = content.strip().decode("latin-1")
    if len(content) > MOST_BYTES or not is_token(token):
        raise TokenFileError(f"{what} {path}: expected one line that is a token")
    return token


def is_token(text: str) -> bool:
    """True for what can be shown as a token: one word of ASCII."""
    return bool(text) and text.isascii() and all(" " < letter < "\x7f" for letter in text)
