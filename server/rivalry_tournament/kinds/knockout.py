"""Knockouts, single and double: ties of two bots, further blocks where they are level, and then the better seed.

A round has all ties whose two bots are known.  What is level is given one further block in the next round, at most
``Settings.further`` of them; a tie still level goes to the bot that is seeded better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rivalry_tournament import blocks, points
from rivalry_tournament.kinds import bracket
from rivalry_tournament.kinds.bracket import Place, Tie
from rivalry_tournament.points import Results
from rivalry_tournament.schedule import Block, Round
from rivalry_tournament.settings import Kind, Settings

NOBODY = ""
"""Who has a place that is empty, since entrants are no power of 2."""


@dataclass(slots=True)
class _Played:
    """A tie until now."""

    blocks: list[Block] = field(default_factory=list)
    winner: str | None = None
    loser: str | None = None


class Knockout:
    """The state of a knockout after some rounds."""

    def __init__(self, settings: Settings, rounds: Sequence[Round] = (), results: Results | None = None) -> None:
        self._settings = settings
        self._names = settings.names()
        make = bracket.double if settings.kind is Kind.DOUBLE_KNOCKOUT else bracket.single
        self._ties = make(len(self._names))
        self._played = [_Played() for _ in self._ties]
        self._walk()
        for round_ in rounds:
            self._count(round_, results or {})

    def next_round(self, number: int) -> Round | None:
        """The next round, or None after the last."""
        made: list[Block] = []
        waiting = self._waiting()
        for at in waiting:
            pair, before = self._pair(at), len(self._played[at].blocks)
            settings = self._settings if not before else replace(self._settings, blocks=1)
            for block in range(1, settings.blocks + 1):
                made.append(blocks.block(self._settings, pair, round_=number, at=len(made) + 1, number=before + block))
        if not made:
            return None
        return Round(number, " · ".join(dict.fromkeys(self._named(at) for at in waiting)), tuple(made), self._idle())

    def order(self) -> list[tuple[int, str]]:
        """The entrants by how far they came, with the place from 1 that those who fell in the same round share."""
        fell = dict.fromkeys(self._names, 0)
        for at, tie in enumerate(self._played):
            if tie.loser and tie.winner is not None and not self._comes_back(at):
                fell[tie.loser] = at + 1
        return self._places(fell)

    def _places(self, fell: dict[str, int]) -> list[tuple[int, str]]:
        levels = {at: self._ties[at - 1].name if at else "" for at in set(fell.values())}
        ordered = sorted(self._names, key=lambda name: (fell[name] != 0, -fell[name], self._names.index(name)))
        found: list[tuple[int, str]] = []
        for at, name in enumerate(ordered, 1):
            shared = bool(found) and levels[fell[name]] == levels[fell[found[-1][1]]]
            found.append((found[-1][0] if shared else at, name))
        return found

    def _comes_back(self, at: int) -> bool:
        """True if who loses tie ``at`` has another to play."""
        if self._settings.kind is Kind.KNOCKOUT:
            return False
        if at == len(self._ties) - 2:  # the final, lost by who had not lost before
            return self._played[at].loser == self._pair(at)[0]
        return any(Place("loser", at) in (tie.one, tie.other) for tie in self._ties[: len(self._ties) - 2])

    def _named(self, at: int) -> str:
        return self._ties[at].name + (", level" if self._played[at].blocks else "")

    def _idle(self) -> tuple[str, ...]:
        """Those who are in and have nobody to play; none where only level ties are played on."""
        waiting = {name for at in self._waiting() for name in self._pair(at)}
        out = {name for rank, name in self.order() if self._is_out(name)}
        return tuple(name for name in self._names if name not in waiting and name not in out)

    def _is_out(self, name: str) -> bool:
        lost = sum(1 for tie in self._played if tie.loser == name)
        return lost >= (2 if self._settings.kind is Kind.DOUBLE_KNOCKOUT else 1)

    def _waiting(self) -> list[int]:
        """The ties to be played now."""
        return [at for at, tie in enumerate(self._played) if tie.winner is None and all(self._sides(at))]

    def _pair(self, at: int) -> tuple[str, str]:
        one, other = self._sides(at)
        assert one and other
        return one, other

    def _sides(self, at: int) -> tuple[str | None, str | None]:
        return self._who(self._ties[at].one), self._who(self._ties[at].other)

    def _who(self, place: Place) -> str | None:
        """Who has the place: NOBODY where it stays empty, None while it is open."""
        if place.kind == "seed":
            return self._names[place.at] if place.at < len(self._names) else NOBODY
        tie = self._played[place.at]
        return tie.winner if place.kind == "winner" else tie.loser

    def _count(self, round_: Round, results: Results) -> None:
        """Takes in the results of a round that ``next_round`` made."""
        waiting, left = self._waiting(), list(round_.blocks)
        for at in waiting:
            many = 1 if self._played[at].blocks else self._settings.blocks
            self._played[at].blocks.extend(left[:many])
            del left[:many]
        for at in waiting:
            self._decide(at, results)
        self._walk()

    def _decide(self, at: int, results: Results) -> None:
        tie, (one, other) = self._played[at], self._pair(at)
        scored = points.of_blocks(tie.blocks, results) or {one: Fraction(0), other: Fraction(0)}
        if scored[one] == scored[other]:
            if len(tie.blocks) < self._settings.blocks + self._settings.further:
                return
            tie.winner, tie.loser = sorted((one, other), key=self._names.index)
        else:
            tie.winner, tie.loser = (one, other) if scored[one] > scored[other] else (other, one)

    def _walk(self) -> None:
        """Decides what needs no match: ties with an empty place, and a second final that is not wanted."""
        for at, (tie, played) in enumerate(zip(self._ties, self._played, strict=True)):
            one, other = self._sides(at)
            if played.winner is not None or one is None or other is None:
                continue
            if self._needless(tie):
                played.winner, played.loser = other, NOBODY
            elif NOBODY in (one, other):
                played.winner, played.loser = one or other, NOBODY

    def _needless(self, tie: Tie) -> bool:
        """True of the second final if the first was won by who never lost."""
        return tie.again and self._played[tie.other.at].winner == self._who(self._ties[tie.other.at].one)
