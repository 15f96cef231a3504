from __future__ import annotations

import re

import pytest

from rivalry_engine import catalog
from server.commands import broken


def test_every_installed_game_is_listed(rivalry):
    said = rivalry("games")

    assert said.status == 0
    assert "kuhn" in said.out and "ethnos" in said.out


def test_a_game_is_told_with_its_options(rivalry):
    said = rivalry("games", "kuhn")

    assert said.status == 0
    assert said.out.startswith("kuhn: Kuhn poker, 2 seats")
    assert "how many bots play" in said.out


def test_json_holds_the_declared_options_with_their_defaults(rivalry):
    (kuhn,) = rivalry("games", "kuhn", "--json").json()["games"]

    assert kuhn["seat_counts"] == [2]
    assert kuhn["options"] == [
        {"name": "seats", "kind": "integer", "default": 2, "allowed": [2], "meaning": "how many bots play"}
    ]


def test_an_unknown_game_is_refused_in_one_line_that_lists_what_there_is(rivalry):
    said = rivalry("games", "chess")

    assert said.status == 2
    assert said.err.count("\n") == 1
    assert "'chess'" in said.err and "kuhn" in said.err


@pytest.mark.parametrize("source", [source for source in broken.SOURCES if source])
def test_a_game_that_cannot_be_imported_is_told_in_a_line_and_the_others_are_listed(
    rivalry, tmp_path, monkeypatch, source
):
    broken.entry(catalog, source, tmp_path, monkeypatch)

    listed = rivalry("games")
    alone = rivalry("games", "broken")

    assert (listed.status, alone.status) == (0, 2)
    assert "kuhn" in listed.out and "ethnos" in listed.out
    assert alone.out == ""
    for said in (listed, alone, rivalry("version")):
        assert said.err.count("\n") == 1
        assert f"game 'broken' cannot be loaded: {tmp_path}/broken_thing.py, {broken.SOURCES[source]}" in said.err


def test_an_option_with_one_value_is_told_as_such(rivalry):
    assert "only 2" in rivalry("games", "kuhn").out
    assert {"only first", "only false"} <= set(re.findall(r"only \w+", rivalry("games", "ethnos").out))
