"""``rivalry replay``: a recorded game, move by move, in words."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import click

from rivalry_engine import record
from rivalry_engine.chance import seed_text
from rivalry_engine.counting import counted
from rivalry_engine.error import DamagedRecordError, GameFailedError, RecordError
from rivalry_engine.event import seen
from rivalry_engine.game import State
from rivalry_server.commands import explain, given, output, story
from rivalry_server.commands.asking import asked
from rivalry_server.commands.failure import FailedError
from rivalry_server.commands.position import asked_at_once


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--after",
    type=click.IntRange(min=0),
    metavar="N",
    help="Print the position after N actions instead, as JSON for `rivalry position`; N may not fall between the "
    "answers of several who are asked at once, for a position holds none before all are in.",
)
@click.option("--explain-time", is_flag=True, help="Show of each decision whose the time was, as far as FILE says.")
@given.json_option
def command(file: str, after: int | None, explain_time: bool, as_json: bool) -> int:
    """Show the game recorded in FILE (- for stdin), which may break off before its end."""
    try:
        read = record.read(given.record(file), whole=False)
        if read.cut:
            output.tell(f"rivalry: {file}: cut within line {len(read.actions) + 2}; what is whole before it is shown")
        with asked(read.game()):
            if after is not None:
                _position(read, after)
            elif as_json:
                facts = _facts(read)
                output.emit({**facts, "ledger": explain.facts(explain.recorded(read))} if explain_time else facts)
            elif explain_time:
                record.replayed(read)
                explain.table(explain.facts(explain.recorded(read)), [seat["name"] for seat in read.head["seats"]])
            else:
                _show(read)
    except DamagedRecordError as error:
        raise FailedError(f"{file}: {error}") from error
    except (RecordError, GameFailedError) as error:
        raise RecordError(f"{file}: {error}") from error
    return 0


def _position(read: record.Record, after: int) -> None:
    if after > len(read.actions):
        raise click.UsageError(
            f"--after {after}: the record has {counted(len(read.actions), 'action')}; expected at most that"
        )
    state = record.replayed(record.Record(read.head, read.actions[:after], None))
    if answered := len(asked_at_once(state)) - len(state.movers()):
        whole = [after - answered, after + len(state.movers())]
        expected = " or ".join(str(number) for number in whole if number <= len(read.actions))
        raise click.UsageError(
            f"--after {after}: between the answers of several who are asked at once, which a position does not hold"
            f" before all are in; expected {expected}"
        )
    output.show(state.position())


def _steps(read: record.Record) -> Iterator[tuple[dict[str, Any], State, Sequence[int]]]:
    """Each action line with the state after it, its log holding what followed, and the scores before it."""
    record.replayed(read)
    state = read.start()
    for line in read.actions:
        before = state.scores()
        state.log = []
        state.apply(line["seat"], state.game.action(line["action"]))
        yield dict(line), state, before


def _show(read: record.Record) -> None:
    head = read.head
    given_options = ", ".join(f"{name} {_worded(value)}" for name, value in head["options"].items())
    _say(f"{head['game']} ({given_options}), seed {head['seed']}, match {head['match_id']}")
    for seat, bot in enumerate(head["seats"]):
        _say(f"  seat {seat}: {bot['name']} {bot['version']}".rstrip())
    for line, state, before in _steps(read):
        events = [seen(event, line["seat"]) for event in state.log or ()]
        _say(
            story.line(
                line["n"],
                line["seat"],
                line["action"],
                name=head["seats"][line["seat"]]["name"],
                stood_in="by" in line,
                before=before,
                after=state.scores(),
                unit=state.game.score_unit,
            )
        )
        for event in events:
            if not state.game.is_echo(event):
                _say(story.consequence(state.game, event))
        if line.get("note"):
            _say(f"{story.MARGIN}“{line['note']}”")
    _show_outcome(read)


def _show_outcome(read: record.Record) -> None:
    if read.tail is None:
        _say(f"the record breaks off after {counted(len(read.actions), 'action')}")
        return
    tail, names = read.tail, [bot["name"] for bot in read.head["seats"]]
    if tail.get("text"):
        _say(tail["text"])
    scores = tail["outcome"]["scores"] or [None] * len(names)
    ranks = tail["outcome"]["ranks"] or [None] * len(names)
    unit = read.start().game.score_unit
    told = [None if score is None else story.points(score, unit) for score in scores]
    rows = [(ranks[seat], seat, name, told[seat], tail["seats"][seat]["end"]) for seat, name in enumerate(names)]
    rows.sort(key=lambda row: (row[0] or 0, row[1]))
    output.table(("rank", "seat", "bot", "score", "end"), rows, numbers=("rank", "seat", "score"))


def _say(text: str) -> None:
    output.say(output.wrapped(text, sys.stdout))


def _facts(read: record.Record) -> dict[str, Any]:
    moves = [{**line, "scores": list(state.scores())} for line, state, _ in _steps(read)]
    facts = {key: read.head[key] for key in ("match_id", "game", "options", "seats")}
    return {
        **facts,
        "seed": seed_text(read.seed),
        "moves": moves,
        "outcome": None if read.tail is None else read.tail["outcome"],
    }


def _worded(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
