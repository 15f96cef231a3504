"""What a person sees while a tournament is played."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from rivalry_tournament import making
from rivalry_tournament.lines import Opened, Owed
from rivalry_tournament.progress import Progress, duration
from rivalry_tournament.results import Tournament
from tournament.hall import dreamt, settings


class Terminal(io.StringIO):
    """A terminal of 60 columns."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Time as the test says."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def shown(stream: io.StringIO, clock: Clock, *, matches: int, seconds: float) -> Progress:
    """Progress after so many matches in so many seconds."""
    tournament = Tournament(Path(), making.schedule(settings(blocks=5)))
    progress = Progress(tournament, stream, now=clock)
    more(progress, matches)
    clock.time += seconds
    return progress


def more(progress: Progress, matches: int) -> None:
    """So many more matches have ended."""
    tournament = progress._tournament
    for order in tournament.orders()[:matches]:
        line = replace(dreamt(order), ends=("normal", "timeout" if "dan" in order.seats else "normal"))
        tournament.add(line)
        progress.add(line)


def test_a_line_tells_how_far_how_fast_how_long_who_leads_and_what_failed() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = shown(stream, clock, matches=2, seconds=6.0)
    progress.tick()
    assert not stream.getvalue(), "not yet"

    more(progress, 10)
    clock.time += 4.0
    progress.tick()
    assert stream.getvalue().startswith(
        "12 of 60 matches, 2.5 a second, about 19 s left; leading (utility in percent): ada 50.0, "
    ), "without start-up"
    assert "faults: " in stream.getvalue() and " timeout" in stream.getvalue()
    assert stream.getvalue().count("\n") == 1


def test_on_a_terminal_a_picture_takes_the_place_of_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    stream, clock = Terminal(), Clock()
    progress = shown(stream, clock, matches=12, seconds=1.0)
    progress.tick()
    clock.time += 1.0
    progress.tick()  # the same picture is not drawn again
    more(progress, 1)
    clock.time += 1.0
    progress.tick()
    progress.say("a line that stays")
    progress.close()

    first, again, stays = stream.getvalue().split("\x1b[3A\x1b[J")
    assert first.count("\n") == again.count("\n") == 3
    assert max(map(len, again.split("\n"))) < 40
    assert stays == "a line that stays\n"


def test_a_spoiled_match_and_a_new_round_are_told_at_once() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = shown(stream, clock, matches=0, seconds=0.0)
    progress.add(Owed("1.1", 1, "0" * 32, 1, "it was held up"))
    progress.add(Opened(making.schedule(settings()).rounds[0]))

    owed, opened = stream.getvalue().splitlines()
    assert owed == f"match {'0' * 32} was spoiled by the arena, and is run again: it was held up"
    assert opened.startswith("round 1")


@pytest.mark.parametrize(
    ("seconds", "text"), [(3.4, "3 s"), (120.0, "2 min"), (5_000.0, "83 min"), (9_000.0, "2 h 30 min")]
)
def test_a_time_is_said_as_people_say_it(seconds: float, text: str) -> None:
    assert duration(seconds) == text
