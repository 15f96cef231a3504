"""What an operator decides about a ladder: a TOML file with its queues, the bots that the server runs, its figures."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from rivalry_engine import catalog
from rivalry_engine.error import RivalryError
from rivalry_engine.game import Game
from rivalry_ladder.error import LadderError
from rivalry_ladder.names import checked_digest, checked_name, checked_owner, checked_version
from rivalry_server import files
from rivalry_server.clock import TimeControl
from rivalry_server.policies import Policies, Policy
from rivalry_server.seating import Command, Dial
from rivalry_server.words import cleaned

FILE: Final = "ladder.toml"
BUILT_IN: Final = "built-in:"
QUEUE_KEYS: Final = ("game", "seats", "options", "time", "on", "same_owner", "wait_s", "probe")
BOT_KEYS: Final = ("owner", "version", "digest", "run", "queues", "matches")


@dataclass(frozen=True, slots=True)
class Figures:
    """Numbers of a ladder.  Times are seconds."""

    concurrent: int = 32
    """Matches that run at once."""
    round_s: float = 0.5
    """How often bots are matched at least; also after each match."""
    patience_s: float = 20.0
    """After so long a wait a bot's opponents may be twice as far away in rating as at its beginning."""
    starve_s: float = 600.0
    """A bot that could play and has waited so long is alarmed about."""
    gap: float = 1.0
    """How far away opponents may be at once: see pairing.py for the unit."""
    explore: float = 0.25
    """The share of matches whose opponents are anybody, however far away."""
    rest_s: float = 0.0
    """A bot's matches in one queue are made at least so far apart, so that a ladder leaves the machine to others."""
    idle_programs: int = 32
    """Programs of bots that stay although they play nothing: at most so many."""
    window: int = 10
    """A bot is judged by its last matches: by so many."""
    faults: int = 3
    """So many faults among them, and it is in quarantine."""
    probes: int = 3
    """So many probe matches that fail, one after the other, and it is in quarantine too."""
    probe_again_s: float = 30.0
    """Between a probe match that failed and the next; twice as long after each."""
    resamples: int = 400
    """Of the bootstrap behind the intervals of the official table, which are made of its standard errors."""
    alpha: float = 0.05
    """One minus the confidence of these intervals."""


@dataclass(frozen=True, slots=True)
class QueueSettings:
    """Matches of one game at one number of seats, with one time control."""

    name: str
    game: Game
    time_control: TimeControl = field(default_factory=TimeControl)
    policies: Policies = field(default_factory=lambda: Policies(on_no_show=Policy.VOID))
    same_owner: bool = False
    """True if two bots of one owner may meet."""
    wait_s: float = 30.0
    """How long a bot may take to come to its seat."""
    probe: str = "random"
    """The built-in bot that probe matches are against."""


@dataclass(frozen=True, slots=True)
class BotSettings:
    """A bot that the server starts, dials, or has built in."""

    name: str
    owner: str
    version: str
    digest: str
    queues: tuple[str, ...]
    built_in: str = ""
    registered: Command | Dial | None = None
    matches: int = 1
    """How many of its matches may run at once."""

    @property
    def means(self) -> str:
        """How it is reached: a word of ``registry.Means``."""
        if self.built_in:
            return "built-in"
        return "command" if isinstance(self.registered, Command) else "dialled"


@dataclass(frozen=True, slots=True)
class Settings:
    """All of it."""

    figures: Figures
    queues: Mapping[str, QueueSettings]
    bots: Mapping[str, BotSettings]


def read(path: Path) -> Settings:
    """The settings in a file; raises LadderError in one line, and OSError."""
    try:
        document = tomllib.loads(files.content(path).decode("utf-8-sig"))  # editors may begin it with a byte order mark
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LadderError(f"{path}: not TOML ({error}); mend it") from error
    except RecursionError:
        raise LadderError(f"{path}: nested too deeply; expected tables as in server/README.md") from None
    try:
        return settings(document)
    except RivalryError as error:
        raise LadderError(f"{path}: {error}") from error


def settings(document: Mapping[str, Any]) -> Settings:
    """The settings of a TOML document; raises LadderError."""
    _known("the file", document, ("ladder", "queues", "bots"))
    queues = {name: _queue(name, table) for name, table in _tables(document, "queues").items()}
    if not queues:
        raise LadderError('no queues; expected at least one, such as [queues.kuhn] with game = "kuhn"')
    bots = {name: _bot(name, table, queues) for name, table in _tables(document, "bots").items()}
    return Settings(_figures(document.get("ladder", {})), queues, bots)


