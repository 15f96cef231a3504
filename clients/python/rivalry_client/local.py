"""A bot in the arena's own process: a function that answers prompts, with no stream and no loop."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import iscoroutinefunction
from typing import Any, Final, cast

from rivalry_client.bot import Bot, answered
from rivalry_client.match import LocalMatch, Outcome, Player, Ruling
from rivalry_client.prompt import Prompt
from rivalry_engine import prompt as engine
from rivalry_engine.error import RivalryError

UNTOLD: Final = {
    "budget_s": None,
    "last": None,
    "clocks": None,
    "strikes_left": None,
    "ruling": None,
    "tries_left": 0,
}
"""What a prompt shows of clocks in process, and of rulings where nobody sets them: nothing."""


class LocalBot:
    """Answers for one seat of one match after the other: what an arena takes as a chooser.

    A match begins with ``started``, or else with the first prompt of a new chance, and then the bot is told what the
    prompt shows and no more.  Raises RivalryError for a bot that must have a stream.
    """

    def __init__(self, bot: type[Bot], settings: Mapping[str, Any] | None = None) -> None:
        if bot.needs_wire:
            raise RivalryError(f"bot {bot.shown_name()} plays over a stream only; start it as a process of its own")
        if any(iscoroutinefunction(hook) for hook in (bot.start, bot.choose, bot.ended)):
            raise RivalryError(f"bot {bot.shown_name()} has async hooks; start it as a process of its own")
        self.name = bot.shown_name()
        self.version = bot.version
        self._class = bot
        self._settings = settings
        self.ruling: Ruling | None = None
        """What whoever asks sets before a prompt: why the last answer to this very one was rejected."""
        self.tries_left = 0
        """The same of how many rejected answers the prompt allows; 0 where an illegal answer is an error."""
        self._bot: Bot | None = None

    def started(self, match: LocalMatch) -> None:
        """A match begins."""
        self._bot = self._class.made(match, self._settings)
        self._bot.start(match)

    def ended(self, outcome: Outcome) -> None:
        """The match is over."""
        if self._bot is not None:
            self._bot.ended(self._bot.match, outcome)
            self._bot = None

    def __call__(self, prompt: engine.Prompt) -> object:
        """The bot's answer to ``prompt``; raises AnswerError for what is none."""
        if self._bot is None or self._bot.match.luck != prompt.luck:
            players = [Player(seat, self.name if seat == prompt.seat else "") for seat in range(prompt.game.seats)]
            self.started(LocalMatch(prompt.game, seat=prompt.seat, players=players, luck=prompt.luck))
        assert self._bot is not None
        vars(prompt).update(UNTOLD, ruling=self.ruling, tries_left=self.tries_left)
        value = self._bot.choose(cast(Prompt, prompt))
        return value if type(value) in (int, str, engine.Answer) else answered(self._bot, value)
