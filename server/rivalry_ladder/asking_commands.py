"""What people ask of a ladder that runs: lists, a bot and why it does not play; to pause, resume, begin."""

from __future__ import annotations

import sys
from typing import Any, Final

import click

from rivalry_ladder import people
from rivalry_ladder.calls import LadderCalls, answer, asked
from rivalry_ladder.names import label
from rivalry_server.commands import given, output
from rivalry_server.commands.arena_where import Where, where_options

bot_argument = click.argument("name", metavar="BOT")


@click.command("list")
@click.option("--owner", default="", metavar="NAME", help="Only this owner's.")
@click.option("--queues", is_flag=True, help="The queues instead of the bots.")
@where_options
def listed(where: Where, owner: str, queues: bool, as_json: bool) -> None:
    """List the bots with their ratings, and whether they play; or the queues."""
    from rivalry_ladder.facts import facts

    if queues:
        _queues(where, as_json)
        return
    bots = [facts(bot) for bot in answer(where, "ListBots", owner=given.utf8("--owner", owner)).bots]
    if as_json:
        output.emit({"bots": bots})
        return
    queues_shut = {queue.name: _shut(queue) for queue in answer(where, "ListQueues").queues}
    rows = [
        (
            label(bot["name"], bot["version"]),
            bot["owner"],
            bot["means"],
            entry["queue"],
            people.online(entry),
            entry["rated"],
            queues_shut.get(entry["queue"]) or _state(bot, entry),
        )
        for bot in bots
        for entry in bot["entries"]
    ]
    columns = ("bot", "owner", "reached", "queue", "online", "matches", "state")
    output.table(columns, rows, numbers=("online", "matches"))
    output.say(output.wrapped(people.ONLINE, sys.stdout))


def _queues(where: Where, as_json: bool) -> None:
    from rivalry_ladder.facts import facts

    queues = [facts(queue) for queue in answer(where, "ListQueues").queues]
    if as_json:
        output.emit({"queues": queues})
        return
    columns = ("queue", "game", "seats", "bots", "playing", "state")
    rows = [(*(queue[key] for key in ("name", *columns[1:5])), _queue_state(queue)) for queue in queues]
    output.table(columns, rows, numbers=("seats", "bots", "playing"))


@click.command()
@click.argument("name", required=False, default="", metavar="[BOT]")
@click.option("--queue", default="", metavar="QUEUE", help="Only those of this queue.")
@click.option("--count", type=click.IntRange(1, 1_000_000), default=20, show_default=True, metavar="N", help="Most.")
@where_options
def matches(where: Where, name: str, queue: str, count: int, as_json: bool) -> None:
    """List the matches of the ladder, or of BOT, the newest first; `rivalry arena record ID` has each game."""
    from rivalry_ladder.facts import facts

    given.utf8("BOT", name)
    given.utf8("--queue", queue)
    found = [facts(match) for match in asked(where, lambda calls: _pages(calls, name, queue, count))]
    if as_json:
        output.emit({"matches": found})
        return
    several = len({match["queue"] for match in found}) > 1
    rows = [
        (
            people.minute(match["made_us"]),
            match["match_id"],
            *([match["queue"]] * several),
            ", ".join(people.seat(seat) for seat in match["seats"]),
            match["state"] if match["state"] != "ended" else "counts" if match["counted"] else match["why_not"],
        )
        for match in found
    ]
    output.table(("made", "match", *(["queue"] * several), "seats", "state"), rows)


async def _pages(calls: LadderCalls, bot: str, queue: str, count: int) -> list[Any]:
    found: list[Any] = []
    token = ""
    while len(found) < count:
        size = min(1_000, count - len(found))
        page = await calls.ask("ListLadderMatches", bot=bot, queue=queue, page_size=size, page_token=token)
        found += page.matches
        token = page.next_page_token
        if not token:
            break
    return found


@click.command()
@bot_argument
@where_options
def show(where: Where, name: str, as_json: bool) -> None:
    """Show BOT: its versions, its online ratings, its newest faults, its quarantines."""
    from rivalry_ladder.facts import facts

    found = facts(answer(where, "GetBot", name=given.utf8("BOT", name)))
    if as_json:
        output.emit(found)
        return
    bot = found["bot"]
    output.say(f"{bot['name']} of {bot['owner']}, version {bot['version']}, {bot['means']}, {_sessions(bot)}")
    rows = [(entry["queue"], people.online(entry), entry["rated"], _state(bot, entry)) for entry in bot["entries"]]
    output.table(("queue", "online", "matches", "state"), rows, numbers=("online", "matches"))
    output.say(output.wrapped(people.ONLINE, sys.stdout))
    versions = [
        (each["version"], people.moment(each["created_us"]), each["digest"][:12] or None, each["linked_to"] or None)
        for each in found["versions"]
    ]
    output.table(("version", "registered", "digest", "linked to"), versions)
    if found["faults"]:
        faults = [
            (people.moment(each["at_us"]), each["match_id"], each["kind"], each["text"]) for each in found["faults"]
        ]
        output.table(("fault", "match", "kind", "text"), faults)
    if found["quarantines"]:
        held = [
            (each["version"], people.moment(each["began_us"]), people.moment(each["ended_us"]), each["reason"])
            for each in found["quarantines"]
        ]
        output.table(("quarantine", "began", "ended", "reason"), held)


