"""A person among the entrants of a tournament."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from agents.test_human import at_a_terminal
from rivalry_tournament import people, results
from rivalry_tournament.progress import Progress
from rivalry_tournament.results import Tournament
from rivalry_tournament.settings import Entrant
from tournament.hall import DreamHall, begun, played, settings

TWO = (Entrant("ada", "inproc:random"), Entrant("bob", "inproc:first"))


@pytest.mark.parametrize("spec", ["human", "human?terminal=%2Fdev%2Fpts%2F3"])
def test_a_person_plays_one_match_at_a_time(spec: str) -> None:
    entrants = (Entrant("ada", spec), TWO[1])

    said = "2 matches at once; expected 1, since ada is a person, who plays one at a time"
    assert people.objection(entrants, 2) == said
    assert people.objection(entrants, 1) == people.objection(TWO, 2) == ""


def test_a_person_reads_a_line_after_each_match_and_nothing_is_drawn_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = played(begun(tmp_path, settings(entrants=TWO)), DreamHall())
    monkeypatch.setattr("rivalry_tournament.progress.output.on_terminal", lambda stream: True)
    stream = io.StringIO()
    progress = Progress(Tournament(tmp_path, whole.schedule), stream, now=lambda: 60.0, read=True)
    for line in whole.results.values():
        progress.add(line)
        progress.tick()
    progress.close()

    assert len(stream.getvalue().splitlines()) == len(whole.results) == 4
    assert "\x1b" not in stream.getvalue()


def test_a_person_plays_a_tournament_on_the_terminal_where_it_is_run(tmp_path: Path) -> None:
    run = ("tournament", "run", "--kind", "round-robin", "--game", "kuhn", "--seed", "cup", "--no-report")
    who = ("--bot", "me=human", "--bot", "x=inproc:first", "--dir", str(tmp_path / "cup"))
    status, shown = at_a_terminal(["0", "0"], *run, *who)

    assert status == 0 and "null match" not in shown and "\x1b[J" not in shown
    assert shown.count("rank 1: ") == 2 and "1 of 2 matches" in shown
    assert {line.ends for line in results.read(tmp_path / "cup").results.values()} == {("normal", "normal")}
