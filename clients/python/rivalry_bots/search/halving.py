"""How the time of one decision is spent: sequential halving over the root's answers (Karnin, Koren, Somekh 2013).

All answers that are left are tried in the same imagined states, so that what luck does to one it does to all.  After
each share of the time the worse half is dropped.  Where the guide's own first answer is trusted it stays to the end,
and another takes its place only if it was better by more than chance explains.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from rivalry_bots.search.guide import Guide
from rivalry_bots.search.tree import Node, Playouts
from rivalry_engine.chance import Stream
from rivalry_engine.game import Action, Game, Observation, State


class Budget:
    """What a decision may take: playouts, or seconds from now on.  ``spent`` is in thousandths."""

    def __init__(self, *, iterations: int = 0, seconds: float = 0.0) -> None:
        self._iterations = iterations
        self.seconds = seconds
        self._began = time.monotonic()
        self.done = 0
        """Playouts so far."""

    def spent(self) -> int:
        """How much of it is gone, in thousandths; 1000 and more is all of it."""
        if self._iterations:
            return 1000 * self.done // self._iterations
        return int(1000 * (time.monotonic() - self._began) / self.seconds) if self.seconds > 0 else 1000


class Candidate:
    """An answer at the root and what was learnt of it."""

    __slots__ = ("action", "gained", "node", "place", "squares", "total", "tried")

    def __init__(self, place: int, action: Action) -> None:
        self.place = place
        self.action = action
        self.node = Node()
        self.total = 0
        self.tried = 0
        self.gained = 0
        """What it brought more than the guide's own answer, in the same imagined states."""
        self.squares = 0
        """The sum of the squares of that."""

    def is_surely_better(self) -> bool:
        """True if it brought more than the guide's own answer by more than one standard error of the difference."""
        square = self.gained * self.gained
        return self.gained > 0 and self.tried * square > self.tried * self.squares - square

    def mean(self) -> int:
        """Its mean value, in 256ths."""
        return 256 * self.total // self.tried if self.tried else 0


def best(
    game: Game, seat: int, seen: Observation, actions: Sequence[Action], guide: Guide, stream: Stream, budget: Budget
) -> list[Candidate]:
    """The actions as candidates, the best first; those dropped early come last.  Nothing but ``seen`` is looked at."""
    live = [Candidate(place, action) for place, action in enumerate(actions)]
    dropped: list[Candidate] = []
    playouts = Playouts(guide, stream.word())
    rounds = max(1, (len(live) - 1).bit_length())
    for turn in range(1, rounds + 1):
        until = 1000 * turn // rounds
        while budget.spent() < until:
            deal = game.imagine(seat, seen, stream)
            if not _tried(deal, seat, live, playouts, budget):
                break
        first, others = (live[:1], live[1:]) if guide.is_trusted else ([], live)
        others.sort(key=_order)
        keep = max(1, (len(live) + 1) // 2 - len(first))
        dropped[:0] = others[keep:]
        live = first + others[:keep]
    if guide.is_trusted and len(live) > 1 and live[1].is_surely_better():
        live[:2] = live[1::-1]
    return [*live, *dropped]


def _tried(deal: State, seat: int, live: list[Candidate], playouts: Playouts, budget: Budget) -> bool:
    """Tries every candidate in one imagined state; False, and nothing counts, if the time was over before the last."""
    values: list[int] = []
    for candidate in live:
        if budget.spent() >= 1000:
            return False
        state = deal.clone()
        state.apply(seat, candidate.action)
        values.append(playouts.values(state, candidate.node)[seat])
        budget.done += 1
    for candidate, value in zip(live, values, strict=True):
        candidate.total += value
        candidate.gained += value - values[0]
        candidate.squares += (value - values[0]) ** 2
        candidate.tried += 1
    return True


def _order(candidate: Candidate) -> tuple[int, int]:
    return (-candidate.mean(), candidate.place)
