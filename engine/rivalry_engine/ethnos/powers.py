"""A Band from the moment it lies: marker, the Leader's ability, the rest of the hand (E5.3 to E6)."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

from rivalry_engine.ethnos import events, question, raccoons, turn
from rivalry_engine.ethnos.cards import FIELD, UNIT, less, listed
from rivalry_engine.ethnos.data import (
    CENTAURS,
    ELVES,
    FAIRIES,
    GIANTS,
    HALFLINGS,
    MERFOLK,
    MINOTAURS,
    ORCS,
    RACCOONS,
    TROLLS,
    WINGFOLK,
    WIZARDS,
)
from rivalry_engine.ethnos.fairies import fitting_bands, forget, swap

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState


def lay_down(state: EthnosState, seat: int, band: int) -> None:
    """The Band leaves the hand; then the marker's question, if there is one (E5.3, E5.9)."""
    cards = band >> 8
    state.hands[seat] -= cards
    known = state.known[seat]
    if known:
        state.known[seat] = less(known, cards)
    state.bands[seat].append(band)
    state._seats[seat] = None
    if state.log is not None:
        state.log.append(events.band(seat, band))
    if fitting_kingdoms(state):
        state.kind = question.MARKER
    else:
        _ability(state, seat, placed=False)


def fitting_kingdoms(state: EthnosState) -> int:
    """Where the last Band of the seat asked may place its marker, as a mask: bit ``colour`` is a Kingdom.

    E5.4, and for Halflings E6.5, Minotaurs E6.7, Wingfolk E6.11.
    """
    seat = state.seat
    band = state.bands[seat][-1]
    leader = band & 255
    tribe = leader >> 3
    if tribe == HALFLINGS or not state.supply[seat]:
        return 0
    reach = (band >> 8) % 15
    if tribe == MINOTAURS:
        reach += 1
    if tribe != WINGFOLK:
        colour = leader & 7
        return 1 << colour if reach > _standing(state, seat, colour) else 0
    mask = 0
    for colour in range(1, 7):
        if reach > _standing(state, seat, colour):
            mask |= 1 << colour
    return mask


def _standing(state: EthnosState, seat: int, colour: int) -> int:
    """The markers that a Band must outnumber: the seat's own, with 2 seats everybody's (E5.4, N4.1)."""
    markers = state.markers
    if len(markers) == 12 and state.figures.outnumbers_all:
        return markers[colour - 1] + markers[5 + colour]
    return markers[6 * seat + colour - 1]


def fitting_tokens(state: EthnosState) -> int:
    """The free Troll tokens that the last Band of the seat asked may take, bit ``value`` a token (E6.10)."""
    free = 126
    for held in state.trolls:
        free &= ~held
    reach = (state.bands[state.seat][-1] >> 8) % 15
    return free & ((2 << reach) - 1)


def mark(state: EthnosState, seat: int, colour: int) -> None:
    """A marker goes to a Kingdom, or, colour 0, none does."""
    if colour:
        state.supply[seat] -= 1
        state.markers[6 * seat + colour - 1] += 1
        state._seats[seat] = None
    if state.log is not None:
        state.log.append(events.marked(seat, colour) if colour else events.declined(seat, state.kind))
    if state.kind == question.MARKER:
        _ability(state, seat, placed=colour > 0)
        return
    state.bonus -= 1
    if not state.bonus or not state.supply[seat]:
        state.bonus = 0
        _wind_up(state, seat)


def _ability(state: EthnosState, seat: int, *, placed: bool) -> None:
    """The Leader's ability: its question, or what happens by itself."""
    band = state.bands[seat][-1]
    tribe = (band >> 3) & 31
    if tribe == CENTAURS:
        if state.hands[seat] and (placed or not state.figures.centaurs_need_marker):
            state.kind = question.FURTHER
            return
    elif tribe == ELVES:
        if state.hands[seat]:
            state.kind = question.KEEP
            return
    elif tribe == GIANTS:
        _outgrow(state, seat, (band >> 8) % 15)
    elif tribe == MERFOLK:
        if state.merfolk[seat] < state.edition.merfolk_last:
            _use(state, seat, question.ADVANCE)
            return
    elif tribe == ORCS:
        if state.supply[seat] and not state.hordes[seat] >> (band & 7) & 1:
            _use(state, seat, question.HORDE)
            return
    elif tribe == TROLLS:
        if fitting_tokens(state):
            _use(state, seat, question.TOKEN)
            return
    elif tribe == WIZARDS:
        _discard(state, seat, state.hands[seat])
        _use(state, seat, question.DRAW)
        return
    elif tribe == RACCOONS:
        raccoons.place_coin(state, seat, band & 7)
    elif tribe == FAIRIES and fitting_bands(state):
        state.kind = question.TARGET
        return
    _wind_up(state, seat)


def _use(state: EthnosState, seat: int, kind: str) -> None:
    """Asks whether the ability is used (E5.6); where it is an order it is, and only which token is asked (N3.0)."""
    if not state.edition.is_ordered:
        state.kind = kind
    elif kind == question.ADVANCE:
        advance(state, seat, 1)
    elif kind == question.HORDE:
        horde(state, seat, 1)
    elif kind == question.DRAW:
        draw(state, seat, 1)
    else:
        tokens = fitting_tokens(state)
        if tokens & (tokens - 1):
            state.kind = kind
        else:
            token(state, seat, tokens.bit_length() - 1)


