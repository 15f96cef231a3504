"""Which match begins next: so that a slow bot's matches do not fill all places while others could play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from rivalry_tournament.results import Order

AHEAD: Final = 64
"""So many of the matches that wait are looked at."""


class Admission:
    """The matches that wait, in the schedule's order, and who plays now.

    Of the first that wait, that one begins whose busiest bot is busy in the fewest matches, the earliest of equals: a
    bot whose matches last long is soon busy in many, and the others' go first.
    """

    def __init__(self, orders: Iterable[Order], *, capacity: Callable[[str], int]) -> None:
        """``capacity`` says how many seats an entrant can hold at once; one match at least is always let in."""
        self._waiting = list(orders)
        self._capacity = capacity
        self._busy: Counter[str] = Counter()
        self._seats: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def wait(self, order: Order) -> None:
        """One more, before the others."""
        self._waiting.insert(0, order)

    def next(self) -> Order | None:
        """The match that begins now; None where none can."""
        fit = [order for order in self._waiting[:AHEAD] if self._fits(order)]
        if not fit:
            return None
        order = min(fit, key=lambda order: max(self._busy[name] for name in order.seats))
        self._waiting.remove(order)
        self._busy.update(set(order.seats))
        self._seats.update(order.seats)
        return order

    def ended(self, order: Order) -> None:
        """A match that had begun is over."""
        self._busy.subtract(set(order.seats))
        self._seats.subtract(order.seats)

    def _fits(self, order: Order) -> bool:
        """True if each of its bots has room, or plays nothing now."""
        wanted = Counter(order.seats)
        return all(
            not self._seats[name] or self._seats[name] + seats <= self._capacity(name) for name, seats in wanted.items()
        )
