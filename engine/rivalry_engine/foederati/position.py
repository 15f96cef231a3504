"""Positions: a state as JSON that people write by hand, every key optional.

``written`` shows every key; ``state`` reads what is stated and settles the rest: stated cards are taken out first, and
what is left is dealt in the order of the seed.  The keys are told in ``RULES.md``, "Positions".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rivalry_engine.chance import seed_text
from rivalry_engine.foederati import question, squares
from rivalry_engine.foederati.position_reading import Reading
from rivalry_engine.foederati.sight import seats_of
from rivalry_engine.foederati.state import FoederatiState

if TYPE_CHECKING:
    from rivalry_engine.foederati.game import Foederati


def state(game: Foederati, position: Mapping[str, Any]) -> FoederatiState:
    """The state of a position; raises PositionError that names the path of the key that is impossible."""
    return Reading(game, position).state()


def written(state: FoederatiState) -> dict[str, Any]:
    """The position of a state, every key shown; ``state`` is its inverse."""
    names = state.board.names
    return {
        "game": state.game.name,
        "options": state.game.options_given(),
        "seed": seed_text(state.seed),
        "round": state.round,
        "first_player": state.first,
        "question": state.kind or None,
        "movers": list(state.movers()),
        "over": not state.kind,
        "founded": [
            {"country": state.board.countries[each.country], "seat": each.seat, "round": each.round}
            for each in state.foundings
        ],
        "passed": seats_of(state.passed),
        "stall": state.stall,
        "stirred": state.stirred,
        "triggers": _triggers(state),
        "turn": {
            "used": state.used,
            "moved_once": state.moved_once,
            "moved": squares.names(state.moved),
            "acted": state.acted,
            "attacked": seats_of(state.attacked),
        },
        "battle": _battle(state),
        "draw_pile": [state.board.card_name(face) for face in reversed(state.pile)],
        "discard": names(state.discard),
        "reshuffles": state.reshuffles,
        "pool": names(state.pool) if state.reshuffles else None,
        "seats": [_seat(state, seat) for seat in range(state.rules.seats)],
    }


def _triggers(state: FoederatiState) -> list[int]:
    """The one that counts first."""
    rest = [each for each in seats_of(state.triggers) if each != state.end_trigger]
    return [state.end_trigger, *rest] if state.end_trigger else []


def _battle(state: FoederatiState) -> dict[str, Any] | None:
    if state.kind != question.BATTLE:
        return None
    return {
        "attacker": state.active,
        "target": squares.name(state.target),
        "played": [{"seat": seat, "card": state.board.card_name(face)} for seat, face in state.played],
    }


def _seat(state: FoederatiState, seat: int) -> dict[str, Any]:
    names = state.board.names
    return {
        "position": state.positions[seat],
        "supply": state.supply[seat],
        "lost": state.lost[seat],
        "shields": squares.names(state.shields[seat]),
        "hand": names(state.hands[seat]),
        "kept": names(state.kept[seat]),
        "since": [state.board.card_name(entry) if entry >= 0 else -entry for entry in state.since[seat]],
    }
