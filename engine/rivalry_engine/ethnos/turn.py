"""Recruiting, drawing, and whose turn comes next (E4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.ethnos import ages, events, question
from rivalry_engine.ethnos.cards import DRAGON, FIELD, TEN_SKELETONS, UNIT

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState


def pass_on(state: EthnosState, seat: int) -> None:
    """The turn of ``seat`` is over; the next one's begins (E4.8)."""
    seat += 1
    state.seat = seat if seat < len(state.hands) else 0
    state.kind = question.TURN


def take(state: EthnosState, seat: int, card: int) -> None:
    """A face-up card joins the hand; everybody knows it (E4.2, E4.9)."""
    unit = UNIT[card]
    state.hands[seat] += unit
    state.known[seat] += unit
    row = state.row - unit
    state.row = row
    if not row & FIELD[card]:
        state.faces.remove(card)
    state._seats[seat] = None
    state._board = None
    if state.log is not None:
        state.log.append(events.taken(seat, card))
    pass_on(state, seat)


def recruit(state: EthnosState, seat: int) -> None:
    """The top card of the deck joins the hand (E4.2)."""
    if draw(state, seat, 1):
        pass_on(state, seat)


def forced_pass(state: EthnosState, seat: int) -> None:
    """Ten Skeletons are shown, and nothing else happens (E4.6, E4.9)."""
    state.known[seat] = TEN_SKELETONS
    state._seats[seat] = None
    if state.log is not None:
        state.log.append(events.passed(seat))
    pass_on(state, seat)


def draw(state: EthnosState, seat: int, count: int) -> bool:
    """Draws ``count`` cards; False if the Age ended on the way, and with it the turn (E4.3 to E4.5, N5)."""
    deck = state.deck
    state._board = None
    state._seats[seat] = None
    while count:
        if not deck:
            ages.end(state, seat)
            return False
        card = deck.pop()
        if state.safe:
            state.safe -= 1
        if card != DRAGON:
            count -= 1
            state.hands[seat] += UNIT[card]
            if state.log is not None:
                state.log.append(events.drawn(seat, card))
            continue
        state.dragons += 1
        if state.log is not None:
            state.log.append(events.dragon(seat, state.dragons))
        if state.dragons == state.figures.dragons_to_end:
            ages.end(state, seat)
            return False
    return True
