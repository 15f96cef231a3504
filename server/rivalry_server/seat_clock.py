"""What one seat has left of its time, and what each of its decisions is charged: numbers in, numbers out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from rivalry_server.clock import TimeControl

QUOTA_US: Final = 1_000_000
"""So much may be credited to a seat for the network, from the start."""
QUOTA_BACK_US: Final = 100_000
"""So much of it each decision gives back."""


class Charge(NamedTuple):
    """One decision as the seat's clock sees it; ``bot_us``, ``network_us`` and ``arena_us`` are the time measured.

    ``charged_us`` is without the arena's part and without the network's as far as the seat's quota goes; what an answer
    in time takes of the margin is not in it.  The last three are what the seat has after the decision.
    """

    in_time: bool
    bot_us: int
    network_us: int
    arena_us: int
    charged_us: int
    bank_us: int
    strikes_left: int
    quota_us: int

    @property
    def measured_us(self) -> int:
        """From the moment the prompt was written to the moment the answer was read."""
        return self.bot_us + self.network_us + self.arena_us


class Spent(NamedTuple):
    """What a seat's decisions took in a match, in microseconds."""

    bot_us: int = 0
    network_us: int = 0
    arena_us: int = 0
    charged_us: int = 0

    def json(self) -> dict[str, int]:
        """The same as programs read it."""
        return self._asdict()


NOTHING: Final = Spent()


class SeatClock:
    """The time of one seat in one match.

    ``bank_us`` is 0 where there is no bank, ``strikes_left`` where there is no soft limit.
    """

    __slots__ = (
        "_arena_us",
        "_bot_us",
        "_charged_us",
        "_first_us",
        "_increment_us",
        "_margin_us",
        "_network_us",
        "_prompt_us",
        "_soft_us",
        "bank_us",
        "quota_us",
        "strikes_left",
    )

    def __init__(self, control: TimeControl) -> None:
        self._margin_us = control.margin_us
        self._first_us = control.first_prompt_us
        self._prompt_us = control.prompt_us
        self._soft_us = control.soft_us
        self._increment_us = control.increment_us
        self.bank_us = control.bank_us or 0
        self.strikes_left = control.strikes
        self.quota_us = QUOTA_US
        self._bot_us = self._network_us = self._arena_us = self._charged_us = 0

    @property
    def spent(self) -> Spent:
        """What all decisions that were settled took."""
        return Spent(self._bot_us, self._network_us, self._arena_us, self._charged_us)

    def budget_us(self, number: int) -> int | None:
        """The time for the seat's prompt ``number``, counted from 1; None without a limit."""
        free_us = self._free_us(number)
        return None if free_us is None else free_us + self.bank_us

    def charged(self, number: int, measured_us: int, *, network_us: int, arena_us: int) -> Charge:
        """What a decision on prompt ``number`` comes to that took ``measured_us`` until now; it changes nothing yet.

        ``network_us`` is the least round trip, ``arena_us`` what the arena itself delayed.
        """
        if arena_us > measured_us:
            arena_us = measured_us
        waited_us = measured_us - arena_us
        if network_us > waited_us:
            network_us = waited_us
        credit_us = network_us if network_us <= self.quota_us else self.quota_us
        charged_us = waited_us - credit_us
        quota_us = self.quota_us - credit_us + QUOTA_BACK_US
        if quota_us > QUOTA_US:
            quota_us = QUOTA_US
        bot_us = waited_us - network_us
        bank_us, strikes_left = self.bank_us, self.strikes_left
        free_us = self._prompt_us if number > 1 and self._soft_us is None else self._free_us(number)
        in_time = True
        if free_us is not None:
            margin_us = self._margin_us
            budget_us = free_us + bank_us
            in_time = charged_us <= budget_us + margin_us
            if strikes_left and number > 1:
                soft_us = self._soft_us
                if soft_us is not None and charged_us > soft_us + margin_us:
                    strikes_left -= 1
            if charged_us > free_us:
                if in_time and charged_us > budget_us:
                    charged_us = budget_us
                bank_us -= min(bank_us, charged_us - free_us)
            if in_time:
                bank_us += self._increment_us
        # Without the detour through the constructor of a named tuple: this is done for every decision.
        return tuple.__new__(
            Charge, (in_time, bot_us, network_us, arena_us, charged_us, bank_us, strikes_left, quota_us)
        )

    def settle(self, charge: Charge) -> None:
        """The decision is made, or the prompt was lost: what it was charged is gone."""
        _, bot_us, network_us, arena_us, charged_us, self.bank_us, self.strikes_left, self.quota_us = charge
        self._bot_us += bot_us
        self._network_us += network_us
        self._arena_us += arena_us
        self._charged_us += charged_us

    def state(self) -> tuple[int, ...]:
        """All of it as plain numbers, for ``restored``."""
        return (self.bank_us, self.strikes_left, self.quota_us, *self.spent)

    @classmethod
    def restored(cls, control: TimeControl, state: tuple[int, ...]) -> SeatClock:
        """The clock whose ``state`` that was."""
        clock = cls(control)
        clock.bank_us, clock.strikes_left, clock.quota_us, *spent = state
        clock._bot_us, clock._network_us, clock._arena_us, clock._charged_us = spent
        return clock

    def _free_us(self, number: int) -> int | None:
        """The time before the bank is drawn."""
        if number == 1:
            return self._first_us
        if self._soft_us is None or self.strikes_left:
            return self._prompt_us
        return self._soft_us
