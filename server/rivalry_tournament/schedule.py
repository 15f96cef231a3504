"""A schedule: what is played, settled and written before the first match.

``schedule.json`` is one line of canonical JSON with KEYS, as records are.  Where later rounds depend on results (Swiss,
knockouts) it holds the first; ``making.following`` makes the others, a pure function of schedule and results, and the
log holds them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rivalry_engine import record
from rivalry_engine.chance import derived, seed_from_text, seed_text
from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_server import files
from rivalry_tournament.settings import Settings

FORMAT: Final = 1
FILE: Final = "schedule.json"
KEYS: Final = ("exclusion", "format", "promises", "rounds", "settings")


class ScheduleError(RivalryError):
    """A file that is no schedule."""


def match_id(ids: bytes, block: str, place: int, attempt: int = 1) -> str:
    """The id of run ``attempt`` (from 1) of match ``place`` (from 1) of a block; ``ids`` is ``Settings.ids()``."""
    return derived(ids, f"match/{block}/{place}/{attempt}").hex()[:32]


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a block: its place there, from 1, its match id when first run, and by seat who plays."""

    place: int
    match_id: str
    seats: tuple[str, ...]

    def json(self) -> dict[str, Any]:
        """As a schedule holds it."""
        return {"place": self.place, "match_id": self.match_id, "seats": list(self.seats)}

    @staticmethod
    def of(value: Mapping[str, Any]) -> Match:
        """From what ``json`` gives."""
        return Match(int(value["place"]), str(value["match_id"]), tuple(map(str, value["seats"])))


@dataclass(frozen=True, slots=True)
class Block:
    """Matches of one table with one seed, in which seats cancel; only whole blocks are evaluated.

    ``id`` is ``ROUND.NUMBER``; ``number`` says which block of its table it is, from 1; ``bots`` is the table, each bot
    once.
    """

    id: str
    round: int
    number: int
    seed: bytes
    bots: tuple[str, ...]
    matches: tuple[Match, ...]

    @property
    def cluster(self) -> str:
        """What is drawn as one by a bootstrap: blocks with the same seed had the same luck and are not independent."""
        return hashlib.sha256(self.seed).hexdigest()[:16]

    def json(self) -> dict[str, Any]:
        """As a schedule, or the log, holds it."""
        return {
            "id": self.id,
            "round": self.round,
            "number": self.number,
            "seed": seed_text(self.seed),
            "bots": list(self.bots),
            "matches": [match.json() for match in self.matches],
        }

    @staticmethod
    def of(value: Mapping[str, Any]) -> Block:
        """From what ``json`` gives."""
        return Block(
            str(value["id"]),
            int(value["round"]),
            int(value["number"]),
            seed_from_text(value["seed"]),
            tuple(map(str, value["bots"])),
            tuple(Match.of(match) for match in value["matches"]),
        )


@dataclass(frozen=True, slots=True)
class Round:
    """Blocks that may be played in any order and at once; ``byes`` are those who have no table in it."""

    number: int
    name: str
    blocks: tuple[Block, ...]
    byes: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """As a schedule, or the log, holds it."""
        return {
            "number": self.number,
            "name": self.name,
            "blocks": [block.json() for block in self.blocks],
            "byes": list(self.byes),
        }

    @staticmethod
    def of(value: Mapping[str, Any]) -> Round:
        """From what ``json`` gives."""
        blocks = tuple(Block.of(block) for block in value["blocks"])
        return Round(int(value["number"]), str(value["name"]), blocks, tuple(map(str, value["byes"])))


@dataclass(frozen=True, slots=True)
class Schedule:
    """All that is settled.  ``promises`` are sentences for people; ``rounds`` those known before the first match."""

    settings: Settings
    rounds: tuple[Round, ...]
    promises: tuple[str, ...] = ()

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of all rounds that are known before the first match, in order."""
        return tuple(block for round_ in self.rounds for block in round_.blocks)

    @property
    def exclusion(self) -> dict[str, Any]:
        """What leaves a block out of the analysis, and what does not."""
        return exclusion(self.settings.attempts)

    def json(self) -> dict[str, Any]:
        """As ``schedule.json`` holds it."""
        return {
            "format": FORMAT,
            "settings": self.settings.json(),
            "exclusion": self.exclusion,
            "promises": list(self.promises),
            "rounds": [round_.json() for round_ in self.rounds],
        }

    def text(self) -> bytes:
        """The bytes of ``schedule.json``."""
        return record.canonical(self.json()) + b"\n"

    def digest(self) -> str:
        """SHA-256 over the bytes of ``schedule.json``, in hex; the head of the log names it."""
        return hashlib.sha256(self.text()).hexdigest()

    def write(self, path: Path) -> None:
        """Writes it to a new file; raises FileExistsError where there is one, since a schedule is settled once."""
        files.made(path, self.text())


def exclusion(attempts: int) -> dict[str, Any]:
    """The rule by which blocks are left out, as it is written before the first match."""
    return {
        "attempts": attempts,
        "owed": "a match that the arena spoils is run again with the same seed,"
        f" {counted(attempts, 'time')} in all at most",
        "excluded": "a block with a match that is void, or still owed after its last attempt, is left out whole",
        "counts": "all else counts as it ended, whatever the bots did: illegal answers, timeouts, crashes, no-shows",
    }


def read(path: Path) -> Schedule:
    """The schedule in a file; raises ScheduleError, or OSError with its name."""
    return parsed(files.content(path, most=files.SCHEDULE_MOST), str(path))


def parsed(text: bytes, name: str) -> Schedule:
    """The schedule of the bytes of a file called ``name``; raises ScheduleError."""
    value = _json(text, name)
    if value.get("format") != FORMAT:
        raise ScheduleError(f"{name}: schedule format {value.get('format')!r}; expected {FORMAT}")
    try:
        schedule = Schedule(
            Settings.of(value["settings"]), rounds(value["rounds"]), tuple(map(str, value.get("promises", ())))
        )
    except KeyError as error:
        raise ScheduleError(f"{name}: no {error}; expected a schedule, as `rivalry tournament plan` makes") from error
    except (TypeError, ValueError, AttributeError, RivalryError) as error:
        raise ScheduleError(f"{name}: {error}; expected a schedule, as `rivalry tournament plan` makes") from error
    unknown = sorted(set(value) - set(KEYS))
    if unknown:
        raise ScheduleError(f"{name}: unknown key {unknown[0]!r}; expected {', '.join(KEYS)}")
    return schedule


def rounds(values: Sequence[Mapping[str, Any]]) -> tuple[Round, ...]:
    """The rounds of their JSON."""
    return tuple(Round.of(value) for value in values)


def _json(text: bytes, name: str) -> dict[str, Any]:
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ScheduleError(f"{name}: not JSON ({error}); expected a schedule") from error
    if not isinstance(value, dict):
        raise ScheduleError(f"{name}: expected one JSON object, a schedule")
    return value
