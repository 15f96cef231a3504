"""A turn: expand, exchange, pass, and its end (FO6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.foederati import drawing, events, founding, packs, rounds
from rivalry_engine.foederati.packs import UNIT

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState


def expand(state: FoederatiState, seat: int, face: int, square: int) -> None:
    """A card is discarded, and a shield from the supply goes to a square that it fits (FO6)."""
    state.used += 1
    state.acted = True
    drawing.put_down(state, seat, UNIT[face])
    founding.put(state, seat, square)
    if state.log is not None:
        state.log.append(events.expanded(seat, face, square))
    founding.spend(state, seat)
    founding.found(state, seat, square)


def exchange(state: FoederatiState, seat: int, pack: int) -> None:
    """Cards are discarded, and as many drawn at once (FO6.1, FO10.57)."""
    state.moved_once = True
    state.acted = True
    drawing.put_down(state, seat, pack)
    if state.log is not None:
        state.log.append(events.exchanged(seat, pack))
    drawing.draw(state, seat, packs.size(pack))


def end(state: FoederatiState, seat: int) -> None:
    """A turn that did something is over (FO6)."""
    if state.log is not None:
        state.log.append(events.turn_ended(seat))
    if state.passed:
        state.passed = 0
        state._board = None
    _refill(state, seat)
    rounds.pass_on(state, seat)


def forgo(state: FoederatiState, seat: int) -> None:
    """A turn that did nothing is over; when all have passed on end, the game ends with the round (FO8.2, FO10.45)."""
    if state.log is not None:
        state.log.append(events.passed(seat))
    state.passed |= 1 << seat
    state._board = None
    if state.passed == (1 << len(state.hands)) - 1:
        founding.trigger(state, founding.ALL_PASSED, seat)
    _refill(state, seat)
    rounds.pass_on(state, seat)


def _refill(state: FoederatiState, seat: int) -> None:
    """The hand of the turn, then those of the attacked, clockwise (FO6.2, FO10.28, FO10.59)."""
    drawing.refill(state, seat)
    if state.attacked:
        seats = len(state.hands)
        for step in range(1, seats):
            other = (seat + step) % seats
            if state.attacked >> other & 1:
                drawing.refill(state, other)
