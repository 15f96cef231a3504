"""``rivalry match``: a match between bots, or many."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rivalry_engine.chance import seed_text
from rivalry_engine.error import RivalryError
from rivalry_server import files, logs, stop
from rivalry_server.commands import given, output, plan, play, recording, spec
from rivalry_server.commands.failure import FailedError, StoppedError
from rivalry_server.commands.request import Request

if TYPE_CHECKING:
    from rivalry_server.commands.explain import Ledger
    from rivalry_server.commands.many import Match, Tally
    from rivalry_server.match_spec import MatchSpec


MEANT: Final = {
    "on_illegal": "illegal answers",
    "on_timeout": "its time running out",
    "on_disconnect": "a closed stream",
    "on_crash": "a crash",
    "on_no_show": "nobody taking it",
}


def policy_options(command: Callable[..., int]) -> Callable[..., int]:
    """Adds ``--grace`` and an option for each end that has a policy."""
    command = click.option(
        "--grace",
        default="usual",
        show_default="30s",
        metavar="T",
        help="How long a bot whose stream was lost may take to come back; 'T paused' stops its clock meanwhile.",
    )(command)
    for name in reversed(MEANT):
        what = name.removeprefix("on_").replace("_", "-")
        said = f"What follows when a seat ends by {MEANT[name]}."
        command = click.option(
            f"--on-{what}", name, default="stand-in", show_default=True, metavar="POLICY", help=said
        )(command)
    return command


@click.command(
    epilog=f"SPEC is {spec.FORMS}; settings follow as NAME?key=value&key=value."
    " POLICY is stand-in, end or void; for a crash, a closed stream or an empty seat also retry N or retry N void."
    " T is 500ms, 2s or 1m; --time also takes 2s,soft=1s,strikes=3 or 2s,bank=60s or 60s+1s or total=120s or untimed."
)
@click.option("--game", "game_name", metavar="GAME", help="The game; `rivalry games` lists them.")
@given.option_option
@click.option("--bot", "bots", multiple=True, metavar="SPEC", help="Who plays; once for each seat, in their order.")
@click.option("--seed", "seed_given", metavar="TEXT", help="Text, or 0x and hex; by chance where not given.")
@click.option("--time", "time_given", default="30s", show_default=True, metavar="T", help="Time for a prompt.")
@click.option("--wait", default="60s", show_default=True, metavar="T", help="How long a seat may stay empty.")
@policy_options
@click.option("--position", "position_file", metavar="FILE", help="Begin from this position (- for stdin).")
@click.option("--record", "record_path", metavar="FILE", help="Write the record; a folder takes MATCH_ID.jsonl.")
@click.option("--force", is_flag=True, help="With --record: replace what is there.")
@click.option("--count", type=click.IntRange(min=1), metavar="N", help="Play N matches, each with a seed of its own.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, metavar="J", help="With --count: in J processes.")
@click.option(
    "--from", "start", type=click.IntRange(min=1), default=1, metavar="K", help="With --count: begin at match K."
)
@click.option("--address", default="127.0.0.1:0", show_default=True, metavar="TARGET", help="Where the arena listens.")
@click.option("--watch", is_flag=True, help="Show the moves while they are made.")
@click.option("--pace", metavar="T", help="With --watch: wait after each move; 15ms on a terminal.")
@click.option("--show", type=click.Choice(["prompts"]), help="Show every prompt with all that its seat may know.")
@click.option("--explain-time", is_flag=True, help="Show of each decision whose the time was: bot, network, arena.")
@click.option(
    "--log", "level", type=click.Choice(list(logs.LEVELS)), default="warning", show_default=True, help="Log level."
)
@given.json_option
@click.option("--numbers", is_flag=True, hidden=True)
def command(**arguments: Any) -> int:
    """Play a match and print its outcome.

    Exit status: 0 with an outcome, 1 when it is void or failed, 2 on bad input, 130 on Ctrl-C, 143 on SIGTERM.
    """
    numbers = arguments.pop("numbers")
    request = Request(**arguments)
    logs.configure(request.level)
    if numbers:
        return _work(request)
    if request.count is None:
        return _one(request)
    return _many(request)


def _one(request: Request) -> int:
    planned = request.planned()
    match_spec = planned.spec()
    path = None
    if request.record_path is not None:
        path = recording.file(request.record_path, match_spec.match_id, force=request.force)
    try:
        with stop.orderly():
            match = _played(request, planned, match_spec, path)
    except KeyboardInterrupt as stopped:
        raise StoppedError(
            stopped,
            f"before the match had an outcome; to play it anew give the same bots and --seed {seed_text(planned.seed)}",
        ) from None
    if request.as_json:
        output.emit(match)
    else:
        play.table(match)
        if request.explain_time:
            from rivalry_server.commands import explain

            explain.table(match["ledger"], [play.who(seat) for seat in match["seats"]])
        if match["record"] is not None:
            output.say(f"record: {path}")
    return int(match["void"] or _unrecorded(request, match))


def _many(request: Request) -> int:
    from rivalry_server.commands.many import Tally

    planned = request.planned()
    assert request.count is not None
    if request.jobs > 1 and request.position_file == "-":
        raise click.UsageError("--position - with --jobs: several processes cannot read one stdin; give a file")
    folder = None if request.record_path is None else recording.folder(request.record_path)
    numbers = range(request.start, request.count + 1)
    if folder is not None and not request.force:
        assert request.record_path is not None
        recording.spare(request.record_path, _records(folder, numbers, request.count))
    tally = Tally()
    finished = request.start - 1
    try:
        with stop.orderly(), closing(_matches(request, planned, folder, numbers)) as matches:
            for match in matches:
                finished = match["number"]
                tally.add(match)
                if request.as_json:
                    output.emit(match)
                elif output.on_terminal(sys.stderr):
                    sys.stderr.write(f"\r{finished} of {request.count}")
    except KeyboardInterrupt as stopped:
        _show(tally, request, folder)
        raise StoppedError(
            stopped, f"after match {finished} of {request.count}; {_going_on(request, planned, finished, folder)}"
        ) from None
    except (FailedError, RivalryError) as error:
        if isinstance(error, RivalryError) and finished < request.start:
            raise
        _show(tally, request, folder)
        said = str(error) if isinstance(error, FailedError) else f"match {finished + 1} failed: {error}"
        raise FailedError(f"{said}; {_going_on(request, planned, finished, folder)}") from error
    _show(tally, request, folder)
    return int(tally.void > 0 or any(_unrecorded(request, match) for match in tally.matches))


def _show(tally: Tally, request: Request, folder: Path | None) -> None:
    """What the matches so far came to, for a person; a program has it already."""
    if request.as_json:
        return
    if output.on_terminal(sys.stderr):
        sys.stderr.write("\r\x1b[K")
    if tally.matches:
        tally.table()
        if folder is not None:
            output.say(f"records: {folder}")
    sys.stdout.flush()


def _records(folder: Path, numbers: range, count: int) -> Iterator[Path]:
    return (recording.numbered(folder, number, count) for number in numbers)


def _going_on(request: Request, planned: plan.Plan, finished: int, folder: Path | None) -> str:
    assert request.count is not None
    rest = range(finished + 1, request.count + 1)
    held = folder is not None and recording.first_held(_records(folder, rest, request.count)) is not None
    return (
        f"to go on give the same bots, --seed {seed_text(planned.seed)}, --count {request.count}"
        f" and --from {finished + 1}{', with --force for the records that are there' if held else ''}"
    )


def _matches(request: Request, planned: plan.Plan, folder: Path | None, numbers: range) -> Generator[Match]:
    from rivalry_server.commands import many

    if request.jobs > 1:
        return many.spread(numbers, request.worker(planned), jobs=request.jobs)
    return many.in_turn(numbers, lambda number: _numbered(request, planned, folder, number))


def _work(request: Request) -> int:
    """Plays the matches whose numbers come on stdin, a line each, until there are no more."""
    from rivalry_server.commands.worker import orders

    planned = request.planned()
    folder = None if request.record_path is None else Path(request.record_path)
    with orders() as (numbers, bring):
        for number in numbers:
            bring(_numbered(request, planned, folder, number))
    return 0


def _numbered(request: Request, planned: plan.Plan, folder: Path | None, number: int) -> Match:
    assert request.count is not None
    path = None if folder is None else recording.numbered(folder, number, request.count)
    return {"number": number, **_played(request, planned, planned.spec(number), path)}


def _played(request: Request, planned: plan.Plan, match: MatchSpec, path: Path | None) -> Match:
    ledger = _ledger() if request.explain_time else None
    views = [*request.views(match), *([] if ledger is None else [ledger])]
    result = play.played(planned, match, views=views, address=request.address)
    if path is not None:
        try:
            recording.write(result, path)
        except OSError as error:
            output.tell(f"rivalry: --record {path}: the record was not written: {files.why(error)}")
            path = None
    facts = play.facts(result, path)
    if ledger is not None:
        from rivalry_server.commands import explain

        facts["ledger"] = explain.facts(ledger.lines)
    return facts


def _ledger() -> Ledger:
    from rivalry_server.commands.explain import Ledger

    return Ledger()


def _unrecorded(request: Request, match: Match) -> bool:
    return request.record_path is not None and match["record"] is None
