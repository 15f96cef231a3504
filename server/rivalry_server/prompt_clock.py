"""The clock of a seat's open prompt over a session: when it runs, when the flag falls, whose the time was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry_server.clock import Alarm
from rivalry_server.lag import GAP_S, LEAST_S, NEVER, sampler
from rivalry_server.ledger import Stamps

if TYPE_CHECKING:
    from collections.abc import Callable

    from rivalry_server.match import Match
    from rivalry_server.player import Player
    from rivalry_server.seat_clock import Charge
    from rivalry_server.session import Session

WAIT_S: Final = 0.02
WAITS: Final = 8
"""A flag that falls late because the loop was held up waits so long, and so often at most: an answer that came in time
may not have been read yet.  So does one that falls before the time is used up by what would be charged."""


class PromptClock:
    """Runs from the moment the frame with the prompt is begun until its legal answer is read.

    It may stand still in between, and go on with another bot: what the prompt has taken is kept in the player.
    """

    __slots__ = (
        "_alarm",
        "_began",
        "_due",
        "_lag",
        "_margin_us",
        "_now",
        "_on_flag",
        "_player",
        "_returned",
        "_session",
        "_since",
        "_waits",
        "_watchdog_us",
        "asked_at",
        "begun_at",
        "budget_us",
        "runs",
    )

    def __init__(self, session: Session, *, on_flag: Callable[[], None]) -> None:
        """``on_flag`` is called when the prompt's time is up; it asks ``charge`` for the figures."""
        self._session = session
        self._now = session.now
        self._on_flag = on_flag
        self._alarm = Alarm(session.loop, session.now, self._rang)
        self._lag = sampler(session.loop, session.now, every_s=session.settings.lag_sample_s)
        self._margin_us = 0
        self._watchdog_us = 0
        self._player: Player
        self._began = 0.0
        """When it started, less what the prompt had taken before."""
        self._since = 0.0
        """When the bot was written to last, of what it waits for."""
        self._returned = 0.0
        """When that write returned; the end of days before."""
        self._due: float | None = None
        self._waits = 0
        self.runs = False
        """True while the bot's time passes."""
        self.asked_at = 0.0
        """When the prompt was made."""
        self.begun_at: float | None = None
        """When its frame was begun; None before."""
        self.budget_us: int | None = None
        """The time that the prompt was given; None without a limit."""

    def seated(self, match: Match, player: Player) -> None:
        """The seat's part in a match begins."""
        self._player = player
        self._margin_us = match.spec.time_control.margin_us
        self._watchdog_us = match.spec.time_control.watchdog_us

    def ask(self) -> None:
        """A prompt was made; its clock starts with its frame."""
        self.asked_at = self._now()
        self.begun_at = None
        self.budget_us = self._player.clock.budget_us(self._player.number)

    def start(self, now: float) -> None:
        """The frame with the prompt is begun; written again, the clock goes on if it runs."""
        if self.begun_at is None:
            self.begun_at = now
        if not self.runs:
            self.runs = True
            self._began = now - self._player.spent_us / 1_000_000
            self._since = now
            self._returned = NEVER
            self._waits = 0
            self._lag.hold(now)
        self._due = due = self._flag_at(now)
        self._alarm.set(due)

    def returned(self, now: float) -> None:
        """The write of that frame returned."""
        if self._returned == NEVER:
            self._returned = now

    def stop(self) -> None:
        """It stands still; what the prompt has taken is kept, and counts when it starts again, here or elsewhere."""
        if self.runs:
            now = self._now()
            player = self._player
            player.spent_arena_us = self._arena_us(now)
            player.spent_us = self._measured_us(now)
        self.clear()

    def clear(self) -> None:
        """It is not needed any more."""
        if self.runs:
            self.runs = False
            self._lag.release()
        self._due = self._alarm.due = None

    def mute(self) -> None:
        """The flag does not fall for now."""
        self._due = None
        self._alarm.clear()

    def close(self) -> None:
        """The match is over."""
        self.clear()
        self._alarm.close()

    def left_us(self) -> int | None:
        """What is left of the time told; None without a limit."""
        if self.budget_us is None:
            return None
        if not self.runs:
            taken_us = self._player.spent_us - self._player.spent_arena_us
        else:
            at = self._now()
            taken_us = self._measured_us(at) - self._arena_us(at)
        left_us = self.budget_us - taken_us
        return left_us if left_us > 0 else 0

    def charge(self, at: float) -> Charge:
        """What the prompt comes to if its answer was read, or it was lost, at ``at``."""
        player = self._player
        if not self.runs:
            measured_us, arena_us = player.spent_us, player.spent_arena_us
        else:
            measured_us, arena_us = round((at - self._began) * 1_000_000), self._arena_us(at)
            if measured_us < 0:
                measured_us = 0
        return player.clock.charged(
            player.number, measured_us, network_us=self._session.pings.least_us, arena_us=arena_us
        )

    def held_up(self, charge: Charge) -> str:
        """Why the match is void because of the arena's part in ``charge`` and before; empty where it is not."""
        settings = self._session.settings
        player = self._player
        arena_us = charge.arena_us
        if arena_us > settings.arena_share_prompt_s * 1_000_000:
            told, bound_s = f"prompt {player.number} of seat {player.seat}", settings.arena_share_prompt_s
            told += f" for {_s(arena_us)} s"
        elif (arena_us := arena_us + player.clock.spent.arena_us) > settings.arena_share_s * 1_000_000:
            told, bound_s = (
                f"seat {player.seat} for {_s(arena_us)} s until prompt {player.number}",
                settings.arena_share_s,
            )
        else:
            return ""
        return f"the arena held up {told}; at most {bound_s:g} s are its share"

    def up(self, charge: Charge) -> str:
        """Why the prompt's time is up after ``charge``, in words."""
        number = self._player.number
        if self.budget_us is not None:
            shares = f"bot {_s(charge.bot_us)} s, network {_s(charge.network_us)} s, arena {_s(charge.arena_us)} s"
            return f"no legal answer to prompt {number} in {self.budget_us / 1_000_000:g} s ({shares})"
        if self._watchdog_us <= charge.measured_us:
            most_s = self._watchdog_us / 1_000_000
            return f"no legal answer to prompt {number} in {most_s:g} s, the most that it may take"
        return f"no sign of life for {self._session.settings.watchdog_s:g} s at prompt {number}"

    def rejected(self, at: float) -> None:
        """An answer that was read at ``at`` is rejected now: the bot's time goes on, if it does."""
        if not self.runs:
            return
        now = self._now()
        player = self._player
        player.spent_arena_us = self._arena_us(at) + round((now - at) * 1_000_000)
        self._since = now
        self._returned = now + GAP_S  # by then the ruling is written

    def stamps(self, at: float) -> Stamps:
        """When the prompt came through so far; its answer was read, or it was lost, at ``at``."""
        asked_at = self.asked_at
        begun_at = asked_at if self.begun_at is None else self.begun_at
        returned_us = None if self._returned == NEVER else _us(self._returned - asked_at)
        return Stamps(asked_at, _us(begun_at - asked_at), _us(at - asked_at), returned_us)

    def _measured_us(self, at: float) -> int:
        return max(0, _us(at - self._began))

    def _arena_us(self, at: float) -> int:
        """The arena's part of the time until ``at``."""
        share_us = self._player.spent_arena_us
        lag = self._lag
        if at >= lag.overdue_at or lag.late_until > self._since:
            share_us += lag.share_us(self._since, self._returned, at)
        if self._due is not None and at - self._due >= LEAST_S:
            # The flag would have fallen: the loop has not come to it.
            share_us = max(share_us, _us(at - self._due))
        return share_us

    def _flag_at(self, now: float) -> float:
        """When the time is up, with all that is not charged; for an untimed prompt when to look for signs of life."""
        began = self._began
        player = self._player
        arena_us = player.spent_arena_us
        if now > self._since:
            arena_us += self._lag.writing_us(self._since, self._returned, now)
        session = self._session
        if self.budget_us is not None:
            return self._charged_up_at(self.budget_us, arena_us)
        alive_until = (session.heard_at if session.attached else now) + session.settings.watchdog_s
        return min(alive_until, began + (self._watchdog_us + arena_us) / 1_000_000)

    def _rang(self) -> None:
        if not self.runs or self._due is None:
            return
        now = self._now()
        due = self._flag_at(now)
        if now < due:
            self._due = due
            self._alarm.set(due)
            return
        if now - self._due >= LEAST_S and self._waits < WAITS:
            self._waits += 1
            self._lag.saw(self._due, now)
            self._due = now + WAIT_S
            self._alarm.set(self._due)
            return
        used_up_at = self._used_up_at(now)
        if now < used_up_at and self._waits < WAITS:
            self._waits += 1
            self._due = min(used_up_at, now + WAIT_S)
            self._alarm.set(self._due)
            return
        self._on_flag()

    def _used_up_at(self, now: float) -> float:
        """When the time is used up by what would be charged ``now``, where that is not the same as the flag."""
        settings = self._session.settings
        arena_us = self._arena_us(now)
        if self.budget_us is None or arena_us > settings.arena_share_prompt_s * 1_000_000:
            return now
        return self._charged_up_at(self.budget_us, arena_us)

    def _charged_up_at(self, budget_us: int, arena_us: int) -> float:
        """When the budget and its margin are used up, if so much of the time is the arena's."""
        network_us, quota_us = self._session.pings.least_us, self._player.clock.quota_us
        credit_us = network_us if network_us < quota_us else quota_us
        return self._began + (budget_us + self._margin_us + credit_us + arena_us) / 1_000_000


def _s(time_us: int) -> str:
    return f"{time_us / 1_000_000:.3f}"


def _us(seconds: float) -> int:
    return round(seconds * 1_000_000)
