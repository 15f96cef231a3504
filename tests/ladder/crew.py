"""Bots of known strength, which dial in to a ladder and stay: all in one loop, each over a stream of its own.

In Kuhn poker whoever folds has lost, and whoever calls has lost nothing but chips; so by rank a bot is the stronger the
more often it bets.  ``beats`` is the chance exactly.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from rivalry_client.bot import Bot, Setting
from rivalry_client.client import Client
from rivalry_client.prompt import Prompt
from rivalry_engine.chance import Stream

LATE_S: Final = 1.4
"""Longer than the clock of the queue in the proof."""
QUEUE: Final = {"game": "kuhn", "time": "20s,first=20s"}
"""A queue in which nobody is late by accident."""


class Bettor(Bot):
    """Bets so often, and fails so often."""

    name = "bettor"
    version = "1"
    declared: ClassVar[tuple[Setting, ...]] = (
        Setting("bets", "integer", 50, (), "how often of a hundred times it bets"),
        Setting("late", "integer", 0, (), "in how many of a hundred matches it answers too late"),
        Setting("breaks", "integer", 0, (), "in how many of a hundred matches it breaks down"),
    )

    async def choose(self, prompt: Prompt) -> int:
        """Choice 1 is the bet."""
        if prompt.number == 1:
            fate = Stream(prompt.luck, "fate").below(100)
            if fate < self.settings["late"]:
                await asyncio.sleep(LATE_S)
            elif fate < self.settings["late"] + self.settings["breaks"]:
                raise RuntimeError("broken on purpose")
        return int(Stream(prompt.luck, f"bet/{prompt.number}").below(100) < self.settings["bets"])


class Holding(Bettor):
    """Decides nothing while it is to hold."""

    asked: ClassVar[asyncio.Event]
    goes_on: ClassVar[asyncio.Event]

    @classmethod
    def begins(cls) -> None:
        """In the loop of a test: it holds nothing."""
        cls.asked, cls.goes_on = asyncio.Event(), asyncio.Event()
        cls.goes_on.set()

    @classmethod
    async def holds(cls) -> None:
        """Returns when one of them was asked, and holds, until ``goes_on`` is set."""
        cls.goes_on.clear()
        cls.asked.clear()
        await cls.asked.wait()

    async def choose(self, prompt: Prompt) -> int:
        """As usual, when it may."""
        self.asked.set()
        await self.goes_on.wait()
        return await super().choose(prompt)


class Second(Bettor):
    """The same in another version."""

    version = "2"


@dataclass(frozen=True, slots=True)
class Hand:
    """One of the crew: how strong it is, how it fails, which version it says."""

    name: str
    bets: int
    late: int = 0
    breaks: int = 0
    bot: type[Bettor] = Bettor

    @property
    def label(self) -> str:
        """What it is called in tables."""
        return f"{self.name}@{self.bot.version}"

    @property
    def fails(self) -> float:
        """The share of its matches that it loses by its fault."""
        return (self.late + self.breaks) / 100


class Crew:
    """Those of the crew who are at work; each comes back when its session ended, until it is sent home."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._at_work: dict[str, asyncio.Task[None]] = {}

    def works(self, hand: Hand, token: str, *, matches: int = 1) -> None:
        """It dials in and stays."""
        self._at_work[hand.name] = asyncio.ensure_future(self._work(hand, token, matches))

    async def leaves(self, name: str) -> None:
        """It hangs up."""
        task = self._at_work.pop(name)
        task.cancel()
        await asyncio.wait((task,))

    async def go_home(self) -> None:
        """All hang up."""
        for name in list(self._at_work):
            await self.leaves(name)

    async def _work(self, hand: Hand, token: str, matches: int) -> None:
        settings = {"bets": str(hand.bets), "late": str(hand.late), "breaks": str(hand.breaks)}
        while True:
            client = Client(self.address, token=token)
            try:
                await client.play(hand.bot, name=hand.name, matches=matches, settings=settings, patience_s=120)
            finally:
                await client.close()
            await asyncio.sleep(0.1)


def beats(one: Hand, other: Hand) -> float:
    """The chance that one ranks above the other in a match, seats by chance; ties do not happen."""
    p, q = one.bets / 100, other.bets / 100
    fair = (_first(p, q) + 1 - _first(q, p)) / 2
    both = one.fails * other.fails
    return fair * (1 - one.fails) * (1 - other.fails) + other.fails * (1 - one.fails) + both / 2


def _first(p: float, q: float) -> float:
    """The chance that the first seat, which bets with chance ``p``, wins against one that bets with ``q``."""
    return p * (q / 2 + 1 - q) + (1 - p) * (q * p / 2 + (1 - q) / 2)


def strengths(hands: Sequence[Hand]) -> Mapping[str, float]:
    """True ratings in the table's unit, around 0: the Bradley-Terry fit to the exact chances of all pairs.

    Hunter, "MM algorithms for generalized Bradley-Terry models" (2004).
    """
    worth = [1.0] * len(hands)
    for _ in range(2_000):
        wins = [sum(beats(one, other) for other in hands if other is not one) for one in hands]
        worth = [
            won / sum(1 / (worth[at] + worth[to]) for to in range(len(hands)) if to != at)
            for at, won in enumerate(wins)
        ]
        middle = math.exp(sum(map(math.log, worth)) / len(worth))
        worth = [each / middle for each in worth]
    return {hand.label: 400 * math.log10(each) for hand, each in zip(hands, worth, strict=True)}


def misplaced(rows: Sequence[Mapping[str, Any]], true: Mapping[str, float]) -> tuple[int, list[str]]:
    """How many pairs differ in true strength by more than their two intervals, and those of them in the wrong order.

    ``rows`` are those of an official table.
    """
    rated = [row for row in rows if row["rank"] is not None and f"{row['bot']}@{row['version']}" in true]
    pairs, wrong = 0, []
    half: Callable[[Mapping[str, Any]], float] = lambda row: (row["rating_high"] - row["rating_low"]) / 2  # noqa: E731
    for at, one in enumerate(rated):
        for other in rated[at + 1 :]:
            labels = [f"{row['bot']}@{row['version']}" for row in (one, other)]
            apart = true[labels[0]] - true[labels[1]]
            if abs(apart) > half(one) + half(other):
                pairs += 1
                if (one["rating"] - other["rating"]) * apart <= 0:
                    wrong.append(" and ".join(labels))
    return pairs, wrong