def _outgrow(state: EthnosState, seat: int, size: int) -> None:
    """Glory and the Giant token for a Band larger than every other Giant-led one of this Age (E6.4)."""
    as_large = 0
    for played in state.bands:
        for band in played:
            if (band >> 3) & 31 == GIANTS and (band >> 8) % 15 >= size:
                as_large += 1
    if as_large > 1:
        return
    bonus = state.edition.giant_bonus
    state.glory[seat] += bonus
    state.giant = seat
    if state.fairies:
        state.extra = state.extra._replace(giant_band=len(state.bands[seat]) - 1)
    state._seats[seat] = None
    state._board = None
    if state.log is not None:
        state.log.append(events.giant(seat, size, bonus))


def advance(state: EthnosState, seat: int, steps: int) -> None:
    """The Merfolk marker goes as many spaces as the Band has cards, or stays (E6.6, E6.13 to E6.15)."""
    if not steps:
        if state.log is not None:
            state.log.append(events.declined(seat, state.kind))
        _wind_up(state, seat)
        return
    start = state.merfolk[seat]
    space = min(start + (state.bands[seat][-1] >> 8) % 15, state.edition.merfolk_last)
    state.merfolk[seat] = space
    state._seats[seat] = None
    if state.log is not None:
        state.log.append(events.advanced(seat, space))
    passed = 0
    for symbol in state.figures.merfolk_symbols:
        if start < symbol <= space:
            passed += 1
    if passed and state.supply[seat]:
        state.bonus = passed
        state.kind = question.BONUS
    else:
        _wind_up(state, seat)


def horde(state: EthnosState, seat: int, places: int) -> None:
    """A marker goes to the Leader-colour space of the Orc board, or not (E6.8)."""
    if places:
        colour = state.bands[seat][-1] & 7
        state.supply[seat] -= 1
        state.hordes[seat] |= 1 << colour
        state._seats[seat] = None
        if state.log is not None:
            state.log.append(events.horde(seat, colour))
    elif state.log is not None:
        state.log.append(events.declined(seat, state.kind))
    _wind_up(state, seat)


def token(state: EthnosState, seat: int, value: int) -> None:
    """The seat takes a Troll token, or, value 0, none (E6.10)."""
    if value:
        state.trolls[seat] |= 1 << value
        state._seats[seat] = None
        if state.log is not None:
            state.log.append(events.token(seat, value))
    elif state.log is not None:
        state.log.append(events.declined(seat, state.kind))
    _wind_up(state, seat)


def target(state: EthnosState, seat: int, other: int, number: int) -> None:
    """The Band is swapped for the one of ``other``, which is played as if just laid down; -1 for none (E7.1, E7.2)."""
    if other >= 0:
        swap(state, seat, other, number)
        if fitting_kingdoms(state):
            state.kind = question.MARKER
        else:
            _ability(state, seat, placed=False)
        return
    if state.log is not None:
        state.log.append(events.declined(seat, state.kind))
    _wind_up(state, seat)


def stop(state: EthnosState, seat: int) -> None:
    """No further Band after a Centaur (E6.1)."""
    if state.log is not None:
        state.log.append(events.declined(seat, state.kind))
    _wind_up(state, seat)


def keep(state: EthnosState, seat: int, kept: int) -> None:
    """The Elves' cards stay, unseen; the rest is discarded (E6.3, E4.9)."""
    hand = state.hands[seat]
    if state.log is not None:
        state.log.append(events.kept(seat, kept))
    _discard(state, seat, hand - kept)
    _end_turn(state, seat)


def draw(state: EthnosState, seat: int, draws: int) -> None:
    """The Wizards' draw, all of it or none (E6.12)."""
    if not draws:
        if state.log is not None:
            state.log.append(events.declined(seat, state.kind))
    elif not turn.draw(state, seat, (state.bands[seat][-1] >> 8) % 15):
        return
    _end_turn(state, seat)


def _wind_up(state: EthnosState, seat: int) -> None:
    """The rest of the hand is discarded and the turn is over (E5.3)."""
    _discard(state, seat, state.hands[seat])
    if state.extra.given:
        forget(state)
    turn.pass_on(state, seat)


def _end_turn(state: EthnosState, seat: int) -> None:
    if state.extra.given:
        forget(state)
    turn.pass_on(state, seat)


def _discard(state: EthnosState, seat: int, rest: int) -> None:
    """Cards go from the hand to the face-up row.  What of the known cards did not show up is still in the hand."""
    if not rest:
        return
    hand = state.hands[seat] - rest
    state.hands[seat] = hand
    state.known[seat] = less(state.known[seat], rest) if hand else 0
    row, shown = state.row, state.faces
    for card in listed(rest):
        if not row & FIELD[card]:
            insort(shown, card)
        row += UNIT[card]
    state.row = row
    state._seats[seat] = None
    state._board = None
    if state.log is not None:
        state.log.append(events.discarded(seat, rest))
