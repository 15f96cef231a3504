"""From what an organiser gave to Settings: every key checked, defaults filled in."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from math import ceil, log2
from typing import Final, TypeVar

from rivalry_engine import catalog
from rivalry_engine.chance import seed_from_text
from rivalry_engine.error import RivalryError
from rivalry_engine.game import Game
from rivalry_engine.option import OptionValue
from rivalry_server.commands import spec
from rivalry_server.policies import ENDS, Policies
from rivalry_server.time_text import time_us
from rivalry_tournament import people, rotations, times
from rivalry_tournament.given import Given, SettingsError, Value
from rivalry_tournament.names import ENTRANT_MOST, SPEC_HAS, TOURNAMENT_MOST, listed, shown, spec_will_do, will_do
from rivalry_tournament.names import expected as expected_of
from rivalry_tournament.settings import ATTEMPTS, TRIED, WORDS, Entrant, Kind, Settings

T = TypeVar("T")

ENTRANTS_MOST: Final = 1_000
BLOCKS_MOST: Final = 1_000_000
KEYS: Final = (
    *("name", "kind", "game", "options", "seats", "entrants", "seed", "time", "load", "wait", "policies", "blocks"),
    *("bots", "rotations", "splits", "tables", "seeds", "subjects", "rounds", "bye", "further", "concurrency"),
    "attempts",
)
"""The keys of a file; each that is one value is a flag as well."""
ONE_SPEC: Final = re.compile(r" *(inproc:)?[A-Za-z_][A-Za-z0-9_.:-]*(\?[^,]*)?")
"""A bot by name, as may stand beside others between commas where only one should."""
ONLY: Final = {
    "tables": (Kind.ROUND_ROBIN,),
    "subjects": TRIED,
    "rounds": (Kind.SWISS,),
    "bye": (Kind.SWISS,),
    "further": (Kind.KNOCKOUT, Kind.DOUBLE_KNOCKOUT),
    "bots": (Kind.ROUND_ROBIN, Kind.SWISS),
}
"""The keys that mean something to some kinds alone."""


def settings(given: Given) -> Settings:
    """The settings; raises SettingsError."""
    given.check_keys(KEYS)
    kind = Kind(given.word("kind", None, list(Kind)))
    for key, kinds in ONLY.items():
        if key in given and kind not in kinds:
            raise SettingsError(
                f"{given.at(key).place}: goes with kind {' or '.join(kinds)}, not with {kind}; leave it out"
            )
    game = _game(given)
    entrants = _entrants(given, game.name)
    names = tuple(entrant.name for entrant in entrants)
    bots = _bots(given, kind, game.seats, len(names))
    subjects = _subjects(given, kind, names)
    time, load = times.read(given)
    return Settings(
        name=_name(given),
        kind=kind,
        game=game.name,
        options=dict(game.options),
        seats=game.seats,
        entrants=entrants,
        seed=_read(given, "seed", None, seed_from_text) if "seed" in given else secrets.token_bytes(32),
        time=time,
        load=load,
        wait=_text(given, "wait", "60s", time_us),
        policies=_policies(given),
        blocks=given.number("blocks", 1, least=1, most=BLOCKS_MOST),
        bots=bots,
        rotations=_rotations(given, kind, bots, game.seats, len(names) - len(subjects)),
        splits=_splits(given, kind, bots, game.seats),
        tables=given.word("tables", "auto", WORDS["tables"]),
        seeds=_seeds(given, kind),
        subjects=subjects,
        rounds=_rounds(given, kind, bots, len(names)),
        bye=given.word("bye", "win" if bots == 2 else "half", WORDS["bye"]),
        further=given.number("further", 1, least=0, most=20),
        concurrency=_concurrency(given, entrants),
        attempts=given.number("attempts", ATTEMPTS, least=1, most=100),
    )


def _game(given: Given) -> Game:
    name = given.text("game", None, expected="the name of a game; `rivalry games` lists them")
    try:
        counts = catalog.rules(name).seat_counts
    except RivalryError as error:
        raise SettingsError(f"{given.at('game').place}: {error}") from error
    options: dict[str, OptionValue] = {}
    for key, value in given.table("options").items():
        options[key] = value.value
        if key == "seats" and "seats" in given:
            raise SettingsError(f"{value.place}: seats is given by {given.at('seats').place} as well; give it once")
    if "seats" in given or "seats" not in options:
        fitting = [count for count in counts if count in rotations.SEATS]
        if not fitting:
            raise SettingsError(f"{given.at('game').place} = {name!r}: it has no tables of 2 to 6 seats")
        usual = catalog.rules(name).usual_seats
        options["seats"] = given.number("seats", usual, least=fitting[0], most=fitting[-1])
    try:
        game = catalog.game(name, options)
    except RivalryError as error:
        raise SettingsError(f"{given.place}: options: {error}") from error
    if game.seats not in rotations.SEATS:
        raise SettingsError(f"{given.place}: seats = {game.seats}; expected 2 to 6")
    return game


def _name(given: Given) -> str:
    name = given.text("name", "")
    if name and not will_do(name, TOURNAMENT_MOST):
        raise given.error("name", expected_of(TOURNAMENT_MOST))
    return name


def _entrants(given: Given, game: str) -> tuple[Entrant, ...]:
    expected = "a table of at least two entrants, name = SPEC"
    if "entrants" not in given:
        raise given.error("entrants", f"{expected}; SPEC is {spec.FORMS}")
    found = []
    for name, value in given.table("entrants").items():
        if not will_do(name, ENTRANT_MOST):
            raise SettingsError(f"{value.place}: a name has {expected_of(ENTRANT_MOST)}")
        if not isinstance(value.value, str):
            raise value.refused(f"a SPEC: {spec.FORMS}")
        if not spec_will_do(value.value):
            raise value.refused(f"a SPEC of {SPEC_HAS}")
        _check_spec(value, game)
        found.append(Entrant(name, value.value))
    if not 2 <= len(found) <= ENTRANTS_MOST:
        raise SettingsError(f"{given.at('entrants').place}: {len(found)} of them; expected 2 to {ENTRANTS_MOST}")
    return tuple(found)


def _check_spec(value: Value, game: str) -> None:
    """Raises RivalryError where a SPEC names nobody, SettingsError where it is several."""
    try:
        spec.occupant(value.value, game, what=f"{value.place} = '{shown(value.value)}'")
    except spec.SpecError as error:
        several = value.value.split(",")
        if len(several) < 2 or not all(map(ONE_SPEC.fullmatch, several)):
            raise
        raise SettingsError(f"{shown(value.place)}: {_each_by_itself(value.place, several)}") from error


def _each_by_itself(place: str, several: Sequence[str]) -> str:
    """How to give several where one was expected."""
    flag = place.partition(" ")[0]
    if not flag.startswith("--"):
        return f"it is {len(several)} of them in one text; expected one, and each by itself"
    return f"give each by itself, as {shown(' '.join(f'{flag} {each.strip()}' for each in several))}"


def _bots(given: Given, kind: Kind, seats: int, entrants: int) -> int:
    """How many different bots are at a table."""
    if kind is Kind.EVALUATION:
        return seats
    most = min(seats, entrants)
    return given.number("bots", most if kind in ONLY["bots"] else 2, least=2, most=most)


def _rotations(given: Given, kind: Kind, bots: int, seats: int, field: int) -> str:
    text = given.text("rotations", "full" if seats <= 3 else "cyclic", expected=rotations.EXPECTED)
    try:
        rotations.count(text, seats)
    except RivalryError as error:
        raise SettingsError(f"{given.at('rotations').place}: {error}") from error
    if bots < seats and text.startswith("balanced"):
        raise given.error("rotations", "full or cyclic, since bots share seats")
    if kind is Kind.EVALUATION and text.startswith("balanced") and field < seats - 1:
        raise given.error("rotations", f"full or cyclic, since a field of {field} has bots on several seats")
    if bots == 2 < seats and kind is not Kind.EVALUATION:
        if "rotations" in given and text != "full":
            raise given.error("rotations", "full, since two bots at a bigger table play every split of its seats")
        return "full"
    return text


def _splits(given: Given, kind: Kind, bots: int, seats: int) -> str:
    if "splits" in given and (bots == seats or kind is Kind.EVALUATION):
        raise SettingsError(f"{given.at('splits').place}: every bot has one seat here; leave it out")
    return given.word("splits", "even", WORDS["splits"])


def _seeds(given: Given, kind: Kind) -> str:
    seeds = given.word("seeds", "shared", WORDS["seeds"])
    if kind is Kind.EVALUATION and seeds == "own":
        raise given.error("seeds", "shared: subjects are compared on the same seeds")
    return seeds


def _subjects(given: Given, kind: Kind, names: tuple[str, ...]) -> tuple[str, ...]:
    if kind not in TRIED:
        return ()
    subjects = given.names("subjects") or names[:1]
    for name in subjects:
        several = [each.strip() for each in name.split(",")]
        if name not in names and len(several) > 1 and set(several) <= set(names):
            place = given.at("subjects").place
            raise SettingsError(f"{place} {shown(name)}: {_each_by_itself(place, several)}")
        if name not in names:
            raise SettingsError(
                f"{given.at('subjects').place}: '{shown(name)}' is no entrant; expected one of {listed(names)}"
            )
    if len(subjects) == len(names):
        raise given.error("subjects", "at least one entrant left to play them")
    return tuple(name for name in names if name in subjects)


def _rounds(given: Given, kind: Kind, bots: int, entrants: int) -> int:
    if kind is not Kind.SWISS:
        return 0
    most = 100 if bots > 2 else entrants - 1 + entrants % 2
    return given.number("rounds", min(ceil(log2(entrants)), most), least=1, most=most)


def _concurrency(given: Given, entrants: tuple[Entrant, ...]) -> int:
    usual = 1 if people.among(entrants) else 0
    if "concurrency" in given and given.at("concurrency").value == "auto":
        return usual
    number = given.number("concurrency", usual, least=0, most=256) or usual
    if why := people.objection(entrants, number):
        raise SettingsError(f"{given.at('concurrency').place}: {why}")
    return number


def _policies(given: Given) -> dict[str, str]:
    known = (*(f"on_{end}" for end in ENDS), "grace")
    texts: dict[str, str] = {}
    for name, value in given.table("policies").items():
        if name not in known:
            raise SettingsError(f"{value.place}: there is no such policy; expected {', '.join(known)}")
        if not isinstance(value.value, str):
            raise value.refused("a text, such as 'stand-in' or 'void'")
        _parsed(value, lambda text, name=name: Policies.parsed({name: text}))  # type: ignore[misc]
        texts[name] = value.value
    return Policies.parsed(texts).texts()


def _text(given: Given, key: str, default: str, read: Callable[[str], object]) -> str:
    """A text that ``read`` takes."""
    text = given.text(key, default)
    if key in given:
        _parsed(given.at(key), read)
    return text


def _read(given: Given, key: str, default: str | None, read: Callable[[str], T]) -> T:
    given.text(key, default)
    return _parsed(given.at(key), read)


def _parsed(value: Value, read: Callable[[str], T]) -> T:
    try:
        return read(value.value)
    except RivalryError as error:
        raise SettingsError(f"{value.place}: {error}") from error
