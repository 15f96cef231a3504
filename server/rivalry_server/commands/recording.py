"""Where records go: looked at before a match is played, and written after it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import click

from rivalry_server.outcome import Result


def file(text: str) -> Path:
    """The file of ``--record``; raises UsageError now rather than after the match."""
    path = Path(text)
    if path.is_dir():
        raise click.UsageError(f"--record {text}: a folder; expected a file, or --count beside it")
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise click.UsageError(f"--record {text}: the file may not be written; expected another")
        if not _special(path):
            real = Path(os.path.realpath(path))
            if not real.parent.is_dir():
                raise click.UsageError(f"--record {text}: there is no folder {real.parent}; make it first")
            _try(_part(real))
    except OSError as error:
        raise click.UsageError(f"--record {text}: nothing can be written there: {error.strerror}") from error
    return path


def folder(text: str) -> Path:
    """The folder of ``--record`` with ``--count``, made if need be; raises UsageError."""
    path = Path(text)
    if path.exists() and not path.is_dir():
        raise click.UsageError(f"--record {text}: a file; with --count expected a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
        _try(path / ".probe")
    except OSError as error:
        raise click.UsageError(f"--record {text}: nothing can be written there: {error.strerror}") from error
    return path


def write(result: Result, path: Path) -> None:
    """Writes the record, whole or not at all; what is no regular file is written to as it is."""
    text = "".join(line + "\n" for line in result.record())
    if _special(path):
        with path.open("w", encoding="utf-8") as target:
            target.write(text)
        return
    real = Path(os.path.realpath(path))
    part = _part(real)
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(real)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _special(path: Path) -> bool:
    """True for a pipe, a device and the like, which a record must not take the place of."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return False


def _part(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def _try(path: Path) -> None:
    """Raises OSError if ``path`` cannot be written."""
    path.touch()
    path.unlink()
