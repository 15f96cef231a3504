"""A comparison that is kept in a folder, so that one which was stopped or killed at any moment goes on.

``compare.json`` is one line of canonical JSON: what is compared and how it is decided, settled before the first match.
The log beside it is as a tournament's, with a result or an owed line for every run of a match, and so are the records.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from rivalry_engine import record
from rivalry_engine.chance import seed_from_text
from rivalry_engine.error import RivalryError
from rivalry_server import files
from rivalry_tournament import log, settling
from rivalry_tournament.keeper import Keeper
from rivalry_tournament.lines import Line, Owed, Result
from rivalry_tournament.log import Log, LogError
from rivalry_tournament.made import Hall, Made, Making
from rivalry_tournament.names import seed, shown
from rivalry_tournament.playing import now
from rivalry_tournament.results import RECORDS, Order
from rivalry_tournament.settings import Settings

FORMAT: Final = 1
FILE: Final = "compare.json"
FREE: Final = ("concurrency",)
"""The settings that change nothing about what is played, and may be others when it goes on."""
Run = tuple[str, int, int]
"""A run of a match: its block, its place there, and the attempt."""


class OtherError(RivalryError):
    """A folder that holds something else, or a comparison with other settings."""


def settled(folder: Path, settings: Settings, test: Mapping[str, int | str], *, seeded: bool) -> tuple[Settings, str]:
    """Settles a comparison in a new folder, or finds it there: its settings, and the SHA-256 of its file.

    ``test`` is how it is decided.  Where the seed was not given (``seeded`` is false) it is the one that is there.
    Raises OtherError where something else is there, OSError.
    """
    path = folder / FILE
    if not path.exists():
        _check_new(folder)
        text = _text(settings, test)
        try:
            settling.settle(path, text)
        except FileExistsError:  # another process was quicker
            return settled(folder, settings, test, seeded=seeded)
        return settings, hashlib.sha256(text).hexdigest()
    text = files.content(path)
    kept = there(text, path)
    if not seeded:
        settings = replace(settings, seed=seed_from_text(kept["seed"]))
    _check_same(kept, json.loads(_text(settings, test)), folder)
    return settings, hashlib.sha256(text).hexdigest()


def least(folder: Path) -> int | None:
    """Before how many blocks the comparison in ``folder`` has no verdict; None where there is none that says so."""
    try:
        kept = there(files.content(folder / FILE), folder / FILE)
    except (OSError, OtherError):  # whoever settles it tells what is wrong
        return None
    found = kept.get("min_blocks")
    return found if isinstance(found, int) else None


class KeptHall(Hall):
    """What is in the log is not played again; all else is played in ``hall``, and told when it is on the disk."""

    def __init__(self, hall: Hall, log: Log, folder: Path) -> None:
        """Raises LogError where the log in ``folder`` holds what no comparison has."""
        self._hall = hall
        self._folder = folder
        self._opening: asyncio.Future[None] | None = None
        self._known: dict[Run, Result | Owed] = {}
        for number, line in enumerate(log.lines, 2):
            if not isinstance(line, Result | Owed) or _run(line) in self._known:
                raise LogError(f"{log.path}: line {number} is none of a comparison's; put the log back as it was")
            self._known[_run(line)] = line
        self._keeper = Keeper(folder, log, now=now, on_kept=self._kept)

    async def open(self) -> None:
        """Nothing is opened before it is needed: all matches may be known."""
        (self._folder / RECORDS).mkdir(exist_ok=True)

    async def play(self, order: Order) -> Making:
        run = order.block, order.place, order.attempt
        if run not in self._known:
            await self._opened()
            self._keeper.keep(await self._hall.play(order))
            while run not in self._known:
                await self._keeper.kept()
        line = self._known[run]
        if line.match != order.match_id or (isinstance(line, Result) and line.bots != order.seats):
            raise LogError(
                f"{self._folder / log.FILE}: match {line.place} of block {shown(line.block)} was played by others than"
                f" {FILE} says; put both back as they were"
            )
        return lambda: Made(line, "")

    def capacity(self, entrant: str) -> int:
        return self._hall.capacity(entrant)

    async def close(self) -> None:
        """Returns when all is gone and what had ended is on the disk; raises OSError where it cannot be."""
        if self._opening is not None:
            await self._hall.close()
        await self._keeper.kept()

    async def _opened(self) -> None:
        """Returns when matches can be played; raises RivalryError where a bot cannot play."""
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._hall.open())
        await asyncio.shield(self._opening)

    def _kept(self, line: Line) -> None:
        if isinstance(line, Result | Owed):
            self._known[_run(line)] = line


def _run(line: Result | Owed) -> Run:
    return line.block, line.place, line.attempt


def _text(settings: Settings, test: Mapping[str, int | str]) -> bytes:
    what = {key: value for key, value in settings.json().items() if key not in FREE}
    return record.canonical({"format": FORMAT, **what, **test}) + b"\n"


def there(text: bytes, path: Path) -> dict[str, Any]:
    """The object of the bytes of ``compare.json``, at ``path``; raises OtherError."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise OtherError(f"{path}: not JSON ({error}); expected what `rivalry compare --out` wrote") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("seed"), str):
        raise OtherError(f"{path}: expected what `rivalry compare --out` wrote, of format {FORMAT}")
    return found


def _check_new(folder: Path) -> None:
    """Raises OtherError unless the folder is new, or empty."""
    if not folder.exists():
        return
    if not folder.is_dir() or not all(settling.left_over(each, FILE) for each in folder.iterdir()):
        raise OtherError(
            f"--out {folder}: it is there, is not empty and holds no comparison; expected a new folder, or one that"
            " `rivalry compare --out` made"
        )


def _check_same(there: Mapping[str, Any], here: Mapping[str, Any], folder: Path) -> None:
    """Raises OtherError with the first setting that is another."""
    for key in sorted({*there, *here}):
        if there.get(key) != here.get(key):
            raise OtherError(
                f"--out {folder}: a comparison is kept there with {key} {_said(key, there.get(key))}, and this one has"
                f" {_said(key, here.get(key))}; give the same to go on with it, or another folder"
            )


def _said(key: str, value: Any) -> str:
    """A setting as an error shows it; entrants by their specs, a seed as it was written."""
    if key == "seed" and isinstance(value, str):
        value = json.dumps(seed(seed_from_text(value)), ensure_ascii=False)
    if isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(each, dict) for each in value):
        value = [each.get("spec") for each in value] or []
    return shown(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
