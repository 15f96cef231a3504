"""Positions: a state as JSON that people write by hand, every key optional.

``written`` shows every key; ``state`` reads what is stated and settles the rest: stated pieces are taken out first, and
what is left is dealt from ``seed`` as at the start of the Age.  The keys are told in ``RULES.md``, "Positions".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rivalry_engine.chance import seed_text
from rivalry_engine.ethnos import cards
from rivalry_engine.ethnos.data import COLOUR_WORDS, COLOURS, KINGDOMS, TRIBE_WORDS, TROLL_TOKENS
from rivalry_engine.ethnos.position_pending import LEADERS
from rivalry_engine.ethnos.position_reading import Reading
from rivalry_engine.ethnos.state import NOBODY, EthnosState

if TYPE_CHECKING:
    from rivalry_engine.ethnos.game import Ethnos


def state(game: Ethnos, position: Mapping[str, Any]) -> EthnosState:
    """The state of a position; raises PositionError that names the path of the key that is impossible."""
    return Reading(game, position).state()


def written(state: EthnosState) -> dict[str, Any]:
    """The position of a state, every key shown; ``state`` is its inverse."""
    over = state.seat == NOBODY
    tribes = [TRIBE_WORDS[tribe] for tribe in state.tribes]
    pending: dict[str, Any] | None = None
    if not over and state.kind != "turn":
        pending = {"kind": state.kind, "seat": state.seat}
        if state.kind in LEADERS:
            pending["band"] = len(state.bands[state.seat]) - 1
        if state.kind == "bonus":
            pending["symbols"] = state.bonus
    return {
        "game": state.game.name,
        "options": {**state.game.options_given(), "tribes": tribes},
        "seed": seed_text(state.seed),
        "age": state.age,
        "movers": list(state.movers()),
        "first_player": state.first,
        "dragons": state.dragons,
        "third_dragon": None if state.drawer == NOBODY else state.drawer,
        "deck": [cards.name(card) for card in reversed(state.deck)],
        "safe": state.safe,
        "face_up": _names(state.row),
        "glory_tokens": {KINGDOMS[colour]: list(state.tokens[colour - 1]) for colour in COLOURS},
        "pending": pending,
        "over": over,
        "seats": [_seat_written(state, seat) for seat in range(state.game.seats)],
    }


def _seat_written(state: EthnosState, seat: int) -> dict[str, Any]:
    return {
        "hand": _names(state.hands[seat]),
        "known": _names(state.known[seat]),
        "glory": state.glory[seat],
        "markers": {KINGDOMS[colour]: state.markers[6 * seat + colour - 1] for colour in COLOURS},
        "bands": [{"leader": cards.name(band & 255), "cards": _names(band >> 8)} for band in state.bands[seat]],
        "merfolk": state.merfolk[seat],
        "orc_board": [COLOUR_WORDS[colour] for colour in COLOURS if state.hordes[seat] >> colour & 1],
        "troll_tokens": [value for value in TROLL_TOKENS if state.trolls[seat] >> value & 1],
        "giant_token": state.giant == seat,
    }


def _names(pack: int) -> list[str]:
    return [cards.name(card) for card in cards.listed(pack)]
