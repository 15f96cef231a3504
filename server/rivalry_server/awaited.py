"""A seat of a match that goes on after the arena was restarted, as long as its bot is not back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_server.seat import Seat

if TYPE_CHECKING:
    from rivalry_server.match import Match
    from rivalry_server.outcome import Result
    from rivalry_server.player import Player


class AwaitedSeat(Seat):
    """Answers nothing; ``Match.reseat`` puts a bot in its place, which is then asked."""

    away = True

    def __init__(self, bot: str, name: str, version: str) -> None:
        """``name`` and ``version`` are those of the bot that sat there."""
        self.bot = bot
        self.name = name
        self.version = version

    def started(self, match: Match, player: Player) -> None:
        pass

    def ask(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def ended(self, result: Result) -> None:
        pass
