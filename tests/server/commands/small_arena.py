"""An arena as a program that says its address: ``small_arena.py spoils NAME=VALUE…``, the settings it has.

With ``spoils`` it fails once, so that one run of a match is spoiled.
"""

from __future__ import annotations

import asyncio
import sys

from rivalry_server import logs
from rivalry_server.arena import Arena
from rivalry_server.commands.serve import _built_in
from rivalry_server.match import Match
from rivalry_server.settings import Settings


def spoil_once() -> None:
    """Has it fail over the first action of all."""
    applied = Match._applied

    def failing(self, move):
        Match._applied = applied
        raise RuntimeError("the deck fell down")

    Match._applied = failing


async def main() -> None:
    if "spoils" in sys.argv:
        spoil_once()
    given = (word.split("=") for word in sys.argv[1:] if "=" in word)
    settings = Settings(**{name: int(value) for name, value in given})
    arena = Arena(settings, built_in=_built_in)
    await arena.serve("127.0.0.1:0", ready=lambda address: print(address, flush=True))


logs.configure("none")
asyncio.run(main())
