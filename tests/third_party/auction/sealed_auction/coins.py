"""Coins, and bids as integers.

A bid is a set of coins.  As an action it is a number of which the last two bits say how many ones it has, and each bit
above which of the other coins, so that bids that mean the same are the same number.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

PURSE: Final = (1, 1, 2, 3, 5, 8)
"""What each seat begins with."""
NOTHING: Final = 0
_BITS: Final = {2: 4, 3: 8, 5: 16, 8: 32}


def bid(coins: Iterable[int]) -> int:
    """The action that bids ``coins``."""
    return sum(_BITS.get(coin, 1) for coin in coins)


def of(action: int) -> tuple[int, ...]:
    """The coins of a bid, ascending."""
    return (1,) * (action & 3) + tuple(coin for coin, bit in _BITS.items() if action & bit)


def text(coins: Iterable[int]) -> str:
    """Coins in words."""
    return " ".join(map(str, coins)) or "nothing"


def left(purse: tuple[int, ...], spent: Iterable[int]) -> tuple[int, ...]:
    """``purse`` without the coins ``spent``, which it holds."""
    rest = list(purse)
    for coin in spent:
        rest.remove(coin)
    return tuple(rest)
