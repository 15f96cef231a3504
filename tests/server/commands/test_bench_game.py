"""The speed of one game, whoever wrote it."""

from __future__ import annotations

from itertools import count

import pytest

from rivalry_engine.kuhn import Kuhn, KuhnState
from rivalry_server.commands import bench_game
from server import many

FIGURES = ["new_states", "decisions", "choices", "observations", "observations_as_json", "views", "clones"]


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Each figure is measured ten times, in a tenth of a millisecond whatever else the machine does."""
    looks = count()
    monkeypatch.setattr(bench_game, "SLICE_S", 0.001)
    monkeypatch.setattr(bench_game, "perf_counter", lambda: next(looks) / 10_000)


def test_a_game_is_measured_beside_another(rivalry, monkeypatch):
    many.entries(monkeypatch)

    said = rivalry("bench", "--game", "kuhn", "--beside", "many:short", "--json")
    facts = said.json()

    assert said.status == 0
    assert list(facts["figures"]) == [*FIGURES, "imagined_states", "matches"]
    beside = {name: each["beside_per_second"] for name, each in facts["figures"].items()}
    assert beside.pop("imagined_states") is None and min(beside.values()) > 0
    assert min(each["per_second"] for each in facts["figures"].values()) > 0 and facts["beside"] == "many:short"
    assert (facts["game"], facts["options"], facts["heavy"], facts["met"]) == ("kuhn", {"seats": 2}, False, True)
    assert 0 < facts["decision_us"] < facts["goal_us"] == 1000


def test_a_person_gets_a_row_a_figure(rivalry):
    said = rivalry("bench", "--game", "ethnos", "--option", "seats=3")

    assert said.status == 0
    assert [line.split("  ")[0] for line in said.out.splitlines()][1:8] == [each.replace("_", " ") for each in FIGURES]
    assert "goal: a decision takes less than 1,000 µs of a game that does not say heavy; met" in said.out
    assert said.out.splitlines()[0].endswith("  µs each")
    assert said.err.startswith("ethnos: new states\n")
    beside = rivalry("bench", "--game", "ethnos", "--beside", "kuhn")
    assert beside.out.splitlines()[0].endswith("  kuhn, a second")


def test_a_familys_game_and_one_that_imagines_nothing(rivalry, monkeypatch):
    many.entries(monkeypatch)

    figures = rivalry("bench", "--game", "many:short", "--json").json()["figures"]

    assert list(figures) == [*FIGURES, "matches"]


def test_a_slow_game_is_to_say_heavy(rivalry, monkeypatch):
    monkeypatch.setattr(bench_game, "HEAVY_US", 0)
    said = rivalry("bench", "--game", "kuhn")
    monkeypatch.setattr(Kuhn, "heavy", True)
    heavy = rivalry("bench", "--game", "kuhn")

    assert said.status == 1 and "not met: make it quicker, or say heavy = True" in said.out
    assert heavy.status == 0 and "goal: none for a decision; the game says that it is heavy" in heavy.out


def test_bad_input_is_told_in_a_line(rivalry):
    for words, told in (
        (("--game", "chess"), "there is no game 'chess'"),
        (("--game", "kuhn", "--goal", "G1"), "--goal beside --game"),
        (("--option", "seats=2"), "--option without --game"),
        (("--beside", "kuhn"), "--beside without --game"),
        (("--game", "kuhn", "--option", "seats=9"), "seats"),
    ):
        said = rivalry("bench", *words)
        assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
        assert told in said.err


def test_a_game_that_fails_is_told_in_a_line(rivalry, monkeypatch):
    def fails(self, audience):
        raise RuntimeError("boom")

    monkeypatch.setattr(KuhnState, "observe", fails)
    said = rivalry("bench", "--game", "kuhn")

    assert said.status == 2
    assert "rivalry: the game kuhn failed: " in said.err and said.err.endswith("RuntimeError: boom\n")


@pytest.mark.parametrize(
    ("movers", "told"), [(lambda self: (), "it asks nobody"), (lambda self: (0,), "has not ended")]
)
def test_a_game_that_asks_nobody_or_never_ends_is_told(rivalry, monkeypatch, movers, told):
    monkeypatch.setattr(bench_game, "ACTIONS", 50)
    monkeypatch.setattr(KuhnState, "movers", movers)

    said = rivalry("bench", "--game", "kuhn")

    assert said.status == 2 and told in said.err
