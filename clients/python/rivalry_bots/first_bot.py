"""Plays any game without a thought."""

from __future__ import annotations

from rivalry_client.bot import Bot
from rivalry_client.prompt import Prompt


class FirstBot(Bot):
    """Always the first choice, by its number alone."""

    name = "first"
    version = "1"
    quick = True

    def choose(self, prompt: Prompt) -> int:
        """Choice 0."""
        return 0
