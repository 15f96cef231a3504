"""Plays any game by chance."""

from __future__ import annotations

from rivalry_client.bot import Bot
from rivalry_client.prompt import Prompt
from rivalry_engine.playout import uniform
from rivalry_engine.prompt import Answer


class RandomBot(Bot):
    """Uniform over the choices, then over sizes from least to most, then over parts."""

    name = "random"
    version = "1"
    quick = True

    def choose(self, prompt: Prompt) -> Answer:
        """A uniform answer, drawn from the seat's own chance."""
        return uniform(prompt)
