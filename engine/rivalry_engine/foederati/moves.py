"""Migrating and sailing (FO6.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.foederati import events, founding
from rivalry_engine.foederati.squares import BIT

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState


def reach(state: FoederatiState, seat: int, origin: int) -> int:
    """Where an own shield can go: the free squares next to the group it stands in (FO10.15); 0 if there is none."""
    bit = BIT[origin]
    for group in state.groups[seat]:
        if group.mask & bit:
            return group.border & state.free
    return 0


def move(state: FoederatiState, seat: int, origin: int, square: int) -> None:
    """A shield goes: from land it migrates, from the sea it sails (FO6.1, FO10.16, FO10.66)."""
    ship = state.board.sea >> origin & 1
    if not ship:
        state.moved_once = True
    state.acted = True
    state.moved |= BIT[square]
    founding.take(state, seat, origin)
    founding.put(state, seat, square)
    if state.log is not None:
        made = events.sailed if ship else events.migrated
        state.log.append(made(seat, origin, square))
    founding.found(state, seat, square)
