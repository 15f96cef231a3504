"""The ledger: of each decision when it went through the arena, and whose the time was."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from rivalry_server.player import Player
    from rivalry_server.seat_clock import Charge


class Stamps(NamedTuple):
    """Moments of a prompt: when it was made, by the clock; then microseconds since."""

    asked_at: float
    begun_us: int
    """Its frame was begun."""
    read_us: int
    """The answer was read, or the prompt was lost."""
    returned_us: int | None
    """The write of its frame returned; None: it had not by then."""


class Decision(NamedTuple):
    """One decision, or one prompt that was lost without any; all times in microseconds.

    Up to ``committed_us`` since the prompt was made; then what was measured from ``begun_us`` to ``read_us``, which is
    ``bot_us``, ``network_us`` and ``arena_us`` together, and more where the clock had run before.  None is a moment
    that did not come or was not seen.
    """

    seat: int
    number: int
    """The prompt's, counted from 1 for each seat."""
    kind: str
    lost: bool
    begun_us: int | None
    returned_us: int | None
    read_us: int | None
    judged_us: int | None
    committed_us: int | None
    bot_us: int
    network_us: int
    arena_us: int
    charged_us: int
    left_us: int | None
    """What was left of the time told; None without a limit."""

    @property
    def measured_us(self) -> int:
        """The whole time, from the prompt's frame to its answer."""
        return self.bot_us + self.network_us + self.arena_us


_COMMITTED: Final = Decision._fields.index("committed_us")


def decision(
    seat: int,
    number: int,
    kind: str,
    *,
    charge: Charge,
    budget_us: int | None,
    stamps: Stamps | None = None,
    lost: bool = False,
    judged_us: int | None = None,
) -> Decision:
    """A line of the ledger whose decision is not committed yet."""
    return Decision(
        seat=seat,
        number=number,
        kind=kind,
        lost=lost,
        begun_us=None if stamps is None else stamps.begun_us,
        returned_us=None if stamps is None else stamps.returned_us,
        read_us=None if stamps is None else stamps.read_us,
        judged_us=judged_us,
        committed_us=None,
        bot_us=charge.bot_us,
        network_us=charge.network_us,
        arena_us=charge.arena_us,
        charged_us=charge.charged_us,
        left_us=None if budget_us is None else max(0, budget_us - charge.charged_us),
    )


class Ledger:
    """The lines of one match, each from its decision until that is known to be kept."""

    def __init__(self, show: Callable[[Decision], None]) -> None:
        """``show`` is called with each line once it is whole."""
        self._show = show
        self._open: list[tuple[Decision, float]] = []
        """Lines whose decisions are not known to be kept, and when each was asked."""

    def enter(
        self, player: Player, kind: str, charge: Charge, stamps: Stamps | None, *, now: float, lost: bool = False
    ) -> None:
        """Writes a line, before the player's clock is settled."""
        line = decision(
            player.seat,
            player.number,
            kind,
            charge=charge,
            budget_us=player.clock.budget_us(player.number),
            stamps=stamps,
            lost=lost,
            judged_us=None if stamps is None or lost else round((now - stamps.asked_at) * 1_000_000),
        )
        self._open.append((line, now if stamps is None else stamps.asked_at))

    def committed(self, now: float) -> None:
        """What was decided is kept: a frame that follows from it is begun at ``now``."""
        lines, self._open = self._open, []
        for line, asked_at in lines:
            # Not `_replace`, which costs ten times that: this is done for every decision.
            committed_us = round((now - asked_at) * 1_000_000)
            self._show(tuple.__new__(Decision, (*line[:_COMMITTED], committed_us, *line[_COMMITTED + 1 :])))

    def close(self) -> None:
        """The match is over: nothing follows from what was decided last."""
        for line, _ in self._open:
            self._show(line)
        self._open.clear()
