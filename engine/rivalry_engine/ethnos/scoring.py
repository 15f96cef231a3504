"""What an Age's end pays, and who is ahead (E9 to E11, N4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rivalry_engine.ethnos.cards import COLOURED
from rivalry_engine.ethnos.data import (
    BAND_GLORY,
    DWARVES,
    TROLL_TOKENS,
)
from rivalry_engine.game import ranked

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState

COLOURED_CARDS: Final = COLOURED << 8
"""The mask of a Band's cards without Skeletons."""
WITHOUT_SKELETONS: Final = COLOURED_CARDS | 255
"""The mask that takes the Skeletons out of a Band."""


def _strength(held: int) -> int:
    tokens = [value for value in TROLL_TOKENS if held >> value & 1]
    return 8 * sum(tokens) + max(tokens) if tokens else 0


STRENGTHS: Final[list[int]] = [_strength(held) for held in range(128)]
"""What breaks ties, by the mask of Troll tokens: their total, then the highest of them; below 256 (E9.3)."""


def paid(
    standing: Sequence[int],
    trolls: Sequence[int],
    tokens: Sequence[int],
    age: int,
    *,
    coins: int = 0,
    is_duel: bool = True,
) -> tuple[int, ...]:
    """By seat, what one Kingdom pays for ``standing`` markers; ``tokens`` are its Glory from I up (E9.1 to E9.4, N4.1).

    Places are filled by markers, then by Troll tokens; those still equal share what they fill together.  ``coins`` come
    once to what the first place pays (N3.4).  ``is_duel`` is that of the figures:
    with two players it has the exceptions of E9.4.
    """
    keys = [256 * count + STRENGTHS[trolls[seat]] if count else 0 for seat, count in enumerate(standing)]
    if is_duel and age == 2 and len(standing) == 2:
        return _paid_to_two(keys, tokens, coins)
    seats = len(standing)
    glory = [0] * seats
    order = sorted(keys, reverse=True)
    place = 0
    while place < seats and place < age and order[place]:
        equals = order.count(order[place])
        share = 0 if place else coins
        for filled in range(place, min(place + equals, age)):
            share += tokens[age - 1 - filled]
        share //= equals
        for seat, key in enumerate(keys):
            if key == order[place]:
                glory[seat] = share
        place += equals
    return tuple(glory)


def _paid_to_two(keys: Sequence[int], tokens: Sequence[int], coins: int) -> tuple[int, ...]:
    """Age II of two players: alone is paid both tokens, two contend for the higher one only (E9.4)."""
    one, other = keys
    pot = tokens[1] + coins
    if not one or not other:
        pot += tokens[0]
    if one == other:
        return (pot // 2, pot // 2) if one else (0, 0)
    return (pot, 0) if one > other else (0, pot)


def kingdom(state: EthnosState, colour: int) -> tuple[int, ...]:
    """By seat, what the Kingdom of ``colour`` pays at the end of this Age."""
    coins = state.extra.coins
    return paid(
        state.markers[colour - 1 :: 6],
        state.trolls,
        state.tokens[colour - 1],
        state.age,
        coins=sum(coins[colour - 1]) if coins else 0,
        is_duel=state.figures.is_duel,
    )


def merfolk(state: EthnosState) -> tuple[int, ...]:
    """By seat, what the Merfolk board pays: one more Kingdom (E9.5, E9.10, N3.5, N3.10)."""
    figures = state.figures
    return paid(state.merfolk, state.trolls, figures.merfolk_awards, state.age, is_duel=figures.is_duel)


def band_glory(band: int) -> int:
    """What a Band pays: its cards without Skeletons, one more under a Dwarf (E9.6, E6.2)."""
    counted = band_size(band)
    if (band >> 3) & 31 == DWARVES:
        counted += 1
    return BAND_GLORY[counted] if counted < len(BAND_GLORY) else BAND_GLORY[-1]


def band_size(band: int) -> int:
    """The cards of a Band without Skeletons (E6.9)."""
    return (band & COLOURED_CARDS) % 15


def ranks(state: EthnosState) -> tuple[int, ...]:
    """Glory, then markers in the Kingdoms, then the Bands by size; one Band only by the bga ruleset (E10, E11)."""
    keys: list[tuple[int, ...]] = []
    for seat, glory in enumerate(state.glory):
        sizes = sorted([band_size(band) for band in state.bands[seat]], reverse=True)
        if state.figures.largest_band_only:
            sizes = sizes[:1]
        keys.append((glory, sum(state.markers[6 * seat : 6 * seat + 6]), *sizes))
    return ranked(keys)
