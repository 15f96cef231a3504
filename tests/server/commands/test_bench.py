from __future__ import annotations

from types import SimpleNamespace

import pytest

from bench import goal
from bench.goal import UnmeasuredError
from rivalry_server.commands import bench

PART = {"value": 47031.4, "bound": 7306, "ratio": 6.437, "goal": 2.5, "of": "ratio", "unit": "decisions/s"}


@pytest.fixture
def measure(monkeypatch):
    """Makes the measurements come out as they are said."""

    def measured(met):
        def run(goals, progress):
            if goals == ["G99"]:
                raise ValueError("there is no goal 'G99'; there are G1")
            progress("G1: measuring")
            goal = {**PART, "met": met, "parts": {"x peer": {**PART, "met": met}}}
            return {"goals": {"G1": goal, "G2": {**PART, "met": True}}, "machine": "two cores", "commit": "abc"}

        monkeypatch.setattr(bench, "_measurements", lambda: SimpleNamespace(run=run))

    return measured


def test_a_person_gets_a_row_a_figure(rivalry, measure):
    measure(True)

    said = rivalry("bench")

    assert said.status == 0
    assert said.err == "G1: measuring\n"
    rows = [line.split() for line in said.out.splitlines()]
    assert rows[0] == ["goal", "value", "unit", "bound", "ratio", "asked", "met"]
    assert rows[2] == ["x", "peer", "47,031", "decisions/s", "7,306", "6.44", "ratio", "2.5", "yes"]
    assert rows[-1] == ["commit", "abc;", "two", "cores"]


def test_a_goal_that_is_not_met_is_status_1(rivalry, measure):
    measure(False)

    said = rivalry("bench", "--goal", "G1", "--json")

    assert said.status == 1
    assert said.json()["goals"]["G1"]["met"] is False


def test_a_goal_that_cannot_be_measured_loses_no_other(rivalry, monkeypatch):
    goals = bench._measurements()
    for name, fails in (
        ("G2", UnmeasuredError("the engine is not compiled", "run: make compile")),
        ("G3", OSError("x")),
    ):
        monkeypatch.setitem(goals.GOALS, name, ("goal", f"measure_{name}"))
        monkeypatch.setattr(goal, f"measure_{name}", failing(fails), raising=False)
    monkeypatch.setitem(goals.GOALS, "G1", ("goal", "measure_G1"))
    monkeypatch.setattr(goal, "measure_G1", lambda progress: {**PART, "met": True}, raising=False)
    asked = ("bench", "--goal", "G2", "--goal", "G3", "--goal", "G1")

    said, told = rivalry(*asked), rivalry(*asked, "--json")

    assert (said.status, told.status) == (1, 1)
    assert [line.split()[0] for line in said.out.splitlines()[1:4]] == ["G2", "G3", "G1"]
    assert "G2 was not measured: the engine is not compiled; run: make compile\n" in said.out
    assert "G3 was not measured: OSError: x; see the traceback on stderr" in said.out and "Traceback" in said.err
    assert told.json()["goals"]["G1"]["met"] is True
    assert told.json()["goals"]["G2"] == {
        "measured": False,
        "met": None,
        "why": "the engine is not compiled",
        "remedy": "run: make compile",
    }


def failing(error):
    def measure(progress):
        raise error

    return measure


def test_an_unknown_goal_is_bad_input(rivalry, measure):
    measure(True)

    said = rivalry("bench", "--goal", "G99")

    assert said.status == 2
    assert "there are G1" in said.err
