"""What a match leaves in the log."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

from rivalry_engine import catalog
from rivalry_engine.game import Game
from rivalry_engine.record import Recorder
from rivalry_server import local
from rivalry_server.commands import spec
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import Result
from rivalry_tournament import lines, worker
from rivalry_tournament.line_of import ACTION, line_of, transcript
from rivalry_tournament.lines import Owed
from rivalry_tournament.made import Made
from rivalry_tournament.results import Order
from rivalry_tournament.worker_hall import WorkerHall
from tournament.hall import settings

KUHN = catalog.game("kuhn")
ORDER = Order("1.1", 1, b"a seed", ("ada", "bob"), 1, "0" * 32)


def match(seed: bytes = b"a seed", game: Game = KUHN, bot: str = "random") -> Result:
    bots = [spec.occupant(f"inproc:{bot}", game.name) for _ in range(game.seats)]
    return local.play(MatchSpec(game, seed, ORDER.match_id), bots)  # type: ignore[arg-type]


def test_a_line_holds_what_the_result_says_and_nothing_of_it_is_lost_on_the_way() -> None:
    result = match()
    line = line_of(ORDER, result, result.record())

    assert isinstance(line, lines.Result)
    assert (line.match, line.bots, line.digest) == (ORDER.match_id, ("ada", "bob"), result.game_digest)
    assert line.scores == tuple(seat.score for seat in result.seats) and sum(line.scores) == 0
    assert line.spent[0] == tuple(result.seats[0].spent)
    assert lines.read(lines.written(line)) == line
    assert worker.made_of(worker.made_text(Made(line, "the record\n"))) == Made(line, "the record\n")
    assert worker.order_of(worker.order_text(ORDER)) == ORDER


def test_a_run_that_the_arena_spoiled_is_owed() -> None:
    result = replace(match(), owed=True, void=True, text="the arena held it up")

    assert line_of(ORDER, result, result.record()) == Owed("1.1", 1, ORDER.match_id, 1, "the arena held it up")


def test_a_void_match_has_no_scores_and_says_why() -> None:
    result = match()
    seats = tuple(replace(seat, score=None, rank=None) for seat in result.seats)
    line = line_of(ORDER, replace(result, void=True, text="seat 0 crashed", seats=seats, game_digest=""), [])

    assert isinstance(line, lines.Result)
    assert (line.void, line.scores, line.ranks, line.transcript) == ("seat 0 crashed", (), (), "")


def test_a_transcript_tells_what_was_dealt_done_and_scored_but_not_the_seed() -> None:
    deals: dict[object, set[str]] = {}
    for number in range(12):
        seed = f"{number}".encode()
        result = match(seed, bot="first")
        scores = [seat.score or 0 for seat in result.seats]
        dealt = tuple(KUHN.new_state(seed).position()["cards"])
        deals.setdefault(dealt, set()).add(transcript(KUHN, seed, result.record(), scores))

    assert 1 < len(deals) < 12
    assert all(len(found) == 1 for found in deals.values()), "the same deal is a copy, whatever its seed"
    assert len(set.union(*deals.values())) == len(deals), "another deal is none"


def test_actions_are_read_from_a_record_as_if_it_were_json() -> None:
    recorder = Recorder(
        KUHN, b"x", "0" * 32, seats=[{"name": "a", "version": ""}] * 2, time="30s", policies={}, package="1", protocol=1
    )
    recorder.act(0, 'bet "all"\\', 3, note='{"action":"call","seat":7} "seat":8', network=5, by="stand-in")
    recorder.act(1, "call", 5, note="\\")
    ethnos = match(game=catalog.game("ethnos", {"seats": 2})).record()

    for record in (recorder.lines, ethnos):
        expected = [(line["action"], line["seat"]) for line in map(json.loads, record) if "action" in line]
        found = ACTION.findall("\n".join(record))
        assert [(json.loads(action), int(seat)) for action, seat in found] == expected


def test_a_process_that_dies_owes_its_match_and_another_takes_its_place() -> None:
    async def work() -> list[Made]:
        hall = WorkerHall(settings(), concurrency=1)
        await hall.open()
        first = (await hall.play(ORDER))()
        hall._processes[0].kill()
        second = (await hall.play(ORDER))()
        third = (await hall.play(ORDER))()
        await hall.close()
        return [first, second, third]

    first, second, third = asyncio.run(work())

    assert second.line == Owed("1.1", 1, ORDER.match_id, 1, "the process that played it ended with status -9")
    assert isinstance(first.line, lines.Result) and isinstance(third.line, lines.Result)
    assert third.line.digest == first.line.digest
