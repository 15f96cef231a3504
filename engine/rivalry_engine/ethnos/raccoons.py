"""Raccoons: coins on the slots of the regions (N3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.ethnos import events
from rivalry_engine.ethnos.edition import COINS
from rivalry_engine.ethnos.extra import NO_COINS

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState


def place_coin(state: EthnosState, seat: int, colour: int) -> None:
    """The lowest coin of the supply goes to the slot of this Age in the region of ``colour``; none left: nothing."""
    extra = state.extra
    if not extra.coins_left:
        return
    coin = COINS[-extra.coins_left]
    coins = list(extra.coins)
    coins[colour - 1] = (*coins[colour - 1], coin)
    state.extra = extra._replace(coins=tuple(coins), coins_left=extra.coins_left - 1)
    state._board = None
    if state.log is not None:
        state.log.append(events.coin(seat, colour, coin))


def leave(state: EthnosState) -> None:
    """The coins on the board leave the game, whoever was there."""
    if state.extra.coins:
        state.extra = state.extra._replace(coins=NO_COINS)
