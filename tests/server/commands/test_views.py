from __future__ import annotations

import sys

import pytest

from rivalry_engine import catalog
from rivalry_engine.event import Seen
from rivalry_engine.kuhn import Kuhn
from rivalry_server import local
from rivalry_server.commands import views
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seat import InProcess


@pytest.fixture
def watched(monkeypatch):
    """Plays one watched match; returns what was told and how long was waited."""
    waits = []
    monkeypatch.setattr(views, "sleep", waits.append)

    def played(pace_s=None):
        spec = MatchSpec(catalog.game("kuhn"), b"x")
        bots = [InProcess(lambda prompt: 0, "one"), InProcess(lambda prompt: 1, "two")]
        local.play(spec, bots, spectator=views.Live(spec, pace_s=pace_s))
        return waits

    return played


def test_without_a_terminal_nothing_waits_and_nothing_is_coloured(watched, capsys):
    waits = watched()

    told = capsys.readouterr().err
    assert waits == []
    assert "   1  seat 0 one: pass" in told
    assert "\x1b" not in told


class Ready(Kuhn):
    """Kuhn poker whose seats say that they are ready, which nobody's action says."""

    def event_text(self, seen):
        return f"seat {seen.facts['seat']} is ready" if seen.kind == "ready" else super().event_text(seen)


def test_an_event_is_shown_though_it_names_a_seat_alone_unless_the_game_calls_it_an_echo(capsys):
    live = views.Live(MatchSpec(Ready(), b"x"))

    live.happened(Seen("ready", {"seat": 1}))
    live.happened(Seen("moved", {"seat": 1, "move": 2}))

    assert capsys.readouterr().err == "        seat 1 is ready\n"


def test_a_draw_is_shown_to_those_alone_who_see_its_card(capsys):
    live = views.Live(MatchSpec(catalog.game("ethnos"), b"x"))

    live.happened(Seen("drawn", {"seat": 1}))
    live.happened(Seen("drawn", {"seat": 1, "card": 9}))

    assert [line.split()[:3] for line in capsys.readouterr().err.splitlines()] == [["seat", "1", "draws"]]


def test_the_pace_is_waited_after_each_move(watched):
    assert watched(0.5) == [0.5] * 3


def test_on_a_terminal_each_seat_has_its_colour_unless_no_colour_is_asked_for(watched, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    waits = watched()
    coloured = capsys.readouterr().err
    monkeypatch.setenv("NO_COLOR", "1")
    watched()

    assert waits == [views.PACE_S] * 6
    assert "\x1b[36m" in coloured
    assert "\x1b[36m" not in capsys.readouterr().err


def test_on_a_narrow_terminal_a_move_is_broken_between_words(watched, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "18")
    watched()

    assert "   1  seat 0 one:\n    pass\n" in capsys.readouterr().err
