"""Weights that were fitted once and are kept beside this file, by number of seats."""

from __future__ import annotations

import json
from importlib.resources import files


def fitted(name: str, seats: int) -> dict[str, int]:
    """The weights of ``name`` for ``seats``: those for the nearest number of seats that is not above it."""
    read = json.loads((files("rivalry_bots.search") / name).read_text(encoding="utf-8"))
    found: dict[str, int] = read[max([key for key in read if key.isdecimal() and int(key) <= seats], key=int)]
    return found
