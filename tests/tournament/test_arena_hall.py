"""Matches in an arena that every entrant enters once."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from rivalry_bots.first_bot import FirstBot
from rivalry_client import connect
from rivalry_engine.error import RivalryError
from rivalry_server.clock import TimeControl
from rivalry_server.match import Match
from rivalry_server.record import Move
from rivalry_server.seating import Dial
from rivalry_tournament.arena_hall import ArenaHall
from rivalry_tournament.lines import Owed, Result
from rivalry_tournament.made import Made
from rivalry_tournament.results import Order
from rivalry_tournament.settings import Entrant
from tournament.hall import settings


def hall_of(specs: dict[str, str], folder: Path, *, said: list[str] | None = None, **more: str) -> ArenaHall:
    """A hall of Kuhn at a socket in ``folder``."""
    entrants = tuple(Entrant(name, spec) for name, spec in specs.items())
    tell = [] if said is None else said
    of = settings(entrants=entrants, **more)
    return ArenaHall(of, concurrency=2, address=f"unix:{folder}/arena", tell=tell.append)


def order(number: int, *seats: str) -> Order:
    return Order("1.1", number, b"a seed", seats, 1, f"{number:032x}")


async def played(hall: ArenaHall, orders: Sequence[Order]) -> list[Made]:
    """What came of ``orders``, one after the other."""
    async with asyncio.timeout(90):
        try:
            await hall.open()
            return [(await hall.play(order))() for order in orders]
        finally:
            await hall.close()


def test_a_program_is_started_once_and_sits_where_the_schedule_says(tmp_path: Path) -> None:
    hall = hall_of({"ada": "random", "bob": "inproc:first"}, tmp_path)
    made = asyncio.run(played(hall, [order(1, "ada", "bob"), order(2, "bob", "ada"), order(3, "ada", "bob")]))

    first, turned, again = (one.line for one in made)
    assert isinstance(first, Result) and isinstance(turned, Result) and isinstance(again, Result)
    assert hall._pools["ada"].starts == 1
    assert (first.bots, turned.bots) == (("ada", "bob"), ("bob", "ada"))
    assert first.digest == again.digest and first.transcript == again.transcript
    assert [seat["name"] for seat in json.loads(made[1].record.split("\n")[0])["seats"]] == ["first", "random"]


def test_a_bot_that_hangs_has_the_long_first_prompt_once_and_the_short_one_in_every_other_match(tmp_path: Path) -> None:
    hall = hall_of({"ada": "bad-silent", "bob": "inproc:first"}, tmp_path, time="50ms,first=100ms", load="400ms")
    made = asyncio.run(played(hall, [order(number, "ada", "bob") for number in (1, 2, 3)]))

    lines = [one.line for one in made]
    assert all(isinstance(line, Result) and line.ends == ("timeout", "normal") for line in lines)
    assert [re.findall("prompt 1 in (.*?) s", line.texts[0]) for line in lines if isinstance(line, Result)] == [
        ["0.4"],
        ["0.1"],
        ["0.1"],
    ]
    assert {json.loads(one.record.split("\n")[0])["time"] for one in made} == {"50ms,first=100ms"}


def test_a_bot_that_is_dialled_has_the_long_first_prompt_in_its_first_match_alone(tmp_path: Path) -> None:
    hall = hall_of({"ada": "dial:127.0.0.1:1", "bob": "inproc:first"}, tmp_path, load="5m", wait="100ms")
    seats = [hall._seat("ada")]
    asyncio.run(played(hall, [order(1, "ada", "bob")]))
    seats.append(hall._seat("ada"))

    assert [isinstance(seat, Dial) and seat.loading for seat in seats] == [TimeControl.parsed("30s,first=5m"), None]


def test_what_the_arena_spoils_is_owed_and_the_next_run_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied, failures = Match._applied, iter([True])

    def failing(match: Match, move: Move) -> None:
        if next(failures, False):
            raise AssertionError("the deck has a hole")
        applied(match, move)

    monkeypatch.setattr(Match, "_applied", failing)
    hall = hall_of({"ada": "inproc:random", "bob": "inproc:first"}, tmp_path)
    spoiled, second = asyncio.run(played(hall, [order(1, "ada", "bob"), order(2, "ada", "bob")]))

    assert isinstance(spoiled.line, Owed) and "the deck has a hole" in spoiled.line.why
    assert spoiled.record.count("\n") >= 2, "its record is kept"
    assert isinstance(second.line, Result)


def test_a_match_that_cannot_even_be_made_is_owed(tmp_path: Path) -> None:
    hall = hall_of({"ada": "inproc:random", "bob": "inproc:first"}, tmp_path)
    (made,) = asyncio.run(played(hall, [order(1, "ada", "bob", "ada")]))

    assert isinstance(made.line, Owed) and "kuhn has 2 seats here; 3 bots were given" in made.line.why


def test_one_who_dials_in_is_told_how_and_awaited_and_plays_all_matches(tmp_path: Path) -> None:
    said: list[str] = []

    async def work() -> list[Made]:
        hall = hall_of({"ada": "listen", "bob": "inproc:first"}, tmp_path, said=said)
        playing = asyncio.ensure_future(played(hall, [order(1, "ada", "bob"), order(2, "bob", "ada")]))
        while not said:  # noqa: ASYNC110 - a line is told, and nothing else
            await asyncio.sleep(0.01)
        found = re.search(r"RIVALRY_TOKEN=(\S+) .* --address (\S+) ", said[0])
        assert found is not None
        async with connect(found[2], token=found[1]) as client:
            bot = asyncio.ensure_future(client.play(FirstBot, name="guest"))
            made = await playing
            await bot
        assert hall.capacity("bob") > 99 and hall.capacity("ada") == 0
        return made

    made = asyncio.run(work())

    assert said[0].startswith("entrant ada waits for its bot: ")
    assert all(isinstance(one.line, Result) and set(one.line.ends) == {"normal"} for one in made)


def test_a_program_that_says_nothing_is_told_before_the_first_match(tmp_path: Path) -> None:
    hall = hall_of({"ada": "cmd:sleep 60", "bob": "inproc:first"}, tmp_path, wait="200ms")

    with pytest.raises(RivalryError, match=r"ada: nobody said hello in 0\.2 s"):
        asyncio.run(played(hall, []))
