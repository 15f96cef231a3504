"""From a record to the rows of the tables: each a list of columns, in the order of the schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rivalry_engine.record import canonical
from rivalry_report.export.reading import Read

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match stands in a tournament or a comparison, and by which names its bots were entered."""

    tournament: str
    block: str
    place: int
    counted: bool
    bots: tuple[str, ...]


def results(record: Read, place: Place | None) -> Iterator[Row]:
    """The one row of a match in ``results``."""
    head, tail = record.head, record.tail
    outcome = tail["outcome"]
    void = None if outcome["scores"] is not None else tail.get("text") or "it has no outcome"
    yield (
        *_match(record, place),
        head["game"],
        head["rules_version"],
        canonical(head["options"]).decode(),
        head["time"],
        len(head["seats"]),
        list(bots(record, place)),
        outcome["scores"],
        outcome["ranks"],
        [seat["end"] for seat in tail["seats"]],
        len(record.actions),
        sum(line["us"] for line in record.actions),
        void,
        tail["game_digest"] or None,
        head["package"],
    )


def seats(record: Read, place: Place | None) -> Iterator[Row]:
    """A row a seat."""
    names, outcome = bots(record, place), record.tail["outcome"]
    spent = [[0, 0, 0, 0, 0] for _ in names]
    for line in record.actions:
        sums = spent[line["seat"]]
        if "by" in line:
            sums[1] += 1
            continue
        sums[0] += 1
        sums[2] += line["us"]
        sums[3] += line.get("network", 0)
        sums[4] += line.get("arena", 0)
    for seat, (said, ended) in enumerate(zip(record.head["seats"], record.tail["seats"], strict=True)):
        ranks = outcome["ranks"]
        yield (
            *_match(record, place),
            record.head["game"],
            seat,
            names[seat],
            said["name"],
            said["version"],
            outcome["scores"] and outcome["scores"][seat],
            ranks and ranks[seat],
            ranks and _below(ranks, seat),
            len(names) - 1,
            ended["end"],
            ended["fell"],
            ended.get("retries", 0),
            *spent[seat],
        )


def decisions(record: Read, place: Place | None) -> Iterator[Row]:
    """A row an action."""
    match, tournament, *_ = _match(record, place)
    names = bots(record, place)
    for line in record.actions:
        seat, network, arena = line["seat"], line.get("network", 0), line.get("arena", 0)
        yield (
            match,
            tournament,
            line["n"],
            seat,
            names[seat],
            line["action"],
            "by" in line,
            line["us"],
            network,
            arena,
            line.get("note"),
        )


MAKERS: Final = {"results": results, "seats": seats, "decisions": decisions}
"""What makes the rows of each table."""


def bots(record: Read, place: Place | None) -> Sequence[str]:
    """By seat who played: the entrants' names in a tournament or comparison, else what the bots call themselves."""
    return place.bots if place is not None else [seat["name"] for seat in record.head["seats"]]


def _match(record: Read, place: Place | None) -> Row:
    match, seed = record.head["match_id"], record.head["seed"]
    if place is None:
        return match, None, None, None, seed, None
    return match, place.tournament, place.block, place.place, seed, place.counted


def _below(ranks: Sequence[int], seat: int) -> int:
    """Two for each other seat that ranks below, one for each that is equal."""
    own = ranks[seat]
    return sum(2 if rank > own else rank == own for rank in ranks) - 1
