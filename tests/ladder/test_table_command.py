"""The official table for people, and how figures are written there and in the other lists."""

from __future__ import annotations

import re
from typing import Any

import pytest

from rivalry_ladder import people, table_command
from rivalry_report import figures
from rivalry_server.commands import output


def row(bot: str, rank: int | None, **more: Any) -> dict[str, Any]:
    """A row of the table as JSON has it."""
    rated = {"rating": -498.2, "rating_low": -1012.4, "rating_high": 15.5, "rank_low": 1, "rank_high": 3}
    facts = {"bot": bot, "version": "1.2.3", "matches": 12_345, "rank": rank, "faults": {}, "current": True}
    return facts | {"mu": -4.28, "sigma": 5.31} | (rated if rank is not None else {}) | more


def table(*rows: dict[str, Any]) -> dict[str, Any]:
    """A table as JSON has it."""
    return {"queue": "kuhn", "season": "1", "matches": 1, "alpha": 0.05, "rows": list(rows)}


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns."""
    monkeypatch.setattr(output, "on_terminal", lambda _: True)
    for name, value in (("COLUMNS", "80"), ("TERM", "xterm"), ("NO_COLOR", "1")):
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("narrow")
def test_at_80_columns_no_word_is_broken_and_a_bot_has_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    shown = table(row("house", 1, faults={"timeout": 20, "crash": 3}), row("alice", None, current=True))

    table_command.show(shown)

    lines = [re.split(r" {2,}", line.strip()) for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert lines[0] == ["place", "bot", "matches", "rating", "interval", "places", "faults"]
    house = ["1", "house@1.2.3", "12345", "−498", "−1012 to +16", figures.places(1, 3), "23"]
    assert lines[2] == house
    assert lines[3] == ["–", "alice@1.2.3", "12345", "–", "–", "–", "0"]
    assert lines[4] == ["queue kuhn, season 1, 1 match"]


@pytest.mark.usefixtures("narrow")
def test_a_long_name_is_folded_and_no_figure_and_no_head_is(capsys: pytest.CaptureFixture[str]) -> None:
    table_command.show(table(row("a-name-of-forty-signs-that-goes-on-and-on", 1, faults={"crash": 1})))

    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["place", "bot", "matches", "rating", "interval", "places", "faults"]
    assert "12345     −498   −1012 to +16   " in lines[3] and f" {figures.places(1, 3)} " in lines[3]
    assert all(len(line) <= 80 for line in lines)


def test_faults_have_a_column_where_there_are_any(capsys: pytest.CaptureFixture[str]) -> None:
    table_command.show(table(row("house", 1)))

    shown = capsys.readouterr().out
    assert "faults" not in shown and "intervals: 95 percent" in shown


def test_an_interval_that_excludes_nothing_is_not_known_as_in_tournaments(capsys: pytest.CaptureFixture[str]) -> None:
    one = {"matches": 1, "rating": 100.0, "rating_low": -900.0, "rating_high": 900.0}
    few = {"matches": 4, "rating": 100.0, "rating_low": -300.0, "rating_high": 900.0}

    table_command.show(table(row("one", 1, **one), row("few", 1, **few)))

    shown = capsys.readouterr().out
    assert "+100     not known" in shown and "not known: an interval so wide" in shown
    assert "−300 to +900" in shown


def test_a_version_of_the_past_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    table_command.show(table(row("house", 1, current=False)))

    assert "house@1.2.3 (past)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("rank", "end", "told"),
    [
        (None, "", "alice@1"),
        (2, "normal", "alice@1 (rank 2)"),
        (2, "timeout", "alice@1 (rank 2, timeout)"),
        (None, "no_show", "alice@1 (no_show)"),
        (None, "normal", "alice@1"),
    ],
)
def test_a_seat_tells_its_rank_as_one(rank: int | None, end: str, told: str) -> None:
    assert people.seat({"label": "alice@1", "rank": rank, "end": end}) == told


def test_an_online_rating_has_the_minus_of_the_table() -> None:
    assert people.online({"mu": -4.28, "sigma": 5.31}) == "−4.3 ± 10.6"


def test_moments_are_told_in_utc() -> None:
    assert people.moment(1_800_000_000_900_000) == "2027-01-15 08:00:00Z"
    assert people.minute(1_800_000_000_900_000) == "01-15 08:00Z"
    assert people.moment(None) is None
