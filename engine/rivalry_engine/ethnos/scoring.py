"""What an Age's end pays, and who is ahead (E9 to E11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_engine.ethnos.cards import size, without_skeletons
from rivalry_engine.ethnos.data import (
    BAND_GLORY,
    DWARVES,
    MERFOLK_AWARDS,
    is_small,
)
from rivalry_engine.game import ranked

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState


def troll_strengths(trolls: Sequence[int]) -> list[int]:
    """By seat, what breaks its ties: the total of its Troll tokens, then the highest of them (E9.3)."""
    strengths: list[int] = []
    for held in trolls:
        total = 0
        for value in range(1, 7):
            if held >> value & 1:
                total += value
        strengths.append(8 * total + max(held.bit_length() - 1, 0))
    return strengths


def paid(standing: Sequence[int], strengths: Sequence[int], tokens: Sequence[int], age: int) -> tuple[int, ...]:
    """By seat, what one Kingdom pays for ``standing`` markers; ``tokens`` are its Glory from I up (E9.1 to E9.4).

    Places are filled by markers, then by Troll tokens; those still equal share what they fill together.
    """
    seats = len(standing)
    awards = [tokens[place] for place in range(age - 1, -1, -1)]
    contenders = [seat for seat in range(seats) if standing[seat]]
    if seats == 2 and age == 2:
        awards = [awards[0] if len(contenders) == 2 else awards[0] + awards[1]]
    awards += [0] * seats
    glory = [0] * seats
    keys = {seat: 1024 * standing[seat] + strengths[seat] for seat in contenders}
    place = 0
    for key in sorted(dict.fromkeys(keys.values()), reverse=True):
        equals = [seat for seat in contenders if keys[seat] == key]
        share = sum(awards[place : place + len(equals)]) // len(equals)
        for seat in equals:
            glory[seat] = share
        place += len(equals)
    return tuple(glory)


def kingdom(state: EthnosState, colour: int) -> tuple[int, ...]:
    """By seat, what the Kingdom of ``colour`` pays at the end of this Age."""
    return paid(state.markers[colour - 1 :: 6], troll_strengths(state.trolls), state.tokens[colour - 1], state.age)


def merfolk(state: EthnosState) -> tuple[int, ...]:
    """By seat, what the Merfolk board pays: one more Kingdom (E9.5, E9.10)."""
    awards = MERFOLK_AWARDS[is_small(len(state.hands))]
    return paid(state.merfolk, troll_strengths(state.trolls), awards, state.age)


def band_glory(band: int) -> int:
    """What a Band pays: its cards without Skeletons, one more under a Dwarf (E9.6, E6.2)."""
    counted = band_size(band) + (1 if (band >> 3) & 31 == DWARVES else 0)
    return BAND_GLORY[min(counted, len(BAND_GLORY) - 1)]


def band_size(band: int) -> int:
    """The cards of a Band without Skeletons (E6.9)."""
    return size(without_skeletons(band >> 8))


def ranks(state: EthnosState) -> tuple[int, ...]:
    """Glory, then markers in the Kingdoms, then the Bands by size; one Band only by the bga ruleset (E10, E11)."""
    keys: list[tuple[int, ...]] = []
    for seat, glory in enumerate(state.glory):
        sizes = sorted([band_size(band) for band in state.bands[seat]], reverse=True)
        if state.game.largest_band_only:
            sizes = sizes[:1]
        keys.append((glory, sum(state.markers[6 * seat : 6 * seat + 6]), *sizes))
    return ranked(keys)
