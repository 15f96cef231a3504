"""Takes a seat at an arena: write a ``Bot``, call ``run``.

Nothing here imports gRPC or protobuf before a stream is opened, so a bot that plays in the arena's own process costs
little to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rivalry_client.bot import Bot, GivenUpError, Setting
from rivalry_client.match import Match, Measured, Outcome, Player, Ruling, SeatOutcome, TimeControl, TimeSpent
from rivalry_client.prompt import Prompt
from rivalry_client.run import run
from rivalry_engine.prompt import Answer, Resign

if TYPE_CHECKING:
    from rivalry_client.client import Client, connect
    from rivalry_client.ending import Ending

__all__ = [
    "Answer",
    "Bot",
    "Client",
    "Ending",
    "GivenUpError",
    "Match",
    "Measured",
    "Outcome",
    "Player",
    "Prompt",
    "Resign",
    "Ruling",
    "SeatOutcome",
    "Setting",
    "TimeControl",
    "TimeSpent",
    "connect",
    "run",
]

_LATE = {"Client": "rivalry_client.client", "connect": "rivalry_client.client", "Ending": "rivalry_client.ending"}


def __getattr__(name: str) -> Any:
    """The parts for asynchronous code, imported when first named."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)
