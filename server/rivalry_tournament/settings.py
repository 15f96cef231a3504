"""What a tournament is to be: everything that its organiser decides, in one value."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from rivalry_engine import record
from rivalry_engine.chance import derived, seed_from_text, seed_text
from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_engine.option import OptionValue
from rivalry_tournament import rotations
from rivalry_tournament.names import (
    ENTRANT_MOST,
    SPEC_HAS,
    TOURNAMENT_MOST,
    expected,
    listed,
    shown,
    spec_will_do,
    will_do,
)

ATTEMPTS: Final = 3
"""How often a match is run where the arena spoils it, usually."""


class Kind(StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    """All against all."""
    GAUNTLET = "gauntlet"
    """The subjects against each of the others."""
    SWISS = "swiss"
    """Rounds; who stands alike meets, and nobody twice."""
    KNOCKOUT = "knockout"
    """Who loses is out."""
    DOUBLE_KNOCKOUT = "double-knockout"
    """Who loses twice is out."""
    EVALUATION = "evaluation"
    """Each subject against the others as a field, which is drawn from."""


DEPENDENT: Final = (Kind.SWISS, Kind.KNOCKOUT, Kind.DOUBLE_KNOCKOUT)
"""The kinds whose later rounds depend on results."""
TRIED: Final = (Kind.GAUNTLET, Kind.EVALUATION)
"""The kinds that have subjects."""
WORDS: Final = {
    "splits": ("even", "all"),
    "tables": ("auto", "all", "design"),
    "seeds": ("shared", "own"),
    "bye": ("win", "half"),
    "ids_of": ("settings", "seed"),
}
"""The settings that are one of some words, the usual one first but for ``bye``."""
NUMBERS: Final = {"blocks": 1, "rounds": 0, "further": 0, "concurrency": 0, "attempts": 1}
"""The least that settings which are numbers may be."""
NOT_PLAYED: Final = ("name", "concurrency", "attempts")
"""What changes nothing about how a match goes, and so nothing about its id."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One bot of a tournament: its name there, and its SPEC as ``rivalry match`` takes it."""

    name: str
    spec: str

    def json(self) -> dict[str, str]:
        """As a schedule holds it."""
        return {"name": self.name, "spec": self.spec}


