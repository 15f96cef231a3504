"""Checks of records: that every match with a result has one, which tells the same as the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from rivalry_engine import record
from rivalry_engine.counting import counted
from rivalry_engine.error import RecordError
from rivalry_server import files
from rivalry_tournament.checking.finding import Finding, finding
from rivalry_tournament.lines import Result


def kept(folder: Path, results: Iterable[Result]) -> Finding:
    """The records in ``folder`` are those of ``results``; what is wrong names file and match."""
    every = list(results)
    wrong = (fault for result in every for fault in _faults(folder / f"{result.match}.jsonl", result))
    return finding("every result has its record, which tells the same", counted(len(every), "result"), wrong)


def _faults(path: Path, result: Result) -> Iterator[str]:
    where = f"block {result.block}, place {result.place}"
    try:
        found = record.read(files.content(path, most=files.RECORD_MOST))
    except FileNotFoundError:
        yield f"{where}: there is no record {path}"
        return
    except (RecordError, OSError) as error:
        yield f"{where}: {path}: {error}"
        return
    tail = found.tail
    assert tail is not None  # a whole record has one
    outcome = tail["outcome"]
    told = {
        "match id": (found.head["match_id"], result.match),
        "digest": (tail["game_digest"], result.digest),
        "scores": (outcome["scores"], None if result.void else list(result.scores)),
        "ranks": (outcome["ranks"], None if result.void else list(result.ranks)),
        "ends": ([seat["end"] for seat in tail["seats"]], list(result.ends)),
    }
    for what, (there, here) in told.items():
        if there != here:
            yield f"{where}: {path} has the {what} {there or 'none'}; the log has {here or 'none'}"
