"""``rivalry arena``: what an operator asks of an arena that runs: make matches, follow them, read them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import click

from rivalry_server.commands import arena_create, arena_facts, game_table, given, output
from rivalry_server.commands.arena_calls import CallError, Calls, asked
from rivalry_server.commands.arena_course import settled
from rivalry_server.commands.arena_where import Where, where_options
from rivalry_server.commands.failure import FailedError

SETTLED_S: Final = 0.1
match_argument = click.argument("match_id", metavar="ID")


@click.group(epilog="`rivalry serve` runs an arena; `rivalry bot NAME --address TARGET` takes an open seat.")
def command() -> None:
    """Make, watch and read matches at an arena that runs.

    Where the arena asks for tokens, create and cancel take an operator's, and the rest takes any.
    """


command.add_command(arena_create.command, "create")


@command.command("list", short_help="List matches, the newest first.")
@click.option(
    "--phase", type=click.Choice(arena_facts.PHASES), help="Only those that wait for bots, run, or have ended."
)
@click.option(
    "--count", type=click.IntRange(1, 1_000_000), default=100, show_default=True, metavar="N", help="At most N."
)
@where_options
def listed(where: Where, as_json: bool, phase: str | None, count: int) -> None:
    """List the matches that the arena has, the newest first: those that wait, run and have ended."""
    number: Any = 0 if phase is None else arena_facts.PHASES.index(phase) + 1
    matches = [arena_facts.facts(match) for match in asked(where, lambda calls: calls.matches(number, count))]
    if as_json:
        output.emit({"matches": matches})
    else:
        arena_facts.rows(matches)


@command.command(short_help="Show a match as it is now.")
@match_argument
@where_options
def show(where: Where, as_json: bool, match_id: str) -> None:
    """Show the match ID: its options, who sits where, and how it ended."""
    match = arena_facts.facts(asked(where, lambda calls: calls.match(match_id)))
    if as_json:
        output.emit(match)
    else:
        arena_facts.show(match)


@command.command(short_help="Show a match while it is played.")
@match_argument
@where_options
def watch(where: Where, as_json: bool, match_id: str) -> int:
    """Print what everybody may see of the match ID from now on, a line an event, and its outcome.

    With --json each line is an object, the last one the match.  Exit status 1 when it is void.
    """
    match = asked(where, lambda calls: _watched(calls, match_id, as_json=as_json))
    if as_json:
        output.emit(match)
    else:
        arena_facts.table(match)
    return int(match["void"])


async def _watched(calls: Calls, match_id: str, *, as_json: bool) -> dict[str, Any]:
    """The match when it has ended; it is told of meanwhile, as are runs that are made in its place."""
    import asyncio

    waits = arena_facts.phase(await calls.match(match_id)) == "waiting"

    def begun() -> None:
        if waits:
            output.tell(f"match {match_id} waits for its bots")

    async for message in calls.watched(match_id, begun=begun):
        if message.HasField("started"):
            output.tell(f"match {match_id} of {message.started.match.game}, events so far {message.started.events}")
        for number, text in enumerate(message.events.texts, message.events.first_event):
            if as_json:
                output.emit({"event": number, "text": text})
            else:
                output.say(text)
                sys.stdout.flush()
    match = await calls.match(match_id)
    while not (match.again_as or settled(match)):  # whether it is run again is known a moment later
        await asyncio.sleep(SETTLED_S)
        match = await calls.match(match_id)
    if not match.again_as:
        return arena_facts.facts(match)
    output.tell(f"the arena spoiled match {match_id}; it is run again as {match.again_as}")
    return await _watched(calls, match.again_as, as_json=as_json)


@command.command(short_help="Write the record of a match that has ended.")
@match_argument
@click.argument("file", default=".", metavar="[FILE]")
@click.option("--force", is_flag=True, help="Replace what is there.")
@where_options
def record(where: Where, as_json: bool, match_id: str, file: str, force: bool) -> None:
    """Write the record of the match ID to FILE (- for stdout); a folder, and no FILE, takes MATCH_ID.jsonl."""
    from rivalry_server.commands import recording
    from rivalry_server.identity import checked_match_id

    checked_match_id(match_id)
    if file == "-" and as_json:
        raise click.UsageError("--json beside -: the record itself goes to stdout; give a file")
    path = None if file == "-" else recording.file(file, match_id, force=force, option="")
    text = asked(where, lambda calls: _recorded(calls, match_id))
    if path is None:
        sys.stdout.write(text)
        return
    recording.write_text(text, path)
    if as_json:
        output.emit({"match_id": match_id, "record": str(path)})
    else:
        output.say(f"record: {path}")


async def _recorded(calls: Calls, match_id: str) -> str:
    try:
        return await calls.record(match_id)
    except CallError as error:
        if error.code != "FAILED_PRECONDITION":
            raise
        text = f"{error}; `rivalry arena watch {match_id}` waits for its end"
        raise FailedError(text, status=error.status) from error


@command.command(short_help="Cancel a match.")
@match_argument
@click.option("--why", default="", metavar="TEXT", help="What its bots are told.")
@where_options
def cancel(where: Where, as_json: bool, match_id: str, why: str) -> None:
    """Cancel the match ID, which is void then.  Exit status 1 if it had ended otherwise."""
    from rivalry_server.commands import given

    given.utf8("--why", why)
    match = arena_facts.facts(asked(where, lambda calls: calls.cancel(match_id, why)))
    if as_json:
        output.emit(match)
    if all(seat["end"] != "cancelled" for seat in match["seats"]):
        raise FailedError(f"match {match_id} had ended before, and was not cancelled")
    if not as_json:
        output.say(f"cancelled: match {match_id}")


@command.command(short_help="List the games that the arena hosts.")
@click.argument("name", required=False, metavar="[GAME]")
@where_options
def games(where: Where, name: str | None, as_json: bool) -> None:
    """List the games that the arena hosts; with a GAME, its options, its words and its rules in short."""
    hosted = asked(where, lambda calls: calls.games())
    families = [arena_facts.family(family) for family in hosted.families]
    if name is None:
        show = partial(game_table.show_list, asked="rivalry arena games")
        _shown([arena_facts.game(game) for game in hosted.games], families, show, as_json)
        return
    called = [family for family in families if family["name"] == name and not family["unavailable"]]
    if called:
        _shown([], called, lambda _, told: game_table.show_family(told[0]), as_json)
        return
    game = arena_facts.described(asked(where, lambda calls: calls.game(given.utf8("GAME", name))))
    _shown([game], [], lambda told, _: game_table.show(told[0]), as_json)


Told = list[dict[str, Any]]


def _shown(games: Told, families: Told, show: Callable[[Told, Told], None], as_json: bool) -> None:
    if as_json:
        output.emit({"games": games, "families": families})
    else:
        show(games, families)
