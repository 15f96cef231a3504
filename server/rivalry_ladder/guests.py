"""Who may open a session at a ladder: the bots that are registered, and whoever has the token of a seat.

Anybody else would never be matched, and would wait without being told of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import errors_pb2
from rivalry_server.greeting import RefusedError
from rivalry_server.identity import Identity, Kind

if TYPE_CHECKING:
    from rivalry_server.gate import Gate

OURS: Final = "this is a ladder, and plays bots that are registered"
REMEDY: Final = (
    "register it, rivalry ladder register BOT --version TEXT, and run it with the token that this prints: "
    "RIVALRY_TOKEN=… or --token-file FILE"
)


class Guests:
    """The ladder's rule at the gate."""

    def __init__(self, gate: Gate) -> None:
        self._registered: set[str] = set()
        gate.may_begin = self._check

    def invite(self, token_ids: Iterable[str]) -> None:
        """Whoever shows one of these tokens is a bot of the ladder."""
        self._registered.update(token_ids)

    def _check(self, who: Identity) -> None:
        if who.kind is Kind.SEAT or (who.kind is Kind.BOT and who.key in self._registered):
            return
        yours = "no token was shown" if who.kind is Kind.ADDRESS else f"the token {who.key} is of no such bot"
        raise RefusedError(errors_pb2.REFUSAL_REASON_TOKEN, ours=OURS, yours=yours, remedy=REMEDY)
