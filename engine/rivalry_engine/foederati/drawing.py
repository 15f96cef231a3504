"""Cards between hands, discard pile and draw pile (FO6.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.chance import Stream
from rivalry_engine.foederati import events, packs
from rivalry_engine.foederati.packs import UNIT

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState


def put_down(state: FoederatiState, seat: int, pack: int) -> None:
    """Cards go from a hand to the discard pile, for all to see (FO10.56, FO10.72)."""
    state.hands[seat] -= pack
    state.discard += pack
    state.laid_out[seat] = None
    state._seats[seat] = None
    if state.reshuffles:
        state.since[seat] += packs.listed(pack)


def draw(state: FoederatiState, seat: int, count: int) -> None:
    """Draws one card at a time; at an empty pile the discards are shuffled first (FO10.57, FO10.58)."""
    drawn: list[int] = []
    pile = state.pile
    hand = state.hands[seat]
    for _ in range(count):
        if not pile:
            state.hands[seat] = hand
            _tell(state, seat, drawn)
            drawn = []
            reshuffle(state)
            pile = state.pile
        card = pile.pop()
        hand += UNIT[card]
        drawn.append(card)
    state.hands[seat] = hand
    state.laid_out[seat] = None
    state._seats[seat] = None
    _tell(state, seat, drawn)


def _tell(state: FoederatiState, seat: int, drawn: list[int]) -> None:
    if not drawn:
        return
    if state.reshuffles:
        state.since[seat].append(-len(drawn))
    if state.log is not None:
        state.log.append(events.drew(seat, drawn))


def reshuffle(state: FoederatiState) -> None:
    """All discards become the draw pile (FO10.29); what lay in it and in the hands is written down (FO10.72)."""
    seats = len(state.hands)
    state.pool = state.discard
    state.pile = list(packs.listed(state.discard))
    state.discard = 0
    state.reshuffles += 1
    Stream(state.seed, f"reshuffle/{state.reshuffles}").shuffle(state.pile)
    state.kept = state.hands[:]
    state.since = [[] for _ in range(seats)]
    state._board = None
    state._seats = [None] * seats
    if state.log is not None:
        state.log.append(events.reshuffled(state.reshuffles, len(state.pile)))


def refill(state: FoederatiState, seat: int) -> None:
    """A hand is drawn up to its size (FO6.2)."""
    missing = state.board.hand_size - state.hands[seat] % 255
    if missing > 0:
        draw(state, seat, missing)
