"""A socket for the arena's own programs, where everybody else is spoken to in TLS.

Programs that an arena starts would need its CA, a certificate of their own where one is asked for, and an address that
the arena's certificate is for.  They are of the arena's own user, so they get a socket that only this user can reach.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

PATH_MOST: Final = 100
"""Bytes; systems take little more for the path of a socket."""


class PrivateSocket:
    """The address of a socket in a folder of its own, which has mode 0700."""

    def __init__(self) -> None:
        """Raises OSError if no folder can be made."""
        self._folder = Path(tempfile.mkdtemp(prefix="rivalry-"))
        if len(str(self._folder)) > PATH_MOST - 10:
            self.remove()
            self._folder = Path(tempfile.mkdtemp(prefix="rivalry-", dir="/tmp"))
        self.address = f"unix:{self._folder / 'arena'}"

    def remove(self) -> None:
        """Removes the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)
