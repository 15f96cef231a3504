"""Two bots that are equally strong and do not play alike: each draws from a chance of its own."""

from __future__ import annotations

from rivalry_client.bot import Bot
from rivalry_client.prompt import Prompt
from rivalry_engine.chance import Stream
from rivalry_engine.prompt import Answer


class One(Bot):
    """Any choice by chance."""

    name = "one"
    version = "1"
    quick = True

    def choose(self, prompt: Prompt) -> Answer:
        """A uniform choice."""
        return Answer(index=Stream(prompt.luck, f"{self.name}/{prompt.number}").below(len(prompt.choices)))


class Two(One):
    """The same with another chance."""

    name = "two"


class Broken(One):
    """Never answers."""

    name = "broken"

    def choose(self, prompt: Prompt) -> Answer:
        """Fails, whatever is asked."""
        raise RuntimeError("it is broken")
