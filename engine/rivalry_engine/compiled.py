"""What the engine says to mypyc, and whether the engine that runs is the compiled one.  Never compiled itself."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_named):
        """Says something about a class to mypyc, which knows it by its name; in plain Python it does nothing."""
        return _same


def _same(made: object) -> object:
    return made


def is_compiled() -> bool:
    """True if the rules that run were compiled by ``make compile``."""
    from rivalry_engine import state

    return str(state.__file__).endswith(tuple(EXTENSION_SUFFIXES))


__all__ = ["is_compiled", "mypyc_attr"]
