"""A game that is asked: what its code raises becomes one line that names the game, where it was, and what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rivalry_engine.error import GameFailedError, RivalryError
from rivalry_engine.loading import fault


@contextmanager
def answering(name: str, *, but: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Around what is asked of the game ``name`` and nothing else; raises GameFailedError for whatever that raises.

    What is a RivalryError already says itself what is wrong, and is left alone; so are Ctrl-C, too little memory, and
    the errors of ``but``.
    """
    passed: tuple[type[Exception], ...] = (RivalryError, MemoryError, *but)
    try:
        yield
    except passed:
        raise
    except (Exception, SystemExit) as error:
        raise GameFailedError(f"the game {name} failed: {fault(error)}") from error
