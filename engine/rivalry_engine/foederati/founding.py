"""Shields on the board: put down, taken up, lost; and what filling a country does (FO8.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rivalry_engine.foederati import events, groups, scoring
from rivalry_engine.foederati.groups import Group, by_first_square
from rivalry_engine.foederati.sight import Founding
from rivalry_engine.foederati.squares import BIT, NEIGHBOURS, grown

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState

ALL_PASSED: Final = 1
NO_SUPPLY: Final = 2
LAST_MARKER: Final = 3
STALLED: Final = 4


def mask_of(foundings: Sequence[Founding]) -> int:
    """The countries that were founded, a bit for each."""
    mask = 0
    for each in foundings:
        mask |= 1 << each.country
    return mask


def put(state: FoederatiState, seat: int, square: int) -> None:
    """A shield of ``seat`` now stands on a free square."""
    bit = BIT[square]
    state.shields[seat] |= bit
    state.free &= ~bit
    joined, border = bit, NEIGHBOURS[square]
    found: list[Group] = []
    for each in state.groups[seat]:
        if each.border & bit:
            joined |= each.mask
            border |= each.border
        else:
            found.append(each)
    found.append(Group(joined, border))
    if len(found) > 1:
        found.sort(key=by_first_square)
    state.groups[seat] = found
    state._seats[seat] = None


def take(state: FoederatiState, seat: int, square: int) -> None:
    """A shield of ``seat`` leaves its square."""
    bit = BIT[square]
    state.shields[seat] &= ~bit
    state.free |= bit
    found: list[Group] = []
    for each in state.groups[seat]:
        if each.mask & bit:
            rest = each.mask & ~bit
            near = rest & NEIGHBOURS[square]
            if near & (near - 1):
                found += groups.of(rest)
            elif rest:
                found.append(Group(rest, grown(rest)))
        else:
            found.append(each)
    if len(found) > 1:
        found.sort(key=by_first_square)
    state.groups[seat] = found
    state._seats[seat] = None


def spend(state: FoederatiState, seat: int) -> None:
    """A shield leaves the supply for good; the last one ends the game (FO8.2, FO10.27)."""
    supply = state.supply[seat] - 1
    state.supply[seat] = supply
    state._seats[seat] = None
    if not state.stirred:
        state.stirred = True
        state._board = None
    if not supply:
        trigger(state, NO_SUPPLY, seat)


def trigger(state: FoederatiState, number: int, seat: int) -> None:
    """An end trigger occurs; the first one counts, the others are only written down (FO8.2, FO10.51)."""
    if state.triggers >> number & 1:
        return
    state.triggers |= 1 << number
    state._board = None
    if not state.end_trigger:
        state.end_trigger = number
    if state.log is not None:
        state.log.append(events.end_triggered(number, seat))


def found(state: FoederatiState, seat: int, square: int) -> None:
    """``seat`` has just occupied ``square``: if that filled an unfounded country, it is founded and pays (FO10.30).

    A country is founded once (FO10.31), and a move within it frees a square of it (FO10.64).
    """
    board = state.board
    country = board.country_of[square]
    if country < 0 or board.country_masks[country] & state.free or state.founded >> country & 1:
        return
    order = len(state.foundings)
    points, red = board.track[order]
    state.founded |= 1 << country
    state.founded_land |= board.country_masks[country]
    state.foundings.append(Founding(country, seat, order, state.round))
    state.stirred = True
    state._board = None
    scoring.advance(state, seat, points)
    if state.log is not None:
        state.log.append(events.founded(seat, country, order + 1, points, red, state.positions[seat]))
    if order + 1 == len(board.track):
        trigger(state, LAST_MARKER, seat)
