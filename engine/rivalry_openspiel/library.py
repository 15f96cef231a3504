"""OpenSpiel itself: imported when first needed, and tried in another process before it could take ours down."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final

from rivalry_engine.catalog import KEPT
from rivalry_engine.error import OptionError, RivalryError
from rivalry_engine.extra import install

TRIAL_S: Final = 15.0
TRIAL_CPU_S: Final = 3
"""The time of a processor that a trial may have, where the system can limit it."""
TRIAL_BYTES: Final = 4 << 30
"""The memory that a trial may have, where the system can limit it."""
_OUT_OF_TIME: Final = -int(getattr(signal, "SIGXCPU", 0)) or None

TRIAL: Final = f"""
import json, sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, ({TRIAL_BYTES}, {TRIAL_BYTES}))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, ({TRIAL_CPU_S}, {TRIAL_CPU_S + 1}))
    import os
    os.nice(10)
except (ImportError, ValueError, OSError):
    pass
import pyspiel
if sys.argv[1].startswith("python_"):
    import open_spiel.python.games
parameters = json.loads(sys.argv[2])
game = pyspiel.load_game(sys.argv[1]) if parameters is None else pyspiel.load_game(sys.argv[1], parameters)
state = game.new_initial_state()
kind = game.get_type()
for _ in range(20):
    if state.is_terminal():
        break
    for seat in range(0 if state.is_chance_node() else game.num_players()):
        if kind.provides_observation_string:
            state.observation_string(seat)
        if kind.provides_information_state_string:
            state.information_state_string(seat)
    if state.is_simultaneous_node():
        state.apply_actions([(state.legal_actions(seat) or [0])[0] for seat in range(game.num_players())])
    elif state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    else:
        state.apply_action(state.legal_actions()[0])
str(state)
"""
"""Loads a game, plays the first of its actions and looks at it; says on stderr what is wrong."""


@cache
def pyspiel() -> Any:
    """The module; raises RivalryError that says how to install it."""
    try:
        return import_module("pyspiel")
    except ImportError as error:
        raise RivalryError(
            f"openspiel needs the package open_spiel, which is not installed: {install('openspiel')}"
        ) from error


OURS = "rivalry_"


@cache
def registered() -> Mapping[str, Any]:
    """The type of each of its games by name, those that are written in Python included.

    Games of ours that were registered there for learners are none of its own.
    """
    spiel = pyspiel()
    with suppress(ImportError):  # they need more than OpenSpiel itself
        import_module("open_spiel.python.games")
    return {kind.short_name: kind for kind in spiel.registered_games() if not kind.short_name.startswith(OURS)}


def loaded(name: str, parameters: Mapping[str, Any]) -> Any:
    """OpenSpiel's game of a name and parameters; raises OptionError with OpenSpiel's own words."""
    spiel = pyspiel()
    try:
        return spiel.load_game(name, dict(parameters))
    except spiel.SpielError as error:
        raise OptionError(f"openspiel:{name}: {said(error)}") from error


def said(error: BaseException | str) -> str:
    """What OpenSpiel says of an error, on one line; where in its sources it stands is left out."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if lines and lines[0].startswith("/") and " " in lines[0]:
        lines[0] = lines[0].partition(" ")[2]
    return "; ".join(lines)[:300] or "OpenSpiel gives no reason"


@lru_cache(maxsize=KEPT)
def _tried(name: str, parameters: str) -> str:
    """What is wrong with a game; empty where nothing is.

    Raises OptionError where the machine had no time for it, which is not remembered.
    """
    try:
        done = subprocess.run(  # our own interpreter, no shell
            [sys.executable, "-c", TRIAL, name, parameters],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TRIAL_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise OptionError(
            f"openspiel:{name} was tried, and its first moves took more than {TRIAL_S:g} s; try again when the machine "
            "is less busy, or choose parameters that make it smaller"
        ) from None
    if done.returncode == 0:
        return ""
    if done.returncode == _OUT_OF_TIME:
        return f"its first moves took more than {TRIAL_CPU_S} s of a processor"
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    for place, line in enumerate(lines):
        if line.startswith("OpenSpiel exception: "):
            found = [line.removeprefix("OpenSpiel exception: ")]
            for more in lines[place + 1 :]:
                if more.startswith("Traceback"):
                    break
                found.append(more)
            return said("\n".join(found))
    if done.returncode < 0:
        return said(lines[-1]) + "; OpenSpiel then failed altogether" if lines else "OpenSpiel failed altogether"
    return said(lines[-1]) if lines else "OpenSpiel failed"


def tried(name: str, parameters: Mapping[str, Any] | None) -> None:
    """Raises OptionError where OpenSpiel does not take ``parameters``; None: they stand in ``name``.

    Some wrong parameters end the whole process in OpenSpiel's C++ code, so that they are tried in another first.
    """
    text = "null" if parameters is None else json.dumps(dict(parameters), sort_keys=True)
    trouble = _tried(name, text)
    if trouble:
        raise OptionError(f"openspiel:{name} is not to be had with these parameters: {trouble}")
