"""Fairies: two Bands change owners (E7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.ethnos import events

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState


def fitting_bands(state: EthnosState) -> list[tuple[int, int]]:
    """The opponents' Bands that the last Band of the seat asked may be swapped for: seat and number (E7.1, E7.4)."""
    reach = (state.bands[state.seat][-1] >> 8) % 15
    given = state.extra.given
    return [
        (seat, number)
        for seat, played in enumerate(state.bands)
        if seat != state.seat
        for number, band in enumerate(played)
        if (band >> 8) % 15 <= reach and (seat, number) not in given
    ]


def swap(state: EthnosState, seat: int, other: int, number: int) -> None:
    """The last Band of ``seat`` and a Band of ``other`` change places, with the Giant token on it (E7.1, E7.3)."""
    received = state.bands[other][number]
    own = len(state.bands[seat]) - 1
    state.bands[other][number] = state.bands[seat][own]
    state.bands[seat][own] = received
    extra = state.extra
    comes_with_token = state.giant == other and extra.giant_band == number
    if comes_with_token:
        state.giant = seat
    state.extra = extra._replace(
        given=(*extra.given, (other, number)), giant_band=own if comes_with_token else extra.giant_band
    )
    state._seats[seat] = None
    state._seats[other] = None
    state._board = None
    if state.log is not None:
        state.log.append(events.swapped(seat, other, number, received))
        if comes_with_token:
            state.log.append(events.giant(seat, (received >> 8) % 15, 0))


def forget(state: EthnosState) -> None:
    """The turn is over: what was given away in it can be received again (E7.4)."""
    state.extra = state.extra._replace(given=())
    state._board = None
