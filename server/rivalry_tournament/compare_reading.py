"""What a kept comparison holds, for those who only read it: every match with its block, and which blocks count."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_server import files
from rivalry_tournament import compare, log
from rivalry_tournament.compare import Comparison, Group
from rivalry_tournament.compare_kept import FILE, OtherError, there
from rivalry_tournament.lines import Line, Owed, Result
from rivalry_tournament.log import LogError
from rivalry_tournament.settings import Settings

EMPTY: Final = 256
"""So many blocks in a row may have no line while one after them has: as many matches may run at once."""
Lines = dict[tuple[str, int], Result | Owed]
"""By block and place the last line of a match."""


@dataclass(frozen=True, slots=True)
class KeptComparison:
    """The results in the order of their blocks, and the ids of the blocks that the verdict is made from."""

    results: tuple[Result, ...]
    counted: frozenset[str]


def read(folder: Path) -> KeptComparison:
    """What is kept in ``folder``; raises OtherError or LogError where it holds something else, OSError."""
    text = files.content(folder / FILE)
    value = there(text, folder / FILE)
    try:
        settings = Settings.of({key: value[key] for key in Settings.__slots__ if key in value})
        comparison = _comparison(value)
    except (KeyError, TypeError, ValueError, AttributeError, RivalryError) as error:
        raise OtherError(f"{folder / FILE}: {error}; expected what `rivalry compare --out` wrote") from error
    path = folder / log.FILE
    groups = _groups(settings, _last(log.read(path, hashlib.sha256(text).hexdigest()), path), path)
    whole: list[Result] = []
    taken: set[str] = set()
    open_ = True
    for group, lines in groups:
        results = [line for line in lines.values() if isinstance(line, Result)]
        whole += results
        open_ = open_ and not comparison.over and _all_played(group, lines, settings)
        if not open_:
            continue
        if len(results) < len(lines) or any(result.void for result in results):
            comparison.leave_out("", 0)
        else:
            comparison.add(compare.score(settings, results), tuple(result.transcript for result in results))
            taken.update(block.id for block in group)
    return KeptComparison(tuple(whole), frozenset(taken))


def _comparison(value: dict[str, Any]) -> Comparison:
    """The test as it was settled, before its first block."""
    from rivalry_evaluation.sprt import Sprt

    alpha = float(value["alpha"])
    if not value["sprt"]:
        return Comparison(alpha, least=value["min_blocks"])
    elo0, elo1 = map(float, value["sprt"].split(","))
    return Comparison(alpha, sprt=Sprt(elo0, elo1, alpha), least=value["min_blocks"])


def _last(lines: Iterable[Line], path: Path) -> Lines:
    found: Lines = {}
    for number, line in enumerate(lines, 2):
        if not isinstance(line, Result | Owed):
            raise LogError(f"{path}: line {number} is none of a comparison's; put the log back as it was")
        found[line.block, line.place] = line
    return found


def _groups(settings: Settings, lines: Lines, path: Path) -> Iterator[tuple[Group, Lines]]:
    """By number what was played of each group, its matches in order, as long as there are lines of further ones."""
    left = len(lines)
    empty = 0
    for group in compare.groups(settings):
        if not left:
            return
        if empty > EMPTY:
            raise LogError(f"{path}: {counted(left, 'match', 'matches')} of blocks that the comparison has not")
        keys = [(block.id, match.place) for block in group for match in block.matches]
        found = {key: lines[key] for key in keys if key in lines}
        left -= len(found)
        empty = 0 if found else empty + 1
        yield group, found


def _all_played(group: Group, lines: Lines, settings: Settings) -> bool:
    """True if nothing of a group is to be played any more."""
    return len(lines) == sum(len(block.matches) for block in group) and all(
        isinstance(line, Result) or line.attempt >= settings.attempts for line in lines.values()
    )
