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
    TAKE,
    TOKEN,
    is_formed,
)
from rivalry_engine.ethnos.bands import is_one
from rivalry_engine.ethnos.cards import FIELD, SKELETON, TEN_SKELETONS, holds, listed, name, size
from rivalry_engine.ethnos.data import HAND_LIMIT, KINGDOMS
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
    question.FURTHER: "'band …' or 'stop'",
    question.KEEP: "'keep …' or 'keep none'",
    question.DRAW: "'draw all' or 'draw none'",
    question.EMPTY: "'empty' or 'keep board'",
}


def objection(state: EthnosState, seat: int, action: int) -> Objection | None:
    """Why ``seat`` may not do ``action`` now, or None."""
    if seat != state.seat or seat < 0:
        return Objection("not_asked", f"seat {seat} is not asked now")
    if not is_formed(action):
        return Objection("malformed", f"{action} is no action of this game")
    verb = action & 15
    if verb not in _VERBS[state.kind]:
        return Objection(
            "other_question", f"the question is {state.kind}: expected {_EXPECTED[state.kind]}, not {text(action)!r}"
        )
    if verb == BAND:
        return _band(state.hands[seat], action >> 4)
    if verb in (TAKE, DRAW, PASS):
        return _recruit(state, seat, action)
    if verb == MARK:
        return _mark(state, action >> 4)
    if verb == KEEP:
        return _keep(state, seat, action >> 12)
    if verb == TOKEN:
        return _token(state, action >> 4)
    return None


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
        shown = ", ".join([name(card) for card in state.faces]) or "nothing"
        return Objection("not_face_up", f"{name(action >> 4)} is not face up; face up are {shown}")
    return None


def _band(hand: int, band: int) -> Objection | None:
    leader, cards = band & 255, band >> 8
    if leader == SKELETON:
        return Objection("leader", "a skeleton leads no band")
    if not holds(hand, cards):
        return _not_in_hand(hand, cards)
    if not is_one(leader, cards):
        return Objection("mixed", f"{_names(cards)} are neither of one tribe nor of one colour")
    return None


def _keep(state: EthnosState, seat: int, cards: int) -> Objection | None:
    hand = state.hands[seat]
    if not holds(hand, cards):
        return _not_in_hand(hand, cards)
    most = size(state.bands[seat][-1] >> 8)
    if size(cards) > most:
        return Objection("too_many", f"at most {most} cards can be kept, as many as the band has; not {_names(cards)}")
    return None


def _mark(state: EthnosState, colour: int) -> Objection | None:
    if not colour or state.kind == question.BONUS:
        return None
    fitting = fitting_kingdoms(state)
    if fitting >> colour & 1:
        return None
    places = ", ".join([KINGDOMS[fits] for fits in range(1, 7) if fitting >> fits & 1])
    return Objection("no_place", f"the band's marker cannot go to {KINGDOMS[colour]}, only to {places}")


def _token(state: EthnosState, value: int) -> Objection | None:
    if not value:
        return None
    fitting = fitting_tokens(state)
    if fitting >> value & 1:
        return None
    tokens = ", ".join([str(fits) for fits in range(1, 7) if fitting >> fits & 1])
    return Objection("no_token", f"token {value} cannot be taken, only {tokens}")


def _not_in_hand(hand: int, cards: int) -> Objection:
    return Objection("not_in_hand", f"the hand does not hold {_names(cards)}; it holds {_names(hand)}")


def _names(pack: int) -> str:
    return ", ".join([name(card) for card in listed(pack)]) or "nothing"
