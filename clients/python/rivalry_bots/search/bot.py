"""Plays any game that can imagine states: tries its answers out in states that it may be in."""

from __future__ import annotations

from typing import Final

from rivalry_bots.search.guide import Guide
from rivalry_bots.search.guides import guide
from rivalry_bots.search.halving import Budget, best
from rivalry_client.bot import Bot, Setting
from rivalry_client.match import Match
from rivalry_client.prompt import Prompt
from rivalry_engine.error import RivalryError
from rivalry_engine.prompt import Answer

SHARE: Final = 60
"""Of the time that is left for a prompt, the hundredths that are used for thinking."""

BOUNDS: Final = {"ms": (1, 600_000), "share": (1, 90), "iterations": (0, 10_000_000)}
"""By setting, the least and the most."""


class SearchBot(Bot):
    """Imagines states from the observation alone, and plays its answers out in them."""

    name = "search"
    version = "1"
    needs_imagination = True
    declared = (
        Setting("ms", "integer", 1000, (), "the most time of a prompt in ms, and its time where no clock runs"),
        Setting("share", "integer", SHARE, (), "hundredths of the time that are used"),
        Setting("iterations", "integer", 0, (), "playouts of a decision, by count and not by time; 0: by time"),
    )
    _guide: Guide | None = None

    def start(self, match: Match) -> None:
        """Raises RivalryError for a game that cannot imagine states and for a setting that makes no sense."""
        if not match.game.imagines:
            raise RivalryError(f"bot search plays games that can imagine states; {match.game.name} cannot")
        for name, (least, most) in BOUNDS.items():
            if not least <= self.settings[name] <= most:
                raise RivalryError(f"bot search: {name} {self.settings[name]}; expected {least} to {most}")
        self._guide = guide(match.game)

    def choose(self, prompt: Prompt) -> Answer:
        """The answer whose playouts ended best."""
        budget = self.budget(prompt)
        assert self._guide is not None, "start comes first"
        stream = prompt.stream()
        looks = self._guide.answers(prompt, stream)
        if len(looks) == 1:
            return looks[0].answer
        ranked = best(prompt.game, prompt.seat, prompt.observation, looks, self._guide, stream, budget)
        return ranked[0].look.answer

    def budget(self, prompt: Prompt) -> Budget:
        """What it takes for ``prompt``, from now on."""
        if self.settings["iterations"]:
            return Budget(iterations=self.settings["iterations"])
        seconds = self.settings["ms"] / 1000
        if prompt.budget_s is not None:
            seconds = min(seconds, prompt.budget_s)
        return Budget(seconds=seconds * self.settings["share"] / 100)
