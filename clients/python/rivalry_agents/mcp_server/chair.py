"""A chair: one seat of one match as a chat agent holds it, between its calls and the session that plays."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Final

from rivalry_client.bot import Bot
from rivalry_client.ending import Ending
from rivalry_client.match import Match, Outcome, Ruling
from rivalry_client.prompt import Prompt
from rivalry_client.report import Report
from rivalry_engine.error import RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.prompt import Answer, Resign

log = logging.getLogger("rivalry.mcp")

EVENTS_KEPT: Final = 5_000
"""Of a longer match the oldest are forgotten."""
LEFT_MOST_S: Final = 60.0
"""It does not take so long to leave."""


class Chair:
    """What is known of the seat; ``until`` waits for news of it.

    Before the match begins ``match`` is None; ``prompt`` is the open question, ``outcome`` what came of the match,
    ``ending`` why its session is over, ``late`` what the arena said to an answer that came too late.
    """

    def __init__(self, key: str, name: str) -> None:
        self.key = key
        self.name = name
        self.match: Match | None = None
        self.prompt: Prompt | None = None
        self.outcome: Outcome | None = None
        self.ending: Ending | None = None
        self.late = ""
        self.history: list[str] = []
        """What happened, in words, oldest first."""
        self.forgotten = 0
        """How many events are not in ``history`` any more."""
        self.told = 0
        """How many events the agent has been told of, the forgotten ones counted."""
        self.given_up: str | None = None
        """Why the agent gave up, once it did."""
        self._answered: asyncio.Future[Answer] | None = None
        self._news = asyncio.Event()
        self._left_s: float | None = None
        self._asked_at = 0.0

    @property
    def over(self) -> bool:
        """True if nothing more will happen."""
        return self.outcome is not None or self.ending is not None

    def settled(self) -> bool:
        """True once it is known whether there is a match for the seat."""
        return self.match is not None or self.over

    @property
    def left_s(self) -> float | None:
        """Seconds left for the open prompt, never below 0; None without a limit, or where none is open."""
        if self.prompt is None or self.prompt.budget_s is None:
            return None
        if self._left_s is None or self.prompt.budget_s < self._left_s:  # told again after the stream was lost
            self._left_s = self.prompt.budget_s
        return max(0.0, self._left_s - (monotonic() - self._asked_at))

    async def until(self, ready: Callable[[], bool], wait_s: float) -> bool:
        """Waits until ``ready()``, at most ``wait_s``; returns whether it is."""
        try:
            async with asyncio.timeout(wait_s):
                while not ready():
                    await self._news.wait()
        except TimeoutError:
            return ready()
        return True

    def answer(self, answer: Answer) -> None:
        """Answers the open prompt; raises RivalryError where none is open."""
        answered = self._answered
        if self.prompt is None or answered is None or answered.done():
            raise RivalryError("no prompt is open now; look at the seat")
        self.prompt = None
        answered.set_result(answer)

    def resign(self, why: str) -> None:
        """Gives up: at once where the seat is asked, else when it is asked next."""
        self.given_up = why
        if self.prompt is not None and self._answered is not None and not self._answered.done():
            self.prompt = None
            self._answered.set_exception(Resign(why))

    def fresh(self) -> tuple[int, list[str]]:
        """The events that the agent has not been told of, and how many of them are forgotten; it is told now."""
        start = max(self.told - self.forgotten, 0)
        lost = max(self.forgotten - self.told, 0)
        self.told = self.forgotten + len(self.history)
        return lost, self.history[start:]

    def begun(self, match: Match) -> None:
        """The match begins."""
        self.match = match
        self._tell()

    async def asked(self, prompt: Prompt) -> Answer:
        """The agent's answer to ``prompt``; raises Resign when it gives up."""
        if prompt.ruling is None:
            self._happened(lambda: prompt.events)
        if self.given_up is not None:
            raise Resign(self.given_up)
        self.prompt = prompt
        if prompt.ruling is None:  # a rejection does not begin the clock anew
            self._asked_at, self._left_s = monotonic(), prompt.budget_s
        answered = self._answered = asyncio.get_running_loop().create_future()
        self._tell()
        answer: Answer = await answered
        return answer

    def ended(self, match: Match, outcome: Outcome) -> None:
        """The match is over."""
        self._happened(lambda: match.last_events)
        self.prompt = None
        self.outcome = outcome
        self._tell()

    def expired(self, text: str) -> None:
        """The arena says that an answer came too late."""
        self.prompt = None
        self.late = text
        self._tell()

    def left(self, ending: Ending) -> None:
        """The session is over."""
        self.prompt = None
        self.ending = ending
        self._tell()

    def _happened(self, events: Callable[[], Sequence[Seen]]) -> None:
        assert self.match is not None
        try:
            self.history += [self.match.game.event_text(event) for event in events()]
        except RivalryError as error:  # a game that is not installed here: the view tells all the same
            log.info("events of match %s cannot be read: %s", self.match.id, error)
        too_many = len(self.history) - EVENTS_KEPT
        if too_many > 0:
            del self.history[:too_many]
            self.forgotten += too_many

    def _tell(self) -> None:
        """Wakes whoever waits now."""
        news, self._news = self._news, asyncio.Event()
        news.set()


class ChairBot(Bot):
    """Passes a match on to the chair that its setting ``chair`` is."""

    name = "agent"
    wants_view = True
    needs_wire = True

    @property
    def _chair(self) -> Chair:
        chair = self.settings["chair"]
        assert isinstance(chair, Chair)
        return chair

    def start(self, match: Match) -> None:
        self._chair.begun(match)

    async def choose(self, prompt: Prompt) -> Answer:
        return await self._chair.asked(prompt)

    async def ended(self, match: Match, outcome: Outcome) -> None:
        """The session takes no seat before this returns, and is left by then: its agent knows of no other match."""
        self._chair.ended(match, outcome)
        await self._chair.until(lambda: self._chair.ending is not None, LEFT_MOST_S)


class ChairReport(Report):
    """Tells the chair what the session says to nobody else; the rest goes to the log."""

    def __init__(self, chair: Chair) -> None:
        super().__init__(talkative=True)
        self._chair = chair

    def line(self, text: str) -> None:
        log.info("seat %s: %s", self._chair.name, text)

    def ruling(self, match: int, number: int, ruling: Ruling) -> None:
        super().ruling(match, number, ruling)
        if ruling.kind == "expired":
            self._chair.expired(ruling.text)

    def crash(self, error: BaseException) -> None:
        log.error("seat %s failed", self._chair.name, exc_info=error)
