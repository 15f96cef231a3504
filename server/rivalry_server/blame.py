"""Whose code an exception came out of: the game's or ours."""

from __future__ import annotations

from types import TracebackType
from typing import Final

from rivalry_engine.game import Game, State

OURS: Final = ("builtins", "abc")
ENGINE: Final = "rivalry_engine"
WIRE: Final = "rivalry_wire"


def came_out_of(game: Game, state: State | None, error: BaseException, *, codec: object = None) -> bool:
    """True if ``error`` was raised by the code of ``game`` and its ``state`` or by what that called.

    A ``codec`` of the game is the game's code too, wherever it is kept; what of it is ours is not.
    """
    own = getattr(state, "inner", state)  # of a heavy game the match has what the state told last
    kinds = (*type(game).__mro__, *type(own).__mro__)
    modules = {kind.__module__ for kind in kinds}
    modules |= {kind.__module__ for kind in type(codec).__mro__ if kind.__module__.partition(".")[0] != WIRE}
    modules.difference_update(OURS)
    its = type(game).__module__
    inside = tuple(f"{each}." for each in (its, its.rpartition(".")[0]) if each not in ("", ENGINE))
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__"))
        if module in modules or module.startswith(inside):
            return True
        trace = trace.tb_next
    return False
