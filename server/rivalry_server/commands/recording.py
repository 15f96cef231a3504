"""Where records go: looked at before a match is played, and written after it."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path

import click

from rivalry_server import files
from rivalry_server.outcome import Result


def file(text: str, match_id: str, *, force: bool, option: str = "--record ") -> Path:
    """The file of ``--record``, in a folder named after the match; raises UsageError now, not after the match.

    ``option`` is what stands before ``text`` on the command line.
    """
    path = Path(text)
    if text.endswith(os.sep) or path.is_dir():
        path = folder(text, option=option) / f"{match_id}.jsonl"
    if not force:
        _spare(option + text, path, within=path != Path(text))
    try:
        if path.exists() and not os.access(path, os.W_OK):
            raise click.UsageError(f"{option}{text}: the file may not be written; expected another")
        if not _special(path):
            real = Path(os.path.realpath(path))
            if not real.parent.is_dir():
                raise click.UsageError(f"{option}{text}: there is no folder {real.parent}; make it first")
            _try(_part(real))
    except OSError as error:
        raise click.UsageError(f"{option}{text}: nothing can be written there: {error.strerror}") from error
    return path


def folder(text: str, *, option: str = "--record ") -> Path:
    """The folder of ``--record``, made if need be; raises UsageError."""
    path = Path(text)
    if path.exists() and not path.is_dir():
        raise click.UsageError(f"{option}{text}: a file; expected a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
        _try(path / ".probe")
    except OSError as error:
        raise click.UsageError(f"{option}{text}: nothing can be written there: {error.strerror}") from error
    return path


def numbered(folder: Path, number: int, count: int) -> Path:
    """The file of match ``number`` of ``count``."""
    return folder / f"{number:0{len(str(count))}}.jsonl"


def first_held(paths: Iterable[Path]) -> Path | None:
    """The first of ``paths`` that a record would take the place of: a regular file that is not empty."""
    return next((path for path in paths if _holds(path)), None)


def spare(text: str, paths: Iterable[Path]) -> None:
    """Raises UsageError if one of ``paths``, below the ``--record`` that was given, would be replaced."""
    held = first_held(paths)
    if held is not None:
        _spare(f"--record {text}", held, within=held != Path(text))


def write(result: Result, path: Path) -> None:
    """Writes the record, whole or not at all; what is no regular file is written to as it is."""
    write_text("".join(line + "\n" for line in result.record()), path)


def write_text(text: str, path: Path) -> None:
    """The same with the lines of the record."""
    data = text.encode()
    if not _special(path):
        files.replaced(Path(os.path.realpath(path)), data)
        return
    with files.writing(path), path.open("wb") as target:
        target.write(data)


def _spare(given: str, path: Path, *, within: bool) -> None:
    """Raises UsageError if ``path`` would be replaced; it is the file that was given, or lies within the folder."""
    if _holds(path):
        where = f"{path.name} is " if within else ""
        raise click.UsageError(f"{given}: {where}there already, {_content(path)}; --force replaces it")


def _holds(path: Path) -> bool:
    try:
        there = path.stat()
    except OSError:
        return False
    return stat.S_ISREG(there.st_mode) and there.st_size > 0


def _content(path: Path) -> str:
    """What is in a file, in words: the match whose record it is, else its size."""
    try:
        with path.open("rb") as there:
            head = json.loads(there.readline(1 << 16))
        return f"the record of match {head['match_id']} of {head['game']}"
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return f"a file of {path.stat().st_size} bytes that is no record"


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
