"""A bot for the auction that bids about half of what a lot is worth to it."""

from __future__ import annotations

from typing import Any

from rivalry_client import Bot


class Bidder(Bot):
    """Bids the coins that come nearest to half of the lot's worth, from below.

    It reads the observation as JSON, which is the same in process, over the generic messages and over those of the
    game's own.
    """

    name = "bidder"
    version = "1"
    games = ("auction",)
    quick = True

    def choose(self, prompt: Any) -> object:
        seen = prompt.observation.json()
        aim = seen["worth"][-1] // 2
        parts = []
        for index in reversed(range(len(seen["purses"][prompt.seat]))):
            coin = seen["purses"][prompt.seat][index]
            if coin <= aim:
                aim -= coin
                parts.append(index)
        return prompt.answer(0, parts)
