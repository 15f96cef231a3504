"""Why an action is not legal, without listing what is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.actions import (
    ADVANCE,
    BAND,
    DRAW,
    DRAW_CARDS,
    EMPTY,
    HORDE,
    KEEP,
    MARK,
    PASS,
    STOP,
    SWAP,
    TAKE,
    TOKEN,
    is_formed,
    pack,
    target,
    value,
)
from rivalry_engine.ethnos.bands import is_one
from rivalry_engine.ethnos.cards import FIELD, SKELETON, TEN_SKELETONS, UNIT, holds, size
from rivalry_engine.ethnos.data import HAND_LIMIT
from rivalry_engine.ethnos.edition import Edition
from rivalry_engine.ethnos.fairies import fitting_bands
from rivalry_engine.ethnos.notation import text
from rivalry_engine.ethnos.powers import fitting_kingdoms, fitting_tokens
from rivalry_engine.game import Objection

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState

_VERBS: Final[dict[str, tuple[int, ...]]] = {
    question.TURN: (TAKE, DRAW, BAND, PASS),
    question.MARKER: (MARK,),
    question.BONUS: (MARK,),
    question.ADVANCE: (ADVANCE,),
    question.HORDE: (HORDE,),
    question.TOKEN: (TOKEN,),
    question.TARGET: (SWAP,),
    question.FURTHER: (BAND, STOP),
    question.KEEP: (KEEP,),
    question.DRAW: (DRAW_CARDS,),
    question.EMPTY: (EMPTY,),
}

_EXPECTED: Final[dict[str, str]] = {
    question.TURN: "'take …', 'draw' or 'band …'",
    question.MARKER: "'mark …' or 'mark none'",
    question.BONUS: "'mark …' or 'mark none'",
    question.ADVANCE: "'advance' or 'stay'",
    question.HORDE: "'horde' or 'no horde'",
    question.TOKEN: "'token …' or 'token none'",
    question.TARGET: "'swap …' or 'swap none'",
    question.FURTHER: "'band …' or 'stop'",
    question.KEEP: "'keep …' or 'keep none'",
    question.DRAW: "'draw all' or 'draw none'",
    question.EMPTY: "'empty' or 'keep board'",
}


def objection(state: EthnosState, seat: int, action: int) -> Objection | None:
    """Why ``seat`` may not do ``action`` now, or None."""
    if seat < 0 or (seat != state.seat and not state.is_asked(seat)):
        return Objection("not_asked", f"seat {seat} is not asked now")
    edition = state.edition
    if not is_formed(action) or not _is_of(edition, action):
        return Objection("malformed", f"{action} is no action of this game")
    verb = action & 15
    if verb not in _VERBS[state.kind]:
        return Objection(
            "other_question",
            f"the question is {state.kind}: expected {_EXPECTED[state.kind]}, not {text(edition, action)!r}",
        )
    if verb == BAND:
        return _band(edition, state.hands[seat], action >> 4)
    if verb in (TAKE, DRAW, PASS):
        return _recruit(state, seat, action)
    if verb == MARK:
        return _mark(state, action >> 4)
    if verb == KEEP:
        return _keep(state, seat, action >> 12)
    if verb == TOKEN:
        return _token(state, action >> 4)
    if verb == SWAP:
        return _swap(state, seat, *target(action))
    return None


def _is_of(edition: Edition, action: int) -> bool:
    """True if the edition has the cards of a well-formed action."""
    verb = action & 15
    if verb == TAKE:
        return UNIT[value(action)] & edition.fields > 0
    return verb not in (BAND, KEEP) or not pack(action) & ~edition.fields


def _recruit(state: EthnosState, seat: int, action: int) -> Objection | None:
    verb = action & 15
    hand = state.hands[seat]
    if verb == PASS:
        if hand == TEN_SKELETONS:
            return None
        return Objection("no_pass", "only ten Skeletons in hand are a pass")
    if size(hand) >= HAND_LIMIT:
        return Objection("hand_limit", f"with {HAND_LIMIT} cards in hand none can be recruited")
    if verb == TAKE and not state.row & FIELD[action >> 4]:
        names = state.edition.names
        shown = ", ".join([names[card] for card in state.faces]) or "nothing"
        return Objection("not_face_up", f"{names[action >> 4]} is not face up; face up are {shown}")
    return None


def _band(edition: Edition, hand: int, band: int) -> Objection | None:
    leader, cards = band & 255, band >> 8
    words = edition.words
    if leader == SKELETON:
        return Objection("leader", f"a {edition.names[SKELETON]} leads no {words.band.lower()}")
    if not holds(hand, cards):
        return _not_in_hand(edition, hand, cards)
    if not is_one(leader, cards):
        return Objection("mixed", f"{edition.listing(cards)} are neither of one {words.tribe} nor of one colour")
    return None


def _keep(state: EthnosState, seat: int, cards: int) -> Objection | None:
    hand = state.hands[seat]
    edition = state.edition
    if not holds(hand, cards):
        return _not_in_hand(edition, hand, cards)
    most = size(state.bands[seat][-1] >> 8)
    if size(cards) > most:
        band = edition.words.band.lower()
        return Objection(
            "too_many", f"at most {most} cards can be kept, as many as the {band} has; not {edition.listing(cards)}"
        )
    return None


def _mark(state: EthnosState, colour: int) -> Objection | None:
    if not colour or state.kind == question.BONUS:
        return None
    fitting = fitting_kingdoms(state)
    if fitting >> colour & 1:
        return None
    edition = state.edition
    places = ", ".join([edition.kingdoms[fits] for fits in range(1, 7) if fitting >> fits & 1])
    band = edition.words.band.lower()
    return Objection("no_place", f"the {band}'s marker cannot go to {edition.kingdoms[colour]}, only to {places}")


def _token(state: EthnosState, token: int) -> Objection | None:
    if not token and not state.edition.is_ordered:
        return None
    fitting = fitting_tokens(state)
    if fitting >> token & 1:
        return None
    tokens = ", ".join([str(fits) for fits in range(1, 7) if fitting >> fits & 1])
    if not token:
        return Objection("no_choice", f"a token is taken, one of {tokens} (N3.0)")
    return Objection("no_token", f"token {token} cannot be taken, only {tokens}")


def _swap(state: EthnosState, seat: int, other: int, number: int) -> Objection | None:
    """E7.1, E7.4"""
    if other < 0 or (other, number) in fitting_bands(state):
        return None
    if other == seat:
        return Objection("own_band", "a Band is swapped for one of an opponent's")
    played = state.bands[other] if other < len(state.bands) else []
    if number >= len(played):
        return Objection("no_band", f"seat {other} has no Band {number}; it has {len(played)}, counted from 0")
    if (other, number) in state.extra.given:
        return Objection("given", f"Band {number} of seat {other} was given away in this turn")
    most = size(state.bands[seat][-1] >> 8)
    return Objection("too_large", f"Band {number} of seat {other} is larger than {most}, the Fairies' own size")


def _not_in_hand(edition: Edition, hand: int, cards: int) -> Objection:
    held = edition.listing(hand) or "nothing"
    return Objection("not_in_hand", f"the hand does not hold {edition.listing(cards)}; it holds {held}")
