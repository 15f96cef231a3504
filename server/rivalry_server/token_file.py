"""The file ``DIR/tokens``: read again whenever it has changed, written whole, never in place."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rivalry_server import files
from rivalry_server.logs import log
from rivalry_server.tokens import Token, TokenError

FORMAT: Final = 1
MOST_BYTES: Final = 16 << 20
Change = Callable[[dict[str, Token]], dict[str, Token]]


class TokenFile:
    """The tokens of one data folder, for an arena that runs while others add and revoke some."""

    def __init__(self, folder: Path) -> None:
        """Raises TokenError if there is a file that cannot be used; none is as good as an empty one."""
        self.path = folder / "tokens"
        self._tokens: dict[str, Token] = {}
        self._seen: tuple[int, ...] | None = None
        try:
            self._fresh(self._stamp())
        except NotADirectoryError:
            raise _no_folder(folder) from None

    def tokens(self) -> Mapping[str, Token]:
        """All tokens by id, as the file has them now.

        A file that cannot be used any more is logged once, and what it held last goes on being true.
        """
        stamp: tuple[int, ...] | None
        try:
            stamp = self._stamp()
        except OSError as error:
            stamp = (error.errno or 0,)
        if stamp != self._seen:
            try:
                self._fresh(stamp)
            except (TokenError, OSError) as error:
                self._seen = stamp
                log.error("tokens_unreadable", error=str(error))
        return self._tokens

    def changed(self, change: Change) -> None:
        """Writes what ``change`` makes of the tokens; of several who do so at once one waits for the other.

        Raises TokenError, and OSError that names the file.
        """
        _made(self.path.parent)
        with _alone(self.path.parent):
            self._fresh(self._stamp())
            tokens = change(dict(self._tokens))
            _written(self.path, _text(tokens))
            self._tokens, self._seen = tokens, self._stamp()

    def _stamp(self) -> tuple[int, ...] | None:
        """What differs when the file does; None if there is none."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size, found.st_mode

    def _fresh(self, stamp: tuple[int, ...] | None) -> None:
        self._tokens = {} if stamp is None else _read(self.path)
        self._seen = stamp


def _read(path: Path) -> dict[str, Token]:
    """The tokens in a file, by id; raises TokenError and OSError."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
        raise TokenError(f"{path}: no file of tokens, which `rivalry token new` writes")
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise TokenError(f"{path}: other users may write it; take that from them: chmod 600 {path}")
    try:
        document = json.loads(files.content(path, most=MOST_BYTES).decode())
        written = document["format"]
        rows = document["tokens"]
    except (ValueError, RecursionError, KeyError, TypeError):
        raise TokenError(
            f"{path}: cannot be read as a file of tokens; restore it, or remove it and make new ones"
        ) from None
    if written != FORMAT:
        raise TokenError(f"{path}: has format {written!r}, this rivalry reads {FORMAT}; use the rivalry that wrote it")
    if not isinstance(rows, list):
        raise TokenError(f"{path}: its tokens are no list; restore it, or remove it and make new ones")
    try:
        tokens = [Token.of(row) for row in rows]
    except TokenError as error:
        raise TokenError(f"{path}: {error}") from error
    return {token.token_id: token for token in tokens}


def _text(tokens: Mapping[str, Token]) -> str:
    rows = ",\n".join(json.dumps(token.row(), ensure_ascii=False) for token in tokens.values())
    return f'{{"format": {FORMAT}, "tokens": [\n{rows}\n]}}\n'


def _made(folder: Path) -> None:
    """Makes the folder, for this user alone, if it is not there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise _no_folder(folder) from None


def _no_folder(folder: Path) -> TokenError:
    return TokenError(f"{folder}: is no folder; give one that tokens are kept in")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """While it lasts no other process changes the tokens of ``folder``."""
    import fcntl

    lock = os.open(folder / "tokens.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _written(path: Path, text: str) -> None:
    """Puts a file with ``text`` in the place of ``path``, where at every moment a whole one is: the old or the new."""
    new = path.with_name(f"tokens.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with files.writing(path), os.fdopen(file, "w", encoding="utf-8") as out:
            os.fchmod(file, 0o600)  # whatever the umask says
            out.write(text)
            out.flush()
            os.fsync(file)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        with files.writing(path):
            os.fsync(folder)
    finally:
        os.close(folder)
