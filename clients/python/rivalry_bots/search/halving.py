"""How the time of one decision is spent: sequential halving over the root's answers (Karnin, Koren, Somekh 2013).

All answers that are left are tried in the same imagined states, so that what luck does to one it does to all.  After
each share of the time the worse half is dropped.

Where a guide's first answer is good and its prices are worth something, this is a rollout algorithm (Tesauro, Galperin
1996): that answer stays to the end, and what another is worth beside it is judged by its price and by what it brought,
each by how sure it is (``Candidate.judged``).  One that is surely worse is dropped at once (a race: Maron, Moore 1994),
and when only one is left the decision is made before its time is over.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import isqrt
from typing import Final

from rivalry_bots.search.guide import Guide, Look
from rivalry_bots.search.tree import Node, Playouts
from rivalry_engine.chance import Stream
from rivalry_engine.game import Game, Observation, State

FEW: Final = 8
"""So many tries count beside the real ones when it is judged how far apart two playouts end."""
RACED: Final = 8
"""Before so many tries nobody is dropped as surely worse."""
SURE: Final = 200
"""A candidate is surely worse if it is behind by more than so many hundredths of a standard deviation."""


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

    __slots__ = ("behind", "gained", "look", "node", "place", "squares", "total", "tried")

    def __init__(self, place: int, look: Look, behind: int = 0) -> None:
        self.place = place
        self.look = look
        self.behind = behind
        """How far its price is below that of the guide's own answer."""
        self.node = Node()
        self.total = 0
        self.tried = 0
        self.gained = 0
        """What it brought more than the guide's own answer, in the same imagined states."""
        self.squares = 0
        """The sum of the squares of that."""

    def mean(self) -> int:
        """Its mean value, in 256ths."""
        return 256 * self.total // self.tried if self.tried else 0

    def judged(self, guide: Guide) -> tuple[int, int]:
        """What it is worth beside the guide's own answer, and how sure that is, as a standard deviation.

        By Bayes, for normal distributions: its price may be wrong by ``doubt``, and what it brought by chance, of which
        ``noise`` is the first guess.
        """
        if not self.place:
            return 0, 0
        wrong, tried = guide.doubt * guide.doubt, self.tried
        spread = self.squares + FEW * guide.noise * guide.noise
        if tried:
            spread -= self.gained * self.gained // tried
        spread = spread // (tried + FEW) + 1
        whole = spread + tried * wrong
        return (self.gained * wrong - self.behind * spread) // whole, isqrt(spread * wrong // whole)


def best(
    game: Game, seat: int, seen: Observation, looks: Sequence[Look], guide: Guide, stream: Stream, budget: Budget
) -> list[Candidate]:
    """The answers as candidates, the best first; those dropped early come last.  Nothing but ``seen`` is looked at."""
    live = [Candidate(place, look, looks[0].price - look.price) for place, look in enumerate(looks)]
    dropped: list[Candidate] = []
    playouts = Playouts(guide, stream.word())
    rounds = max(1, (len(live) - 1).bit_length())
    for turn in range(1, rounds + 1):
        until = 1000 * turn // rounds
        while len(live) > 1 and budget.spent() < until:
            if not _tried(game.imagine(seat, seen, stream), seat, live, playouts, budget):
                break
            if guide.doubt:
                _race(live, dropped, guide)
        _order(live, guide)
        if turn < rounds:
            keep = max(2, (len(live) + 1) // 2)
            dropped[:0] = _cut(live, keep)
    return [*live, *dropped]


def _order(live: list[Candidate], guide: Guide) -> None:
    """The best first."""
    if guide.doubt:
        live.sort(key=lambda candidate: (-candidate.judged(guide)[0], candidate.place))
    else:
        live.sort(key=lambda candidate: (-candidate.mean(), candidate.place))


def _cut(live: list[Candidate], keep: int) -> list[Candidate]:
    """Takes all but the first few out of ``live``, never the guide's own answer, which the others are measured by."""
    cut = [candidate for candidate in live[keep:] if candidate.place]
    live[:] = [candidate for candidate in live if candidate not in cut]
    return cut


def _race(live: list[Candidate], dropped: list[Candidate], guide: Guide) -> None:
    """Drops those that are surely worse than the best."""
    if live[-1].tried < RACED:
        return
    judged = {candidate.place: candidate.judged(guide) for candidate in live}
    top = max([worth for worth, _ in judged.values()])
    for candidate in live[:]:
        worth, deviation = judged[candidate.place]
        if candidate.place and worth + SURE * deviation // 100 < top:
            live.remove(candidate)
            dropped.insert(0, candidate)
    if len(live) == 2 and not live[0].place:
        worth, deviation = judged[live[1].place]
        if worth > SURE * deviation // 100:
            dropped.insert(0, live.pop(0))


def _tried(deal: State, seat: int, live: list[Candidate], playouts: Playouts, budget: Budget) -> bool:
    """Tries every candidate in one imagined state; False, and nothing counts, if the time was over before the last."""
    values: list[int] = []
    own = 0
    for candidate in live:
        if budget.spent() >= 1000:
            return False
        state = deal.clone()
        state.apply(seat, candidate.look.action)
        values.append(playouts.values(state, candidate.node)[seat])
        budget.done += 1
        if not candidate.place:
            own = values[-1]
    for candidate, value in zip(live, values, strict=True):
        candidate.total += value
        candidate.gained += value - own
        candidate.squares += (value - own) ** 2
        candidate.tried += 1
    return True
