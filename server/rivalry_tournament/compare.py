"""Two bots compared block by block, until it is known which is better or as many blocks as wanted are played.

A block's score is in 0..1, and more than 1/2 speaks for ``a``: where the two fill the table it is a's mean utility over
all splits of the seats; beside a field it is half of one plus the difference of the two's mean utilities, each taken
over all seats beside the same bots with the same seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import fsum
from typing import Final

from rivalry_evaluation import utility
from rivalry_evaluation.played import Played
from rivalry_evaluation.sequential import Betting, Known, Verdict
from rivalry_evaluation.sprt import Accepted, Sprt
from rivalry_tournament import blocks as made_blocks
from rivalry_tournament.kinds import evaluation
from rivalry_tournament.lines import Result
from rivalry_tournament.schedule import Block
from rivalry_tournament.settings import Kind, Settings

ALIKE: Final = 10
"""When so many blocks from the first went the same way, all of them will: there is no chance in bots and game."""
Group = tuple[Block, ...]
"""What gives one score: the block of the two, or one block of each beside the field."""


def groups(settings: Settings) -> Iterator[Group]:
    """What is played, without an end: number 1, 2, 3, …"""
    if settings.kind is Kind.EVALUATION:
        return evaluation.numbered(settings)
    names = settings.names()
    return ((made_blocks.block(settings, names, round_=1, at=number, number=number),) for number in count(1))


def score(settings: Settings, results: Sequence[Result]) -> float:
    """The score of a group from its matches, none of them void."""
    a, b = settings.subjects or settings.names()
    matches = [
        Played("", each.match, each.bots, each.ranks, each.scores, each.ends, each.transcript) for each in results
    ]
    of_a, of_b = (
        [match_utilities[name] for match_utilities in map(utility.utilities, matches) if name in match_utilities]
        for name in (a, b)
    )
    return (1.0 + fsum(of_a) / len(of_a) - fsum(of_b) / len(of_b)) / 2.0


class Comparison:
    """What is known until now."""

    def __init__(self, alpha: float, *, sprt: Sprt | None = None, least: int = 1) -> None:
        """``least`` blocks are played before there is a verdict; with ``sprt`` it decides, else the bets do."""
        self.alpha = alpha
        self.sprt = sprt
        self.matches = 0
        """Matches played, those of blocks that do not count among them."""
        self.played = 0
        """Blocks played, those that do not count among them."""
        self.left_out: list[str] = []
        """Why blocks are left out."""
        self.accepted: Accepted | None = None
        """The hypothesis of ``sprt`` that was accepted."""
        self._least = least
        self._betting = Betting(alpha)
        self._first: tuple[str, ...] | None = None
        self._held: list[float] = []
        self._chance = False

    @property
    def blocks(self) -> int:
        """The blocks that count."""
        return len(self._betting.scores)

    @property
    def copies(self) -> int:
        """Blocks that went just as the first did, as long as all have: they say nothing new and do not count."""
        return len(self._held)

    @property
    def known(self) -> Known:
        """The difference of mean utilities, a's less b's, in -1..1, and its confidence sequence."""
        return Known(*(2.0 * bound - 1.0 for bound in self._betting.known))

    @property
    def ratio(self) -> float:
        """The log likelihood ratio of ``sprt``."""
        return 0.0 if self.sprt is None else self.sprt.ratio(self._betting.scores)

    @property
    def verdict(self) -> Verdict:
        """Who is better, once it is known."""
        if self.blocks < self._least:
            return "undecided"
        return self._betting.verdict if self.sprt is None else self.sprt.verdict(self.accepted)

    @property
    def over(self) -> bool:
        """True if no further block changes anything: it is decided, or nothing is left to chance."""
        return self.verdict != "undecided" or self.accepted is not None or self.copies >= ALIKE

    def add(self, score: float, transcripts: tuple[str, ...]) -> None:
        """Takes in a block: its score, and by match what copies of it share.

        As long as all blocks are copies of the first they are held back.  With the first that is none, chance is seen
        to be at work, and they count as draws of it.
        """
        self.matches += len(transcripts)
        self.played += 1
        if self._first is None:
            self._first = transcripts
        elif not self._chance and transcripts == self._first:
            self._held.append(score)
            return
        else:
            self._chance = True
        for each in (*self._held, score):
            self._betting.add(each)
        self._held.clear()
        if self.sprt is not None and self.accepted is None and self.blocks >= self._least:
            self.accepted = self.sprt.accepted(self._betting.scores)

    def leave_out(self, why: str, matches: int) -> None:
        """A block that does not count: why, and how many matches of it were played."""
        self.matches += matches
        self.played += 1
        self.left_out.append(why)
