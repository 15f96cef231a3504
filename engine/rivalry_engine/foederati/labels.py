"""Which cards put down since the last reshuffle a hand had kept, and which it had drawn: one way that is possible.

A play is *new* if its card came out of the pool, *old* if the hand had it before.  A labelling is possible when for
each face no more are old than were kept and no more are new than were in the pool, and when no seat ever had put down
more new cards than it had drawn by then, nor more old ones than it had kept.  The plays are labelled in turn, each by
chance first one way and then the other; ways that have failed are remembered, so that none is tried twice.
"""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.chance import Stream
from rivalry_engine.foederati.packs import UNIT, count


def counts(entries: Sequence[int], hand_size: int) -> tuple[int, int]:
    """How many cards a seat had kept at the last reshuffle, and how many it has drawn since."""
    plays = drawn = 0
    for entry in entries:
        if entry >= 0:
            plays += 1
        else:
            drawn -= entry
    return hand_size + plays - drawn, drawn


def drawn(
    since: Sequence[Sequence[int]],
    sizes: Sequence[int],
    others: Sequence[int],
    old: int,
    new: int,
    rng: Stream,
) -> tuple[list[int], list[int]] | None:
    """By seat, the packs of its old and of its new plays, out of the packs ``old`` and ``new`` that there are.

    Only the seats ``others`` are labelled; None when no labelling is possible.
    """
    search = _Search(since, sizes, others, old, new, rng)
    return (search.of_old, search.of_new) if search.run(0, (0,) * len(sizes)) else None


class _Search:
    """Depth first over the plays of all seats, seat by seat."""

    def __init__(
        self,
        since: Sequence[Sequence[int]],
        sizes: Sequence[int],
        others: Sequence[int],
        old: int,
        new: int,
        rng: Stream,
    ) -> None:
        self.plays: list[tuple[int, int, int]] = []
        """Each play: seat, face, cards drawn by then."""
        self.left: list[int] = [0] * 128
        """By face, plays still to be labelled."""
        self.kept: list[int] = [0] * len(sizes)
        for seat in others:
            self.kept[seat] = counts(since[seat], sizes[seat])[0]
            by_then = 0
            for entry in since[seat]:
                if entry < 0:
                    by_then -= entry
                else:
                    self.plays.append((seat, entry, by_then))
                    self.left[entry] += 1
        self.old = old
        self.new = new
        self.rng = rng
        self.of_old: list[int] = [0] * len(sizes)
        self.of_new: list[int] = [0] * len(sizes)
        self.dead: set[tuple[int, int, tuple[int, ...]]] = set()

    def run(self, index: int, news: tuple[int, ...]) -> bool:
        """Labels the plays from ``index`` on; ``news`` counts, by seat, the new ones before it."""
        if index == len(self.plays):
            return True
        key = (index, self.old, news)
        if key in self.dead:
            return False
        face = self.plays[index][1]
        if count(self.old, face) + count(self.new, face) >= self.left[face]:
            order = (True, False) if self._prefers_old(face) else (False, True)
            for is_old in order:
                if self._try(index, news, is_old):
                    return True
        self.dead.add(key)
        return False

    def _prefers_old(self, face: int) -> bool:
        old, new = count(self.old, face), count(self.new, face)
        return not new or (old > 0 and self.rng.below(old + new) < old)

    def _try(self, index: int, news: tuple[int, ...], is_old: bool) -> bool:
        seat, face, by_then = self.plays[index]
        unit = UNIT[face]
        if is_old:
            used = sum([1 for play in self.plays[:index] if play[0] == seat]) - news[seat]
            if not count(self.old, face) or used >= self.kept[seat]:
                return False
            self.old -= unit
            self.of_old[seat] += unit
        else:
            if not count(self.new, face) or news[seat] >= by_then:
                return False
            news = (*news[:seat], news[seat] + 1, *news[seat + 1 :])
            self.new -= unit
            self.of_new[seat] += unit
        self.left[face] -= 1
        if self.run(index + 1, news):
            return True
        self.left[face] += 1
        if is_old:
            self.old += unit
            self.of_old[seat] -= unit
        else:
            self.new += unit
            self.of_new[seat] -= unit
        return False
