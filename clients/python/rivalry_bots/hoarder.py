"""Plays Ethnos by one rule: eight cards first, then the largest Band."""

from __future__ import annotations

from typing import Final

from rivalry_client.bot import Bot
from rivalry_client.prompt import Prompt
from rivalry_engine.ethnos.actions import BAND, DRAW, TAKE, pack, verb
from rivalry_engine.ethnos.cards import size
from rivalry_engine.ethnos.sight import EthnosObservation

ENOUGH: Final = 8
"""Cards in hand at which it stops recruiting."""


class HoarderBot(Bot):
    """Recruits to eight cards, then plays the largest Band; marks and takes whatever it may."""

    name = "hoarder"
    version = "1"
    games = ("ethnos",)
    quick = True

    def choose(self, prompt: Prompt) -> int:
        """Any recruit, by chance, below eight cards; else the largest Band; else choice 0."""
        seen = prompt.observation
        assert isinstance(seen, EthnosObservation)
        if prompt.kind not in ("turn", "further"):
            return 0
        offered = [choice.action for choice in prompt.choices]
        recruits = [index for index, action in enumerate(offered) if verb(action) in (TAKE, DRAW)]
        if recruits and size(seen.hand_pack) < ENOUGH:
            return prompt.stream().choice(recruits)
        return largest(offered)


def largest(offered: list[int]) -> int:
    """The first of the largest Bands among some actions; 0 where there is none."""
    best, most = 0, 0
    for index, action in enumerate(offered):
        if verb(action) == BAND and size(pack(action)) > most:
            best, most = index, size(pack(action))
    return best
