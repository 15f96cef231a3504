"""Points: clans, fleets, tribes, and the score track with its leaders (FO9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_engine.foederati import events

if TYPE_CHECKING:
    from rivalry_engine.foederati.maps import Map
    from rivalry_engine.foederati.state import FoederatiState


def placed(values: Sequence[int], points: Sequence[int]) -> list[int]:
    """What each entry earns by its value: a tie of two or more earns the place below (FO9.1); a value of 0 nothing."""
    earned = [0] * len(values)
    place = 0
    for value in sorted(set(values), reverse=True):
        if value <= 0:
            break
        tied = values.count(value)
        at = place if tied == 1 else place + 1
        if at < len(points):
            for entry, each in enumerate(values):
                if each == value:
                    earned[entry] = points[at]
        place += tied
    return earned


def clans(sizes: Sequence[Sequence[int]], points: Sequence[int]) -> list[int]:
    """What each seat earns for its clans by their sizes; equal ones of a seat are one entry (FO9.2, FO10.37)."""
    entries: list[tuple[int, int, int]] = []
    for seat, own in enumerate(sizes):
        for size in set(own):
            entries.append((size, seat, list(own).count(size)))
    gains = [0] * len(sizes)
    earned = placed([entry[0] for entry in entries], points)
    for (_, seat, number), each in zip(entries, earned, strict=True):
        gains[seat] += each * number
    return gains


def clan_gains(state: FoederatiState) -> list[int]:
    """Connected groups of own shields that are large enough, ships included (FO9.2)."""
    least = state.board.clan_least
    sizes = [[size for group in own if (size := group.mask.bit_count()) >= least] for own in state.groups]
    return clans(sizes, state.board.clan_points)


def fleet_gains(state: FoederatiState) -> list[int]:
    """The largest fleets, and something for each ship (FO9.3, FO10.38)."""
    board = state.board
    ships = [(mask & board.sea).bit_count() for mask in state.shields]
    gains = placed(ships, board.maritime_points)
    return [gain + board.per_ship * count for gain, count in zip(gains, ships, strict=True)]


def tribe_gains(board: Map, shields: Sequence[int]) -> list[int]:
    """The ranks in every country, founded or not, summed (FO9.4, FO10.39 to FO10.41)."""
    gains = [0] * len(shields)
    for country, mask in enumerate(board.country_masks):
        counts = [(own & mask).bit_count() for own in shields]
        earned = placed(counts, board.tribal[country])
        alone = sum([1 for count in counts if count]) == 1
        for seat, count in enumerate(counts):
            gains[seat] += earned[seat] + (board.sole_bonus if alone and count else 0)
    return gains


def advance(state: FoederatiState, seat: int, gain: int) -> None:
    """A leader goes forward, and on to the first free space (FO9.5, FO10.43); a gain of 0 is no move."""
    if not gain:
        return
    positions = state.positions
    space = positions[seat] + gain
    while space in positions:
        space += 1
    positions[seat] = space
    state._seats[seat] = None


def move(state: FoederatiState, what: str, gains: Sequence[int]) -> None:
    """All leaders go forward, the greatest gain first, among equal gains the one ahead (FO9.5, FO10.42, FO10.69)."""
    before = state.positions[:]
    for seat in sorted(range(len(gains)), key=lambda seat: (-gains[seat], -before[seat])):
        advance(state, seat, gains[seat])
    if state.log is not None:
        state.log.append(events.scored(what, tuple(gains), tuple(state.positions)))


def count(state: FoederatiState, tribal: bool) -> None:
    """A scoring: clans, then fleets, then tribes where they count (FO9)."""
    move(state, "clans", clan_gains(state))
    move(state, "fleets", fleet_gains(state))
    if tribal:
        move(state, "tribes", tribe_gains(state.board, state.shields))
