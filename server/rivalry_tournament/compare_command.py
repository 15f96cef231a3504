"""``rivalry compare``: is one bot better than another?"""

from __future__ import annotations

import shlex
import sys
import time
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from rivalry_engine.chance import seed_text
from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_engine.extra import install
from rivalry_server import logs
from rivalry_server.aside import set_aside
from rivalry_server.commands import given as given_on_command_line
from rivalry_server.commands import output, spec
from rivalry_server.commands.failure import FailedError, StoppedError
from rivalry_server.commands.loop import run
from rivalry_tournament import given, people, playing, reading, seats
from rivalry_tournament.given import Value
from rivalry_tournament.log import Log, LogError
from rivalry_tournament.names import seed
from rivalry_tournament.settings import Kind, Settings

if TYPE_CHECKING:
    from rivalry_evaluation.sprt import Sprt
    from rivalry_tournament.compare import Comparison
    from rivalry_tournament.compare_shown import Course

LEAST: Final = 10
MOST: Final = 1000


@click.command(
    epilog=f"A, B and FIELD are SPEC: {spec.FORMS}. Without --against A and B fill the table: a block is every split "
    "of its seats between them, with one seed. With it a block is A on every seat beside FIELD, and B the same with "
    "the same seed. The estimate is the difference of mean utilities, A's less B's, in percent (with --json -1 to 1); "
    "a utility is the share of "
    "the others at the table that one ranks above, ties half. Its interval, low to high, holds at any time, so that "
    "stopping as soon as it leaves 0 is allowed."
)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--against", "field", multiple=True, metavar="FIELD", help="Who has the other seats; may be repeated.")
@click.option("--game", "game_name", required=True, metavar="GAME", help="The game; `rivalry games` lists them.")
@given_on_command_line.option_option
@click.option("--seats", type=int, metavar="N", help="Seats at the table; the game's usual where not given.")
@click.option("--splits", metavar="S", help="Without --against: all splits of the seats (usual), or even ones.")
@click.option("--seed", metavar="TEXT", help="Text, or 0x and hex; by chance where not given.")
@click.option("--time", "time_given", metavar="T", help="Time for a prompt, as for `rivalry match`; 30s if not given.")
@click.option("--wait", metavar="T", help="How long a seat may stay empty; 60s where not given.")
@click.option(
    "--min-blocks", type=click.IntRange(1), show_default=f"{LEAST}, or --max-blocks", help="No verdict before so many."
)
@click.option("--max-blocks", type=click.IntRange(1), default=MOST, show_default=True, help="Undecided after so many.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="How often a verdict may be wrong.")
@click.option("--sprt", "sprt_given", metavar="ELO0,ELO1", help="Wald's test of these differences decides instead.")
@click.option("--concurrency", type=click.IntRange(1, 256), metavar="N", help="Matches at once; usually one a core.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where it is kept: the same command goes on there, whatever stopped it.",
)
@click.option("--address", default="127.0.0.1:0", show_default=True, metavar="TARGET", help="Where bots dial.")
@given_on_command_line.json_option
def command(**arguments: Any) -> int:
    """Compare two bots: play block after block until it is known which is better.

    Exit status: 0 with a verdict or undecided, 1 when no block counts or it could not go on, 2 on bad input, 130 on
    Ctrl-C.
    """
    _check_installed()
    from rivalry_tournament.compare import Comparison
    from rivalry_tournament.compare_shown import Course, copies, show

    alpha, most = arguments["alpha"], arguments["max_blocks"]
    given_least = arguments["min_blocks"]
    least = given_least or _kept_least(arguments["out"]) or min(LEAST, most)
    if not 0.0 < alpha < 0.5:
        raise click.UsageError(f"--alpha {alpha:g}: expected a number between 0 and 0.5, such as 0.05")
    if given_least and least > most:
        raise click.UsageError(f"--min-blocks {least} is more than --max-blocks {most}; give at most as many")
    settings = _settings(arguments)
    sprt = _sprt(arguments["sprt_given"], alpha)
    comparison = Comparison(alpha, sprt=sprt, least=least)
    kept = None
    if arguments["out"] is not None:
        test = {"alpha": repr(alpha), "min_blocks": least, "sprt": f"{sprt.elo0!r},{sprt.elo1!r}" if sprt else ""}
        kept, settings = _settled(arguments["out"], settings, test, seeded=arguments["seed"] is not None)
    if note := copies(settings):
        output.tell(note)
    _play(
        settings,
        comparison,
        Course(comparison, sys.stderr, now=time.monotonic, read=bool(people.among(settings.entrants))),
        most=most,
        address=arguments["address"],
        kept=kept,
    )
    facts = _facts(settings, comparison)
    if arguments["as_json"]:
        output.emit(facts)
    else:
        show(settings, comparison)
    return 0 if comparison.blocks else 1


def _check_installed() -> None:
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise click.UsageError(f"this command needs numpy ({error}): {install('tournament')}") from None


def _settings(arguments: dict[str, Any]) -> Settings:
    """What is played; raises SettingsError, UsageError."""
    field = arguments["field"]
    keys = {"game": "game_name", "seats": "seats", "seed": "seed", "time": "time_given", "wait": "wait"}
    values = {key: Value(f"--{key}", arguments[name]) for key, name in keys.items() if arguments[name] is not None}
    options = given_on_command_line.options(arguments["game_name"], arguments["pairs"])
    if options:
        values["options"] = Value("--option", {key: Value(f"--option {key}", item) for key, item in options.items()})
    values["kind"] = Value("--against", str(Kind.EVALUATION if field else Kind.ROUND_ROBIN))
    named = _named({"A": arguments["a"], "B": arguments["b"]}, field)
    values["entrants"] = Value("A and B", named)
    if field:
        if arguments["splits"] is not None:
            raise click.UsageError("--splits with --against: A and B have one seat each there; leave it out")
        values["subjects"] = Value("A and B", list(named)[:2])
    elif arguments["splits"] is not None:
        values["splits"] = Value("--splits", arguments["splits"])
    settings = reading.settings(given.Given(values, "the flags"))
    if not field and arguments["splits"] is None and settings.seats > 2:
        settings = replace(settings, splits="all")
    at_once = arguments["concurrency"] or settings.concurrency or _cores()
    if why := people.objection(settings.entrants, at_once):
        raise click.UsageError(f"--concurrency {at_once}: {why}")
    return replace(settings, concurrency=at_once)


def _named(pair: dict[str, str], field: tuple[str, ...]) -> dict[str, Value]:
    """Who plays, by name: what was given, with a number where that was given before."""
    found: dict[str, Value] = {}
    for place, text in (*pair.items(), *((f"--against {each}", each) for each in field)):
        name = text.strip()[:48] or "?"
        number = 1
        while (f"{name} #{number}" if number > 1 else name) in found:
            number += 1
        found[f"{name} #{number}" if number > 1 else name] = Value(place, text)
    return found


def _cores() -> int:
    from rivalry_tournament.calibration import cores

    return cores()


def _sprt(text: str | None, alpha: float) -> Sprt | None:
    if text is None:
        return None
    from rivalry_evaluation.sprt import Sprt

    expected = "expected two differences in Elo, the smaller first, such as 0,10 or -10,10"
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise click.UsageError(f"--sprt {text}: {expected}") from None
    if not (-2000 <= elo0 < elo1 <= 2000):
        raise click.UsageError(f"--sprt {text}: {expected}, and within 2000")
    return Sprt(elo0, elo1, alpha)


class _Kept(NamedTuple):
    """The folder in which a comparison is kept, and the digest of what was settled there."""

    folder: Path
    digest: str


def _kept_least(folder: Path | None) -> int | None:
    """``--min-blocks`` of the comparison that is kept there, if one is."""
    if folder is None:
        return None
    from rivalry_tournament.compare_kept import least

    return least(folder)


def _settled(folder: Path, settings: Settings, test: dict[str, int | str], *, seeded: bool) -> tuple[_Kept, Settings]:
    """Settles the comparison in its folder, or finds it there; raises UsageError where another is."""
    from rivalry_tournament.compare_kept import OtherError, settled

    try:
        settings, digest = settled(folder, settings, test, seeded=seeded)
    except OtherError as error:
        raise click.UsageError(str(error)) from None
    return _Kept(folder, digest), settings


def _play(
    settings: Settings, comparison: Comparison, course: Course, *, most: int, address: str, kept: _Kept | None
) -> None:
    """Plays it, and keeps it where that is wished; raises StoppedError, FailedError, or LogError for another's log."""
    from rivalry_tournament.compare_shown import so_far

    logs.configure("error")

    async def main() -> None:
        from rivalry_tournament.compare_run import Run

        hall = _hall(settings, address)
        if kept is not None and log is not None:
            from rivalry_tournament.compare_kept import KeptHall

            hall = KeptHall(hall, log, kept.folder)
        await Run(settings, comparison, hall, most=most, on_block=course.add).run()

    try:
        with set_aside(), _log(kept) as log:
            run(main)
    except KeyboardInterrupt as stopped:
        raise StoppedError(stopped, f"after {so_far(comparison)}; {_how(settings, kept)}") from None
    except OSError as error:
        where = error.filename or (kept.folder if kept else "")
        raise FailedError(f"{where}: {error.strerror}, after {so_far(comparison)}; {_how(settings, kept)}") from error
    except LogError:
        raise
    except RivalryError as error:
        raise FailedError(f"{error}; after {so_far(comparison)}") from error
    finally:
        with suppress(OSError):
            course.close()


def _log(kept: _Kept | None) -> AbstractContextManager[Log | None]:
    """The log of a comparison that is kept, open; raises LogError, OSError."""
    if kept is None:
        return nullcontext()
    log = Log(kept.folder, kept.digest, at=playing.now())
    if mended := log.mended():
        output.tell(mended)
    if log.lines:
        output.tell(f"{counted(len(log.lines), 'match', 'matches')} kept in {kept.folder}; it goes on from there")
    return log


def _how(settings: Settings, kept: _Kept | None) -> str:
    """How to go on, in words."""
    if kept is not None:
        return f"what was played is kept: go on by the same command, with --out {shlex.quote(str(kept.folder))}"
    return (
        "nothing is kept: to play the same blocks again, and on, give the same bots and"
        f" --seed {shlex.quote(seed(settings.seed))}; --out DIR keeps it"
    )


def _hall(settings: Settings, address: str) -> Any:
    if seats.all_inside(settings):
        from rivalry_tournament.worker_hall import WorkerHall

        return WorkerHall(settings, concurrency=settings.concurrency)
    from rivalry_tournament.arena_hall import ArenaHall

    return ArenaHall(settings, concurrency=settings.concurrency, address=address, tell=output.tell)


def _facts(settings: Settings, comparison: Comparison) -> dict[str, Any]:
    """As programs read it."""
    known = comparison.known
    names = settings.names()
    facts: dict[str, Any] = {
        "verdict": comparison.verdict,
        "blocks": comparison.blocks,
        "estimate": round(known.estimate, 9),
        "low": round(known.low, 9),
        "high": round(known.high, 9),
        "alpha": comparison.alpha,
        "a": names[0],
        "b": names[1],
        "against": list(names[2:]),
        "game": settings.game,
        "options": dict(settings.options),
        "seed": seed_text(settings.seed),
        "matches": comparison.matches,
        "copies": comparison.copies,
        "left_out": comparison.left_out,
    }
    if comparison.sprt is not None:
        facts["sprt"] = {
            "elo0": comparison.sprt.elo0,
            "elo1": comparison.sprt.elo1,
            "ratio": round(comparison.ratio, 9),
            "bound": round(comparison.sprt.bound, 9),
            "accepted": comparison.accepted,
        }
    return facts
