"""Modules of others: what is wrong with one that cannot be imported, in one line."""

from __future__ import annotations

import traceback
from typing import Final

MACHINERY: Final = ("<frozen importlib", "importlib/")


def fault(error: BaseException) -> str:
    """Where and why an import failed: file, line and error."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    said = " ".join(str(error).split())
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames[1:] if not any(part in frame.filename for part in MACHINERY)]
    return f"{theirs[-1].filename}, line {theirs[-1].lineno}: {text}" if theirs else text
