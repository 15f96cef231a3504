"""The newest resume token in a file, so that a bot that was killed goes on when it is started again."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from rivalry_engine.error import RivalryError


class ResumeFileError(RivalryError):
    """A file that cannot hold a resume token."""


class ResumeFile:
    """One line of hexadecimal digits that only its owner reads.  It is for one bot at one arena.

    The file is replaced as a whole, so that it always holds a token or is not there.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def token(self) -> bytes:
        """The token that is kept, empty if there is none; raises ResumeFileError for a file that is another's."""
        try:
            with self.path.open("rb") as file:
                text = file.read(1 << 16)
        except FileNotFoundError:
            if not self.path.parent.is_dir():
                raise ResumeFileError(f"{self.path}: there is no folder {self.path.parent}") from None
            return b""
        except OSError as error:
            raise ResumeFileError(f"{self.path}: {error.strerror}") from error
        if not text.strip():
            return b""
        if not re.fullmatch(rb"(?:[0-9a-f]{2})+\n?", text):
            raise ResumeFileError(f"{self.path}: holds something else than a resume token; name another file")
        return bytes.fromhex(text.decode())

    def keep(self, token: bytes) -> None:
        """Keeps ``token`` in place of the one before; raises OSError."""
        new = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        with suppress(FileNotFoundError):
            new.unlink()
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(token.hex().encode() + b"\n")
                file.flush()
                os.fsync(descriptor)
            new.replace(self.path)
        except OSError:
            with suppress(OSError):
                new.unlink()
            raise

    def forget(self) -> None:
        """Removes the file: there is nothing to resume."""
        with suppress(OSError):
            self.path.unlink()
