"""What each question offers, in its fixed order (E5.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rivalry_engine.ethnos import actions, question
from rivalry_engine.ethnos.bands import playable
from rivalry_engine.ethnos.cards import NUMBERS, TEN_SKELETONS, listed, packed, size
from rivalry_engine.ethnos.data import COLOURS, HAND_LIMIT, TROLL_TOKENS
from rivalry_engine.ethnos.fairies import fitting_bands
from rivalry_engine.ethnos.powers import fitting_kingdoms, fitting_tokens
from rivalry_engine.game import Choice

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState


def _marks(kingdoms: int) -> tuple[Choice, ...]:
    placed = [Choice(actions.mark(colour)) for colour in COLOURS if kingdoms >> colour & 1]
    return (*placed, Choice(actions.mark(0)))


def _tokens(tokens: int) -> tuple[Choice, ...]:
    taken = [Choice(actions.token(value)) for value in reversed(TROLL_TOKENS) if tokens >> value & 1]
    return (*taken, Choice(actions.token(0)))


TAKES: Final[list[Choice]] = [Choice(actions.take(card)) for card in range(NUMBERS)]
DRAW: Final = Choice(actions.draw())
STOP: Final = Choice(actions.stop())
PASS: Final = (Choice(actions.forced_pass()),)
MARKS: Final[list[tuple[Choice, ...]]] = [_marks(mask) for mask in range(128)]
"""By the mask of Kingdoms, bit ``colour``."""
ALL_KINGDOMS: Final = 126
TOKENS: Final[list[tuple[Choice, ...]]] = [_tokens(mask) for mask in range(128)]
"""By the mask of tokens, bit ``value``; the highest first."""
TOKENS_ORDERED: Final[list[tuple[Choice, ...]]] = [offers[:-1] for offers in TOKENS]
"""The same without ``token none`` (N3.0)."""
NO_SWAP: Final = Choice(actions.no_swap())
ADVANCE: Final = (Choice(actions.advance(True)), Choice(actions.advance(False)))
HORDE: Final = (Choice(actions.horde(True)), Choice(actions.horde(False)))
DRAW_CARDS: Final = (Choice(actions.draw_cards(True)), Choice(actions.draw_cards(False)))
EMPTY: Final = (Choice(actions.empty(True)), Choice(actions.empty(False)))


def offered(state: EthnosState) -> Sequence[Choice]:
    """The choices of the question that is open; not to be changed by the caller."""
    kind = state.kind
    if kind == question.TURN:
        hand = state.hands[state.seat]
        led = playable(hand, state._tribe_fields, state._colour_fields)
        if hand % 15 < HAND_LIMIT:
            found = [TAKES[card] for card in state.faces]
            found.append(DRAW)
            found += led
            return found
        return PASS if hand == TEN_SKELETONS else led
    if kind == question.MARKER:
        return MARKS[fitting_kingdoms(state)]
    if kind == question.FURTHER:
        return [*playable(state.hands[state.seat], state._tribe_fields, state._colour_fields), STOP]
    if kind == question.KEEP:
        return (_keeping(state),)
    if kind == question.TOKEN:
        fitting = fitting_tokens(state)
        return TOKENS_ORDERED[fitting] if state.edition.is_ordered else TOKENS[fitting]
    if kind == question.BONUS:
        return MARKS[ALL_KINGDOMS]
    if kind == question.ADVANCE:
        return ADVANCE
    if kind == question.HORDE:
        return HORDE
    if kind == question.DRAW:
        return DRAW_CARDS
    if kind == question.TARGET:
        return [*[Choice(actions.swap(seat, number)) for seat, number in fitting_bands(state)], NO_SWAP]
    return EMPTY if kind == question.EMPTY else ()


def _keeping(state: EthnosState) -> Choice:
    """Any subset of the hand, of at most as many cards as the Band has (E6.3, E6.16)."""
    parts = listed(state.hands[state.seat])
    most = min(size(state.bands[state.seat][-1] >> 8), len(parts))
    return Choice(actions.keep(packed(parts[:most])), parts, 0, most, most)