@dataclass(frozen=True, slots=True)
class Settings:
    """What its organiser decides; ``settings_file`` reads and checks it.

    ``options`` are the game's, resolved, ``seats`` among them.  ``policies`` are texts by name: ``on_illegal``, …,
    ``grace``, as ``Policies.parsed`` takes them.
    """

    kind: Kind
    game: str
    options: Mapping[str, OptionValue]
    seats: int
    entrants: tuple[Entrant, ...]
    """In seeding order."""
    seed: bytes
    name: str = ""
    """What reports call the tournament."""
    time: str = "30s"
    """The time control as text."""
    load: str = ""
    """What a bot's first prompts have until one of the matches of its program is over; empty: as all first prompts."""
    wait: str = "60s"
    """How long a seat may stay empty."""
    policies: Mapping[str, str] = field(default_factory=dict)
    blocks: int = 1
    """How many blocks each table plays (evaluation: each subject), in a round of a Swiss or knockout as well."""
    bots: int = 0
    """How many different bots are at a table, 2 to ``seats``; an evaluation's follow from its field."""
    rotations: str = "cyclic"
    """How a block rotates seats: ``full``, ``cyclic``, or ``balanced N`` for N matches."""
    splits: str = "even"
    """Where bots are fewer than seats: ``even``, or ``all`` splits."""
    tables: str = "auto"
    """Round robin at bigger tables: ``all`` subsets, a balanced ``design`` of fewer, or ``auto``."""
    seeds: str = "shared"
    """``shared``: block n of every table of a round has the same seed; ``own``: every block has one of its own."""
    subjects: tuple[str, ...] = ()
    """Gauntlet and evaluation: who is looked at; all others are the opponents."""
    rounds: int = 0
    """Swiss: how many rounds."""
    bye: str = "win"
    """Swiss: what a round without a table counts: ``win`` or ``half``."""
    further: int = 1
    """Knockout: how many further blocks a tie is given before the better seeded goes on."""
    concurrency: int = 1
    """How many matches run at once; 0: as many as a null match says that the machine bears."""
    attempts: int = ATTEMPTS
    """How often a match is run where the arena spoils it, before its block is left out."""
    ids_of: str = "settings"
    """What match ids follow from: ``settings``, or in schedules of old the ``seed`` alone."""
    _ids: bytes = field(default=b"", init=False, repr=False, compare=False)
    """What ``ids`` returns, once it was asked: it is asked for every block."""

    def json(self) -> dict[str, Any]:
        """As a schedule holds it: no floats, keys by name."""
        value: dict[str, Any] = {key: getattr(self, key) for key in self.__slots__ if key != "_ids"}
        value["kind"] = str(self.kind)
        value["options"] = dict(self.options)
        value["entrants"] = [entrant.json() for entrant in self.entrants]
        value["policies"] = dict(self.policies)
        value["subjects"] = list(self.subjects)
        value["seed"] = seed_text(self.seed)
        return value

    def ids(self) -> bytes:
        """What match ids are derived from: all that decides how matches go, so that other matches have other ids."""
        if not self._ids:
            object.__setattr__(self, "_ids", self._derived_ids())
        return self._ids

    def _derived_ids(self) -> bytes:
        if self.ids_of == "seed":
            return self.seed
        value = self.json()
        for key in NOT_PLAYED:
            del value[key]
        return derived(self.seed, f"ids/{hashlib.sha256(record.canonical(value)).hexdigest()}")

    @staticmethod
    def of(value: Mapping[str, Any]) -> Settings:
        """From what ``json`` gives, unchecked: KeyError, TypeError or ValueError where it is something else."""
        read = {"ids_of": "seed", **value}
        read["kind"] = Kind(value["kind"])
        read["entrants"] = tuple(Entrant(name=item["name"], spec=item["spec"]) for item in value["entrants"])
        read["subjects"] = tuple(value["subjects"])
        read["seed"] = seed_from_text(value["seed"])
        settings = Settings(**read)
        settings.check()
        return settings

    def check(self) -> None:
        """Raises RivalryError where figures or words are none, as they may be in a file that was not made here."""
        if self.seats not in rotations.SEATS or not 2 <= self.bots <= self.seats:
            raise RivalryError(
                f"{self.bots} bots at tables of {self.seats} seats; expected 2 to 6 seats, 2 bots or more"
            )
        rotations.count(self.rotations, self.seats)
        for key, words in WORDS.items():
            if getattr(self, key) not in words:
                raise RivalryError(f"{key} {getattr(self, key)!r}; expected one of {', '.join(words)}")
        for key, least in NUMBERS.items():
            number = getattr(self, key)
            if not isinstance(number, int) or number < least:
                raise RivalryError(f"{key} {number!r}; expected a whole number from {least}")
        self._check_names()
        names = self.names()
        if len(set(names)) < len(names) or len(names) < 2:
            raise RivalryError(
                f"{counted(len(names), 'entrant')}: {listed(names)}; expected two or more, each name once"
            )
        if not set(self.subjects) < set(names):
            raise RivalryError(f"subjects {listed(self.subjects)}; expected entrants, and one left to play them")
        if self.kind in TRIED and not self.subjects:
            raise RivalryError(f"kind {self.kind} without subjects; expected at least one")

    def _check_names(self) -> None:
        """Raises RivalryError where a name or SPEC would do harm where it is shown or started."""
        if self.name != "" and not will_do(self.name, TOURNAMENT_MOST):
            raise RivalryError(f"name {shown(self.name)}; expected {expected(TOURNAMENT_MOST)}")
        for entrant in self.entrants:
            if not will_do(entrant.name, ENTRANT_MOST):
                raise RivalryError(f"entrant {shown(entrant.name)}; a name has {expected(ENTRANT_MOST)}")
            if not spec_will_do(entrant.spec):
                raise RivalryError(f"entrant {entrant.name}: {shown(entrant.spec)}; expected a SPEC of {SPEC_HAS}")

    def names(self) -> tuple[str, ...]:
        """The entrants' names, in seeding order."""
        return tuple(entrant.name for entrant in self.entrants)

    def opponents(self) -> tuple[str, ...]:
        """Those who are not subjects, in seeding order."""
        return tuple(name for name in self.names() if name not in self.subjects)