def _figures(table: Any) -> Figures:
    _known("[ladder]", _table("[ladder]", table), [each.name for each in fields(Figures)])
    usual = Figures()
    for key, value in table.items():
        whole = isinstance(getattr(usual, key), int)
        kinds = int if whole else (int, float)
        if (
            isinstance(value, bool)
            or not isinstance(value, kinds)
            or not (0 < value <= 1_000_000 or (key == "rest_s" and value == 0))
        ):
            what = "a whole number" if whole else "a number"
            raise LadderError(f"[ladder] {key} = {value!r}: expected {what} above 0 and at most 1000000")
    figures = Figures(**table)
    if not figures.alpha < 1 or not figures.explore <= 1 or figures.resamples < 100 or figures.faults > figures.window:
        raise LadderError(
            "[ladder]: expected alpha below 1, explore of at most 1, resamples from 100, and faults of at most window"
        )
    return figures


def _queue(name: str, table: Any) -> QueueSettings:
    what = f"[queues.{cleaned(name)}]"
    checked_name(name, what)
    _known(what, _table(what, table), QUEUE_KEYS)
    time = _typed(what, table, "time", str, "")
    ends = _table(f"{what} on", table.get("on", {}))
    _known(f"{what} on", ends, [each.name.removeprefix("on_") for each in fields(Policies)])
    try:
        game = _game(what, table)
        usual = QueueSettings(name, game)
        policies = Policies.parsed({"on_no_show": "void"} | {f"on_{end}": str(text) for end, text in ends.items()})
        made = QueueSettings(
            name,
            game,
            TimeControl.parsed(time) if time else TimeControl(),
            policies,
            _typed(what, table, "same_owner", bool, usual.same_owner),
            float(_typed(what, table, "wait_s", (int, float), usual.wait_s)),
            _typed(what, table, "probe", str, usual.probe),
        )
    except LadderError:
        raise
    except RivalryError as error:
        raise LadderError(f"{what}: {error}") from error
    if not 0 < made.wait_s <= 86_400:
        raise LadderError(f"{what} wait_s = {made.wait_s:g}: expected seconds, above 0 and at most 86400")
    return made


def _game(what: str, table: Mapping[str, Any]) -> Game:
    name = _typed(what, table, "game", str, None)
    options = dict(_table(f"{what} options", table.get("options", {})))
    if "seats" in table:
        options["seats"] = table["seats"]
    declared = {option.name for option in catalog.rules(name).options_declared()}
    if "seats" not in declared and (seats := options.pop("seats", None)) is not None:
        game = catalog.game(name, options)
        if seats != game.seats:
            raise LadderError(f"{what} seats = {seats!r}: {name} has {game.seats}")
        return game
    return catalog.game(name, options)


def _bot(name: str, table: Any, queues: Mapping[str, QueueSettings]) -> BotSettings:
    what = f"[bots.{cleaned(name)}]"
    checked_name(name, what)
    _known(what, _table(what, table), BOT_KEYS)
    run = _typed(what, table, "run", str, None)
    wanted = _typed(what, table, "queues", list, list(queues))
    if not wanted:
        raise LadderError(f"{what} queues: it is empty; expected one at least, or leave it out for all")
    for queue in wanted:
        if not isinstance(queue, str) or queue not in queues:
            raise LadderError(f"{what} queues: there is no queue {queue!r}; there are {', '.join(queues)}")
    matches = _typed(what, table, "matches", int, 1)
    if not 1 <= matches <= 4_096:
        raise LadderError(f"{what} matches = {matches}: expected 1 to 4096")
    version = checked_version(str(_typed(what, table, "version", (str, int, float), "1")), what)
    digest = checked_digest(_typed(what, table, "digest", str, ""), what)
    owner = checked_owner(_typed(what, table, "owner", str, "house"), what)
    made = BotSettings(name, owner, version, digest, tuple(wanted), matches=matches)
    return _run(what, made, run)


def _run(what: str, bot: BotSettings, run: str) -> BotSettings:
    from rivalry_server.commands import spec

    if run.startswith(BUILT_IN) and len(run) > len(BUILT_IN):
        return replace(bot, built_in=run.removeprefix(BUILT_IN))
    if not run.startswith(("cmd:", "stdio:", "dial:")):
        raise LadderError(
            f"{what} run = {run!r}: expected cmd:COMMAND LINE, stdio:COMMAND, dial:TARGET or built-in:NAME"
        )
    found = spec.occupant(run, "", what=f"{what} run")
    assert isinstance(found, Command | Dial)
    return replace(bot, registered=found)


def _tables(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    return _table(f"[{key}]", document.get(key, {}))


def _table(what: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise LadderError(f"{what} = {value!r}: expected a table")
    return value


def _known(what: str, table: Mapping[str, Any], keys: Any) -> None:
    for key in table:
        if key not in keys:
            raise LadderError(f"{what}: there is no {key!r}; expected {', '.join(keys)}")


def _typed(what: str, table: Mapping[str, Any], key: str, kind: Any, usual: Any) -> Any:
    value = table.get(key, usual)
    if value is None:
        raise LadderError(f"{what} {key}: expected it, and it is not there".lstrip())
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        expected = {str: "text", bool: "true or false", list: "a list"}.get(kind, "a number")
        raise LadderError(f"{what} {key} = {value!r}: expected {expected}".lstrip())
    return value
