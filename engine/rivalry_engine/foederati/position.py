"""Positions: a state as JSON that people write by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rivalry_engine.error import PositionError
from rivalry_engine.foederati.state import FoederatiState

if TYPE_CHECKING:
    from rivalry_engine.foederati.game import Foederati


def state(game: Foederati, position: Mapping[str, Any]) -> FoederatiState:
    """The state of a position."""
    raise PositionError("not yet")


def written(state: FoederatiState) -> dict[str, Any]:
    """The position of a state."""
    raise PositionError("not yet")
