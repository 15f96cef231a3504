"""Several spectators of one match as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_engine.event import Seen
from rivalry_engine.game import Game
from rivalry_engine.prompt import StatePrompt
from rivalry_server.spectator import Spectator

if TYPE_CHECKING:
    from rivalry_server.ledger import Decision
    from rivalry_server.outcome import End, Result
    from rivalry_server.player import Player
    from rivalry_server.record import Move


class Together(Spectator):
    """Passes on what it is told, in order."""

    def __init__(self, spectators: Sequence[Spectator]) -> None:
        self._all = tuple(spectators)
        self.wants_prompts = any(each.wants_prompts for each in self._all)
        self.wants_decisions = any(each.wants_decisions for each in self._all)
        self.wants_events = any(each.wants_events for each in self._all)

    def seated(self, seat: int, name: str, version: str) -> None:
        for each in self._all:
            each.seated(seat, name, version)

    def started(self, game: Game, match_id: str, players: list[Player]) -> None:
        for each in self._all:
            each.started(game, match_id, players)

    def asked(self, seat: int, number: int) -> None:
        for each in self._all:
            each.asked(seat, number)

    def prompted(self, prompt: StatePrompt) -> None:
        for each in self._all:
            if each.wants_prompts:
                each.prompted(prompt)

    def acted(self, move: Move) -> None:
        for each in self._all:
            each.acted(move)

    def decided(self, decision: Decision) -> None:
        for each in self._all:
            if each.wants_decisions:
                each.decided(decision)

    def happened(self, seen: Seen) -> None:
        for each in self._all:
            if each.wants_events:
                each.happened(seen)

    def failed(self, seat: int, end: End, text: str) -> None:
        for each in self._all:
            each.failed(seat, end, text)

    def retried(self, seat: int, end: End, text: str, number: int) -> None:
        for each in self._all:
            each.retried(seat, end, text, number)

    def ended(self, result: Result) -> None:
        for each in self._all:
            each.ended(result)


def spectator(views: Sequence[Spectator]) -> Spectator | None:
    """Who follows a match; None for nobody."""
    return Together(views) if len(views) > 1 else views[0] if views else None
