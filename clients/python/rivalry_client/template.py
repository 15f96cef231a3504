"""The text of a new bot: what ``rivalry bot new my_bot.py`` writes."""

from __future__ import annotations

TEXT = """\
from rivalry_client import Bot, run


class MyBot(Bot):
    def choose(self, prompt):
        return 0  # the first choice; print(prompt.texts()) shows them all in words


if __name__ == "__main__":
    run(MyBot)
"""
