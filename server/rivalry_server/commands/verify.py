"""``rivalry verify``: is a record true?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rivalry_engine import record
from rivalry_engine.counting import counted
from rivalry_engine.error import DamagedRecordError, GameFailedError, RecordError, RivalryError
from rivalry_server import files
from rivalry_server.commands import given, output
from rivalry_server.commands.failure import FailedError


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@given.json_option
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Play the record in each FILE (- for stdin; of a folder its *.jsonl) again and compare.

    Exit status: 0 true; 1 damaged, or another result than it says; 2 not a record that can be read here, or its game
    failed; of several the worst.
    """
    if len(files) == 1 and not Path(files[0]).is_dir():
        return _one(files[0], as_json)
    return max(_among(file, as_json) for file in _all(files))


def _all(files: tuple[str, ...]) -> list[str]:
    """The files, those of a folder in the order of their names; raises UsageError for a folder without records."""
    found: list[str] = []
    for file in files:
        inside = sorted(map(str, Path(file).glob("*.jsonl"))) if Path(file).is_dir() else [file]
        if not inside:
            raise click.UsageError(f"{file}: a folder without records; expected *.jsonl in it")
        found += inside
    return found


def _one(file: str, as_json: bool) -> int:
    try:
        facts = _true(file)
    except DamagedRecordError as error:
        if not as_json:
            raise FailedError(f"{file}: {error}") from error
        output.emit({"true": False, "difference": str(error)})
        return 1
    except (RecordError, GameFailedError) as error:
        raise RecordError(f"{file}: {error}") from error
    if as_json:
        output.emit(facts)
    else:
        output.say(_worded(file, facts))
    return 0


def _among(file: str, as_json: bool) -> int:
    """One line about one of several files; returns its exit status."""
    status, text = 0, ""
    facts: dict[str, Any] = {"true": False}
    try:
        facts = _true(file)
    except (RivalryError, OSError) as error:
        status = 1 if isinstance(error, DamagedRecordError) else 2
        text = files.why(error) if isinstance(error, OSError) else str(error)
        facts["difference" if status == 1 else "error"] = text
    if as_json:
        output.emit({"file": file, **facts})
    else:
        output.say(_worded(file, facts) if status == 0 else f"{file}: {' '.join(text.split())}")
    return status


def _true(file: str) -> dict[str, Any]:
    """What is to be told of a true record; raises RecordError, DamagedRecordError, GameFailedError."""
    read = record.read(given.record(file))
    record.verified(read)
    assert read.tail is not None
    return {"true": True, "game_digest": read.tail["game_digest"], "actions": len(read.actions)}


def _worded(file: str, facts: dict[str, Any]) -> str:
    digest = facts["game_digest"] or "none, the match is void"
    return f"{file}: true, {counted(facts['actions'], 'action')}, game digest {digest}"
