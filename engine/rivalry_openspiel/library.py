"""OpenSpiel itself: imported when first needed, and tried in another process before it could take ours down."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final

from rivalry_engine.catalog import KEPT
from rivalry_engine.error import OptionError, RivalryError
from rivalry_engine.extra import install
from rivalry_openspiel.bounds import BYTES, CPU_S, TRIAL_S

TRIAL: Final = "rivalry_openspiel.trial"
_OUT_OF_TIME: Final = -int(getattr(signal, "SIGXCPU", 0)) or None
_within: list[bool] = []
"""Not empty in the process of a trial."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a trial came to."""

    trouble: str = ""
    """Why the game is not to be had; empty where it is."""
    heavy: bool = False


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
def _tried(name: str, parameters: str) -> Verdict:
    """Raises OptionError where the machine had no time for it, which is not remembered."""
    try:
        done = subprocess.run(  # our own interpreter, no shell
            [sys.executable, "-m", TRIAL, name, parameters],
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
        return Verdict(heavy=json.loads(done.stdout.splitlines()[-1])["heavy"])
    if done.returncode == _OUT_OF_TIME:
        return Verdict(f"its first moves took more than {CPU_S} s of a processor")
    return Verdict(_trouble(done.returncode, [line for line in done.stderr.splitlines() if line.strip()]))


def _trouble(code: int, lines: Sequence[str]) -> str:
    """What a trial that ended with ``code`` said."""
    if any("bad_alloc" in line for line in lines):
        return f"it needs more than {BYTES >> 20} MiB of memory"
    for place, line in enumerate(lines):
        if line.startswith("OpenSpiel exception: "):
            found = [line.removeprefix("OpenSpiel exception: ")]
            for more in lines[place + 1 :]:
                if more.startswith(("Traceback", "openspiel:")):
                    break
                found.append(more)
            return said("\n".join(found))
    if code < 0:
        return said(lines[-1]) + "; OpenSpiel then failed altogether" if lines else "OpenSpiel failed altogether"
    return said(lines[-1]) if lines else "OpenSpiel failed"


def within_trial() -> None:
    """This process is a trial: it starts no other."""
    _within.append(True)


def tried(name: str, parameters: Mapping[str, Any] | None) -> bool:
    """True if a game with ``parameters`` is heavy; None: they stand in ``name``.

    Some wrong parameters end the whole process in OpenSpiel's C++ code, and some take minutes or all of the memory, so
    that they are tried in another process first.  Raises OptionError where the game is not to be had.
    """
    if _within:
        return False
    text = "null" if parameters is None else json.dumps(dict(parameters), sort_keys=True)
    verdict = _tried(name, text)
    if verdict.trouble:
        raise OptionError(f"openspiel:{name} is not to be had with these parameters: {verdict.trouble}")
    return verdict.heavy
