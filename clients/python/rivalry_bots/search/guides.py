"""The games that have a guide of their own, by name; every other game has the plain one."""

from __future__ import annotations

from rivalry_bots.search.guide import Guide, PlainGuide
from rivalry_engine.game import Game


def guide(game: Game) -> Guide:
    """A guide for a match of ``game``."""
    if game.name == "ethnos":
        from rivalry_bots.search.ethnos_guide import EthnosGuide

        return EthnosGuide(game)
    if game.name == "foederati":
        from rivalry_bots.search.foederati_guide import FoederatiGuide

        return FoederatiGuide(game)
    return PlainGuide(game)
