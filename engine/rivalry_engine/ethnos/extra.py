"""What only some games have beside the boards: coins (N3.4), and what Fairies need to know of Bands (E7)."""

from __future__ import annotations

from typing import Final, NamedTuple


class Extra(NamedTuple):
    """All of it is open to everybody.  A value: a change makes another one, so clones and views share it."""

    coins: tuple[tuple[int, ...], ...] = ()
    """By Kingdom (index colour - 1), the coins on this Age's slot, ascending; empty without Raccoons."""
    coins_left: int = 0
    """How many coins are in the supply: the highest ones of the box."""
    given: tuple[tuple[int, int], ...] = ()
    """Seat and number of each Band that was given away in this turn, and cannot be received in it (E7.4)."""
    giant_band: int = -1
    """With Fairies, which Band of the holder carries the Giant token; -1 for none (E7.3)."""


NOTHING: Final = Extra()
NO_COINS: Final[tuple[tuple[int, ...], ...]] = ((),) * 6
