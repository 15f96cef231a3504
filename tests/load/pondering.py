"""A bot that thinks for a while before it answers by chance: the same answers as ``random``, in its own time.

``rivalry bot load.pondering:Pondering`` from the folder of the tests.
"""

from __future__ import annotations

import asyncio
from typing import ClassVar

from rivalry_client.bot import Bot, Setting
from rivalry_client.prompt import Prompt
from rivalry_engine.chance import Stream
from rivalry_engine.playout import uniform
from rivalry_engine.prompt import Answer


class Pondering(Bot):
    """Thinks for up to ``most_ms``, in Kuhn poker a hundred times as long, since its matches are short."""

    name = "pondering"
    version = "1"
    declared: ClassVar[tuple[Setting, ...]] = (
        Setting("most_ms", "integer", 20, (), "the longest that it thinks, in milliseconds"),
    )

    async def choose(self, prompt: Prompt) -> Answer:
        """What ``random`` answers."""
        most_ms = self.settings["most_ms"] * (100 if self.match.game_name == "kuhn" else 1)
        await asyncio.sleep(Stream(prompt.luck, f"pondering/{prompt.number}").below(most_ms + 1) / 1_000)
        return uniform(prompt)
