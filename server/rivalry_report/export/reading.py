"""Records, read quickly: form and chain are checked as ``rivalry_engine.record.read`` does, rules are not played."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from rivalry_engine import record
from rivalry_engine.error import DamagedRecordError

LENGTH: Final = len('"chain":"",') + 64


MOST: Final = 1 << 63


@dataclass(frozen=True, slots=True)
class Read:
    """A whole record: its head, its action lines and its last line."""

    head: Mapping[str, Any]
    actions: list[dict[str, Any]]
    tail: Mapping[str, Any]


def read(data: bytes) -> Read:
    """The record in ``data``; raises RecordError as ``record.read`` does, which is asked where the quick way fails."""
    found = _quickly(data) or _slowly(data)
    if not _fits(found):
        raise DamagedRecordError("the outcome, or an action, is of other seats than the head")
    return found


def _quickly(data: bytes) -> Read | None:
    """The record where every line's chain holds over its own bytes; None where anything is unusual."""
    *raws, rest = data.split(b"\n")
    if rest or len(raws) < 2:
        return None
    chain: bytes = record.START
    lines: list[dict[str, Any]] = []
    for raw in raws:
        at = raw.find(b'"chain":"')
        chain = hashlib.sha256(chain + raw[:at] + raw[at + LENGTH :]).digest()
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        lines.append(line)
        if not isinstance(line, dict) or line.pop("chain", None) != chain.hex():
            return None
    if lines[0].get("format") != record.FORMAT or "outcome" not in lines[-1]:
        return None
    record.check_keys(lines)
    return Read(lines[0], lines[1:-1], lines[-1])


def _slowly(data: bytes) -> Read:
    found = record.read(data)
    assert found.tail is not None
    return Read(found.head, [dict(line) for line in found.actions], found.tail)


def _fits(found: Read) -> bool:
    """True if all that is said by seat is said of the seats of the head."""
    named, ended, outcome = found.head["seats"], found.tail["seats"], found.tail["outcome"]
    count = len(named)
    return (
        len(ended) == count
        and all(isinstance(seat, dict) and _texts(seat.get("name"), seat.get("version")) for seat in named)
        and all(_texts(seat["end"]) and _integers(seat["fell"] or 0, seat.get("retries", 0)) for seat in ended)
        and (outcome["scores"] is None) == (outcome["ranks"] is None)
        and all(
            value is None or (isinstance(value, list) and len(value) == count and _integers(*value))
            for value in outcome.values()
        )
        and all(0 <= line["seat"] < count for line in found.actions)
    )


def _texts(*values: object) -> bool:
    return all(isinstance(value, str) for value in values)


def _integers(*values: object) -> bool:
    return all(isinstance(value, int) and -MOST <= value < MOST for value in values)