@click.command()
@bot_argument
@where_options
def why(where: Where, name: str, as_json: bool) -> None:
    """Tell why BOT is not playing, queue by queue, and what to do about it."""
    from rivalry_ladder.facts import facts

    found = [facts(each) for each in answer(where, "ExplainBot", name=given.utf8("BOT", name)).explanations]
    if as_json:
        output.emit({"bot": name, "explanations": found})
        return
    for each in found:
        if each["playing"]:
            output.say(f"{each['queue']}: it plays {', '.join(each['playing'])}")
        for reason in each["reasons"]:
            remedy = f" Do: {reason['remedy']}." if reason["remedy"] else ""
            output.say(f"{each['queue']}: {reason['code']}: {reason['text']}.{remedy}")


@click.command()
@click.argument("name", required=False, default="", metavar="[BOT]")
@click.option("--queue", default="", metavar="QUEUE", help="A queue instead of a bot.")
@click.option("--why", "text", default="", metavar="TEXT", help="What is told to whoever asks why.")
@where_options
def pause(where: Where, name: str, queue: str, text: str, as_json: bool) -> None:
    """Have BOT, or a queue, not be matched until it is resumed; matches that run go on."""
    given.utf8("--why", text)
    if _which(name, queue):
        _done(answer(where, "PauseQueue", name=queue, why=text).queue, "paused", as_json)
    else:
        _done(answer(where, "PauseBot", name=name, why=text).bot, "paused", as_json)


@click.command()
@click.argument("name", required=False, default="", metavar="[BOT]")
@click.option("--queue", default="", metavar="QUEUE", help="A queue instead of a bot.")
@where_options
def resume(where: Where, name: str, queue: str, as_json: bool) -> None:
    """Have BOT, or a queue, be matched again; a bot in quarantine plays a probe match first."""
    if _which(name, queue):
        _done(answer(where, "ResumeQueue", name=queue).queue, "resumed", as_json)
    else:
        _done(answer(where, "ResumeBot", name=name).bot, "resumed", as_json)


@click.command()
@click.argument("name", required=False, default="", metavar="[NAME]")
@where_options
def season(where: Where, name: str, as_json: bool) -> None:
    """List the seasons; with a NAME begin one: the official table begins anew, and that of the last is kept."""
    from rivalry_ladder.facts import facts

    if name:
        _done(answer(where, "StartSeason", name=given.utf8("NAME", name)).season, "begun", as_json)
        return
    found = [facts(each) for each in answer(where, "ListSeasons").seasons]
    if as_json:
        output.emit({"seasons": found})
        return
    rows = [
        (each["name"], people.moment(each["began_us"]), people.moment(each["ended_us"]), each["matches"])
        for each in found
    ]
    output.table(("season", "began", "ended", "matches"), rows, numbers=("matches",))


COMMANDS: Final[dict[str, click.Command]] = {
    "list": listed,
    "matches": matches,
    "show": show,
    "why": why,
    "pause": pause,
    "resume": resume,
    "season": season,
}


def _which(name: str, queue: str) -> bool:
    """True for a queue, False for a bot; raises UsageError unless one of them was given."""
    given.utf8("BOT", name)
    given.utf8("--queue", queue)
    if bool(name) == bool(queue):
        raise click.UsageError("expected a BOT or --queue QUEUE, one of them")
    return bool(queue)


def _done(message: Any, what: str, as_json: bool) -> None:
    from rivalry_ladder.facts import facts

    if as_json:
        output.emit(facts(message))
    else:
        output.say(f"{what}: {message.name}")


def _state(bot: dict[str, Any], entry: dict[str, Any]) -> str:
    """How an entry stands, in a word or two; `why` says more."""
    if bot["quarantined"]:
        return "quarantine"
    if bot["paused"]:
        return "paused"
    if entry["playing"]:
        return f"plays {entry['playing']}"
    if bot["means"] == "dials-in" and not bot["sessions"]:
        return "away"
    if not entry["probed"]:
        return "to be probed"
    return "starves" if entry["starving"] else "waits"


def _shut(queue: Any) -> str:
    """What keeps everybody in a queue from being matched; empty if nothing does."""
    return "queue closed" if queue.closed else "queue paused" if queue.paused else ""


def _queue_state(queue: dict[str, Any]) -> str:
    if queue["closed"]:
        return "closed"
    return f"paused: {queue['paused_why']}".removesuffix(": ") if queue["paused"] else "open"


def _sessions(bot: dict[str, Any]) -> str:
    if bot["means"] != "dials-in":
        return "which the server runs"
    return f"{bot['sessions']} sessions" if bot["sessions"] != 1 else "1 session"
