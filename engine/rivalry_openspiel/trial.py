"""A trial of a game with parameters, as a process of its own: ``python -m rivalry_openspiel.trial NAME PARAMETERS``.

It loads the game, makes our own first state and takes some steps, with all that an arena asks between two of them.
PARAMETERS is JSON; ``null``: they stand in NAME.  What is wrong is said on stderr, with an exit code that is not 0.
Else the last line on stdout is ``{"heavy": true}`` or false.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from rivalry_engine.error import RivalryError
from rivalry_engine.game import PUBLIC
from rivalry_openspiel import bounds, library
from rivalry_openspiel.state import OpenSpielState

T = TypeVar("T")

STEPS: Final = 20
SEED: Final = b"trial"


def main() -> None:
    short, text = sys.argv[1:3]
    library.registered()  # imports all that is OpenSpiel's own, which is not the game's to answer for
    _limit()
    library.within_trial()
    try:
        heavy = _played(short, json.loads(text))
    except RivalryError as error:
        sys.exit(str(error))
    except MemoryError:
        sys.exit(f"it needs more than {bounds.BYTES >> 20} MiB of memory")
    print(json.dumps({"heavy": heavy}))


def _limit() -> None:
    """Limits this process beyond what it has used so far, where the system can."""
    try:
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu_s = int(used.ru_utime + used.ru_stime) + 1 + bounds.CPU_S
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
        size = _size() + bounds.BYTES
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
    except (ImportError, ValueError, OSError):
        pass
    with suppress(OSError, AttributeError):
        os.nice(10)


def _size() -> int:
    """The address space of this process in bytes; a usual one where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return bounds.BYTES


def _played(name: str, parameters: Mapping[str, Any] | None) -> bool:
    """True if the game is heavy; raises RivalryError where it needs more than it may."""
    from rivalry_openspiel import family
    from rivalry_openspiel import parameters as naming

    short = naming.short_name(name)
    if parameters is None:
        parameters = naming.in_name(name)
    loaded = dict(parameters)
    game, _ = _timed("loading it", lambda: family.made(name, short, loaded, heavy=False)())

    def begun() -> OpenSpielState:
        return _looked_at(game.new_state(SEED))

    state, heavy = _weighed("its first state", begun, again=begun)
    for _ in range(STEPS):
        if not state.movers():
            break
        if heavy:
            _timed("a step of it", lambda: _stepped(state))
        else:
            before = state.clone()
            _, heavy = _weighed("a step of it", lambda: _stepped(state), again=partial(_stepped, before))
    return heavy


def _weighed(what: str, work: Callable[[], T], *, again: Callable[[], object]) -> tuple[T, bool]:
    """What ``work`` returns, and if it takes so long that the game is heavy.

    ``again`` does the same once more: it may have been the machine that made it long, busy with something else.
    """
    done, took_s = _timed(what, work)
    return done, took_s > bounds.HEAVY_S and _timed(what, again)[1] > bounds.HEAVY_S


def _timed(what: str, work: Callable[[], T]) -> tuple[T, float]:
    """What ``work`` returns, and the seconds of a processor that it took."""
    began = time.process_time()
    done = work()
    took_s = time.process_time() - began
    if took_s > bounds.ONCE_S:
        raise RivalryError(f"{what} takes {took_s:.1f} s of a processor; at most {bounds.ONCE_S:g} s may be taken")
    return done, took_s


def _stepped(state: OpenSpielState) -> None:
    for seat in state.movers():
        state.apply(seat, state.choices(seat)[0].action)
    _looked_at(state)


def _looked_at(state: OpenSpielState) -> OpenSpielState:
    """Asks all that an arena asks of a state; returns it."""
    for seat in state.movers():
        actions = len(state.numbers(seat))
        if actions > bounds.ACTIONS_MOST:
            raise RivalryError(f"it has {actions} legal actions at once; at most {bounds.ACTIONS_MOST} may be offered")
        state.choices(seat)
    for audience in (PUBLIC, *range(state.game.seats)):
        seen = len(json.dumps(state.observe(audience).json()))
        if seen > bounds.SEEN_BYTES:
            raise RivalryError(f"what is seen of it takes {seen} bytes; at most {bounds.SEEN_BYTES} may be sent")
    state.setup()
    state.scores()
    state.ranks()
    return state


if __name__ == "__main__":
    main()
