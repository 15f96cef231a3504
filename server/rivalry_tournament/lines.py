"""The lines of a tournament's log: what each kind holds, and how it is written and read.

All are canonical JSON, as records are; in the log each has a chain as well (``chain``).  ``at`` is when a line was
written, in whole seconds since 1970, UTC: it is told and counts for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from rivalry_engine import record
from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_tournament.schedule import Round

FORMAT: Final = 1
SPENT: Final = 4
"""So many figures of each seat's time a result has."""


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


def value(line: Line) -> dict[str, Any]:
    """A line as JSON."""
    found: dict[str, Any] = {field.name: getattr(line, field.name) for field in fields(line)}
    if isinstance(line, Opened):
        found["round"] = line.round.json()
    return {"kind": _NAMES[type(line)], **found}


def written(line: Line) -> bytes:
    """A line by itself, with its end; in a log it has a chain as well."""
    return record.canonical(value(line)) + b"\n"


def read(text: bytes) -> Line:
    """The line of what ``written`` gives; raises LineError."""
    return of(parsed(text))


def parsed(text: bytes) -> dict[str, Any]:
    """The object of its bytes; raises LineError."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LineError(f"it is not JSON ({error})") from error
    if not isinstance(found, dict):
        raise LineError(f"it is {text[:60]!r}; expected an object of kind {', '.join(KINDS)}")
    return found


def of(given: Mapping[str, Any]) -> Line:
    """The line of its JSON, with values of the right types and as many as it has seats; raises LineError."""
    kind = KINDS.get(str(given.get("kind")))
    if kind is None:
        raise LineError(f"it is {str(given)[:60]!r}; expected an object of kind {', '.join(KINDS)}")
    wrong = sorted(set(given) ^ {"kind", *(field.name for field in fields(kind))})
    if wrong:
        holds = "does not hold" if wrong[0] in given else "lacks"
        raise LineError(f"a line of kind {given['kind']} {holds} {wrong[0][:60]!r}")
    for field in fields(kind):
        _check_type(str(field.type), field.name, given[field.name])
    line = _round(given) if kind is Opened else kind(**{key: _tuples(given[key]) for key in given if key != "kind"})
    if isinstance(line, Result):
        _check_seats(line)
    return line


def _round(given: Mapping[str, Any]) -> Opened:
    try:
        line = Opened(Round.of(given["round"]), given["at"])
    except KeyError as error:
        raise LineError(f"its round has no {error}") from error
    except (TypeError, ValueError, AttributeError, RivalryError) as error:
        raise LineError(f"its round cannot be read: {error}") from error
    if line.round.json() != given["round"]:
        raise LineError("its round is not written as a round is")
    return line


def _number(given: Any) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)


def _text(given: Any) -> bool:
    return isinstance(given, str)


def _list(given: Any, each: Callable[[Any], bool]) -> bool:
    return isinstance(given, list) and all(map(each, given))


_TYPES: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "int": (_number, "a whole number"),
    "str": (_text, "a text"),
    "Round": (lambda given: isinstance(given, dict), "an object"),
    "tuple[int, ...]": (lambda given: _list(given, _number), "a list of whole numbers"),
    "tuple[str, ...]": (lambda given: _list(given, _text), "a list of texts"),
    "tuple[tuple[int, ...], ...]": (
        lambda given: _list(given, lambda inner: _list(inner, _number) and len(inner) == SPENT),
        f"a list of lists of {SPENT} whole numbers",
    ),
}
"""By annotation: what JSON is taken for it, and how that is called."""


def _check_type(annotation: str, name: str, given: Any) -> None:
    fits, expected = _TYPES[annotation]
    if not fits(given):
        raise LineError(f"{name} is {str(given)[:60]!r}; expected {expected}")


def _check_seats(line: Result) -> None:
    """Raises LineError where a match has other seats in one value than in another."""
    seats = len(line.bots)
    for name in ("ends", "texts", "decisions", "illegal", "retries", "spent", "scores", "ranks"):
        found, expected = len(getattr(line, name)), 0 if line.void and name in ("scores", "ranks") else seats
        if found != expected:
            raise LineError(f"{name} has {counted(found, 'value')}; expected {expected}, since {_why(line)}")
    if not all(1 <= rank <= seats for rank in line.ranks):
        raise LineError(f"ranks is {list(line.ranks)}; expected 1 to {seats}")


def _why(line: Result) -> str:
    return "the match is void" if line.void else f"there are {counted(len(line.bots), 'bot')}"


def _tuples(given: Any) -> Any:
    return tuple(map(_tuples, given)) if isinstance(given, list) else given
