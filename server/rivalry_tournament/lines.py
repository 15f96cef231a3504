"""The lines of a tournament's log: what each kind holds, and how it is written and read.

All are canonical JSON, as records are.  ``at`` is when a line was written, in whole seconds since 1970, UTC: it is told
and counts for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from rivalry_engine import record
from rivalry_engine.error import RivalryError
from rivalry_tournament.schedule import Round

FORMAT: Final = 1


class LineError(RivalryError):
    """A line that is none of a log's; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first line: the schedule that the log goes with, as SHA-256 of its file."""

    schedule: str
    at: int = 0
    format: int = FORMAT


@dataclass(frozen=True, slots=True)
class Opened:
    """A round that depends on results is settled; written before its first match."""

    round: Round
    at: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """A match that counts.

    Tuples are by seat.  ``bots`` are names of entrants, ``void`` says why there are no scores and ranks (empty: there
    are), ``digest`` is the record's, ``transcript`` what copies of a match share, ``spent`` four figures of each seat
    in microseconds: the bot's own, the network's, the arena's, and what its clock was charged.
    """

    block: str
    place: int
    match: str
    attempt: int
    bots: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    ends: tuple[str, ...]
    texts: tuple[str, ...]
    void: str
    digest: str
    transcript: str
    decisions: tuple[int, ...]
    illegal: tuple[int, ...]
    retries: tuple[int, ...]
    spent: tuple[tuple[int, ...], ...]
    duration_us: int
    at: int = 0


@dataclass(frozen=True, slots=True)
class Owed:
    """A run that the arena spoiled, and why: the match is run again with the same seed."""

    block: str
    place: int
    match: str
    attempt: int
    why: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """All matches of the tournament are played."""

    at: int = 0


Line = Head | Opened | Result | Owed | Ended
KINDS: Final[Mapping[str, type[Line]]] = {
    "head": Head,
    "round": Opened,
    "result": Result,
    "owed": Owed,
    "ended": Ended,
}
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def written(line: Line) -> bytes:
    """A line as it stands in the log, with its end."""
    value: dict[str, Any] = {name: getattr(line, name) for name in (field.name for field in fields(line))}
    if isinstance(line, Opened):
        value["round"] = line.round.json()
    return record.canonical({"kind": _NAMES[type(line)], **value}) + b"\n"


def read(text: bytes) -> Line:
    """The line of its bytes; raises LineError."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LineError(f"it is not JSON ({error})") from error
    kind = KINDS.get(str(value.get("kind"))) if isinstance(value, dict) else None
    if kind is None:
        raise LineError(f"it is {text[:60]!r}; expected an object of kind {', '.join(KINDS)}")
    return _of(kind, value)


def _of(kind: type[Line], value: Mapping[str, Any]) -> Line:
    given = {key: _tuples(item) for key, item in value.items() if key != "kind"}
    names = {field.name for field in fields(kind)}
    if set(given) != names:
        wrong = sorted(set(given) ^ names)[0]
        raise LineError(f"a line of kind {value['kind']} {'lacks' if wrong in names else 'does not hold'} {wrong!r}")
    try:
        if kind is Opened:
            return Opened(Round.of(value["round"]), int(value["at"]))
        return kind(**given)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise LineError(f"a line of kind {value['kind']} cannot be read: {error}") from error


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
