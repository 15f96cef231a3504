"""Whose code an exception came out of: the game's or ours."""

from __future__ import annotations

from opcode import opmap
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple

from rivalry_engine.game import Game, State
from rivalry_server import amiss
from rivalry_server.given import BrokenGameError
from rivalry_server.words import failure, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rivalry_server.match import Match

OURS: Final = ("builtins", "abc")
ENGINE: Final = "rivalry_engine"
WIRE: Final = "rivalry_wire"
RAISES: Final = frozenset((opmap["RAISE_VARARGS"],))
"""What the code of a ``raise`` begins with."""


def came_out_of(game: Game, state: State | None, error: BaseException, *, codec: object = None) -> bool:
    """True if ``error`` was raised by the code of ``game`` and its ``state`` or by what that called.

    That is whatever is written in their modules, and their methods, wherever they were written.  A ``codec`` of the
    game is the game's code too, wherever it is kept; what of it is ours is not.
    """
    is_its = _code_of(game, state, codec)
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        if is_its(trace):
            return True
        trace = trace.tb_next
    return False


def tamed(match: Match, error: BaseException) -> Exception:
    """``error`` as one that ends ``match`` and nothing else, where the game raised it; else raises it again.

    So the exit of a program, or what breaks off a task, ends no more than the match of the game that raised it; and
    Ctrl-C, wherever it comes in, stops the program.
    """
    return game_s(match.game, error, state=getattr(match, "state", None), codec=match.codec)


def game_s(game: Game, error: BaseException, *, state: State | None = None, codec: object = None) -> Exception:
    """The same outside of a match."""
    if isinstance(error, Exception):
        return error
    if not came_out_of(game, state, error, codec=codec):
        raise error
    if isinstance(error, KeyboardInterrupt) and not _was_meant(error, _code_of(game, state, codec)):
        raise error
    return BrokenGameError(f"it raised {failure(error)}").with_traceback(error.__traceback__)


class Fault(NamedTuple):
    """Why a match failed.  ``text`` is for its organiser, ``told`` for its bots; ``owed``: it is to be run again."""

    error: Exception
    text: str
    told: str
    owed: bool


def fault_of(match: Match, raised: BaseException) -> Fault:
    """Whose fault it is that ``match`` failed; raises what ``tamed`` does.

    Where something of ours failed over what the game gave, and that is malformed, it is the game's.
    """
    error = tamed(match, raised)
    state = getattr(match, "state", None)
    games = isinstance(error, BrokenGameError) or came_out_of(match.game, state, error, codec=match.codec)
    if not games and state is not None and (wrong := amiss.found(match.game, state, match.log.events)):
        error, games = BrokenGameError(wrong).with_traceback(error.__traceback__), True
    who = f"the game {match.game.name}" if games else "the arena"
    text = words_of(error) if isinstance(error, BrokenGameError) else failure(error)
    return Fault(error, f"{who} failed: {text}", f"{who} failed: {type(error).__name__}", not games)


def _code_of(game: Game, state: State | None, codec: object) -> Callable[[TracebackType], bool]:
    """What says of a place in a traceback whether its code is the game's."""
    own = getattr(state, "inner", state)  # of a heavy game the match has what the state told last
    kinds = (*type(game).__mro__, *type(own).__mro__)
    modules = {kind.__module__ for kind in kinds}
    modules |= {kind.__module__ for kind in type(codec).__mro__ if kind.__module__.partition(".")[0] != WIRE}
    modules.difference_update(OURS)
    methods = {getattr(value, "__code__", None) for kind in kinds for value in vars(kind).values()}
    its = type(game).__module__
    inside = tuple(f"{each}." for each in (its, its.rpartition(".")[0]) if each not in ("", ENGINE))

    def is_its(trace: TracebackType) -> bool:
        module = str(trace.tb_frame.f_globals.get("__name__"))
        return module in modules or module.startswith(inside) or trace.tb_frame.f_code in methods

    return is_its


def _was_meant(error: BaseException, is_its: Callable[[TracebackType], bool]) -> bool:
    """True if a ``raise`` of the game's made ``error``, and not a signal that came while its code ran."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or not is_its(trace) or not 0 <= trace.tb_lasti < len(trace.tb_frame.f_code.co_code):
        return False
    return trace.tb_frame.f_code.co_code[trace.tb_lasti] in RAISES
