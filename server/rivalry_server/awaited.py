"""Seats whose bots are awaited: after the arena was restarted, and after a bot has failed in a running match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_server.lag import NEVER
from rivalry_server.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from rivalry_server.lag import LagSampler
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


class Absence:
    """The clock of an open prompt while nobody is there to answer it: its time passes, save what the arena holds up."""

    def __init__(self, player: Player, margin_us: int, lag: LagSampler, now: Callable[[], float]) -> None:
        """It runs from now on."""
        self._player = player
        self._number = player.number
        self._margin_us = margin_us
        self._lag = lag
        self._now = now
        self._since = now()
        lag.hold(self._since)

    def left_s(self) -> float | None:
        """How long it is until the flag falls; None without a limit."""
        player = self._player
        budget_us = player.clock.budget_us(self._number)
        if budget_us is None:
            return None
        passed_us, arena_us = self._passed_us()
        taken_us = player.spent_us + passed_us - player.spent_arena_us - arena_us
        return max(0, budget_us + self._margin_us - taken_us) / 1_000_000

    def over(self) -> None:
        """Somebody is there, or nobody is awaited any more: what has passed is the prompt's."""
        self._lag.release()
        player = self._player
        if player.open and player.number == self._number:
            passed_us, arena_us = self._passed_us()
            player.spent_us += passed_us
            player.spent_arena_us += arena_us

    def _passed_us(self) -> tuple[int, int]:
        """What has passed, and what of it the arena held up."""
        now = self._now()
        return round((now - self._since) * 1_000_000), self._lag.share_us(self._since, NEVER, now)
