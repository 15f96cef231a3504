"""The text of a new bot: what ``rivalry bot new my_bot.py`` writes, and what the READMEs show."""

from __future__ import annotations

TEXT = """\
from rivalry_client import Bot, run


class MyBot(Bot):
    def choose(self, prompt):  # takes the choice that takes the most parts
        return max(range(len(prompt.choices)), key=lambda index: prompt.choices[index].usual)


if __name__ == "__main__":
    run(MyBot)
"""
