"""A file that is settled once: written whole or not at all, and never replaced."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from rivalry_server import files

PART: Final = ".part"


def settle(target: Path, text: bytes) -> None:
    """Writes ``text`` to ``target``, in a folder that is made if need be; raises FileExistsError where it is, OSError.

    What a process leaves that ends meanwhile is a ``left_over``.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.{os.getpid()}{PART}")
    try:
        with files.writing(target), part.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        _link(part, target, text)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()


def left_over(path: Path, name: str) -> bool:
    """True of what a process left that ended while it settled a file called ``name``."""
    return path.name.startswith(f"{name}.") and path.suffix == PART


def _link(part: Path, target: Path, text: bytes) -> None:
    """Gives ``part`` its name; where the disk knows no links it is written anew.  Raises FileExistsError."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except OSError:
        files.made(target, text)
