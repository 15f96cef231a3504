"""Programs that the system ends when the process that started them is killed, where the system has a tool for that.

``setpriv`` sets the parent-death signal and becomes the program, in a millisecond; a launcher in Python takes twenty.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from typing import Final

TRY_S: Final = 10.0
"""It takes a millisecond; on a busy machine that is no reason to do without it for good."""


def ending_with_us(argv: Sequence[str]) -> tuple[str, ...]:
    """``argv``, by way of ``setpriv`` if there is one; as it is if its program is not found, so that this is told."""
    launcher = _launcher()
    return (*launcher, *argv) if launcher and shutil.which(argv[0]) else tuple(argv)


@cache
def _launcher() -> tuple[str, ...]:
    """The words before a command; none where the system cannot do it."""
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    if setpriv is None:
        return ()
    words = (setpriv, "--pdeathsig", "KILL", "--")
    try:
        tried = subprocess.run(
            (*words, "true"),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=TRY_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return words if tried.returncode == 0 else ()
