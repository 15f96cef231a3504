from __future__ import annotations

import re

import pytest

from rivalry_engine import catalog
from rivalry_engine.kuhn import Kuhn
from rivalry_server.commands import game_table
from server import many
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


@pytest.mark.parametrize(("name", "meant"), [("short", "many:short"), ("long(rounds=3)", "many:long(rounds=3)")])
def test_the_name_of_a_familys_game_alone_is_told_whole_wherever_a_game_is_named(rivalry, monkeypatch, name, meant):
    many.entries(monkeypatch)
    bots = ("--bot", "random", "--bot", "first")

    for words in (("games", name), ("match", "--game", name, *bots), ("position", "new", "--game", name)):
        said = rivalry(*words)
        assert (said.status, said.err.count("\n")) == (2, 1)
        assert said.err.endswith(f"; did you mean {meant}?\n")


def test_a_name_that_is_nearly_right_is_told(rivalry):
    assert "there is no game 'ethno'; did you mean ethnos? installed are" in rivalry("games", "ethno").err
    assert "did you mean" not in rivalry("games", "zzz").err


def test_a_game_for_one_has_one_seat(capsys):
    alone = type("Alone", (Kuhn,), {"seat_counts": range(1, 2), "usual_seats": 1})

    game_table.show(game_table.facts(alone, whole=True))

    assert capsys.readouterr().out.startswith("kuhn: Kuhn poker, 1 seat, rules version 1\n")


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


def test_a_game_that_lacks_something_is_told_in_a_line_by_every_command_and_the_others_are_listed(
    rivalry, tmp_path, monkeypatch
):
    source = "from rivalry_engine.game import Game\nclass Thing(Game):\n    name, seat_counts = 'broken', 3\n"
    source += "    new_state = text = action = None\n"
    broken.entry(catalog, source, tmp_path, monkeypatch)

    bots = ("--bot", "inproc:random", "--bot", "inproc:first")
    for words, status in ((["games"], 0), (["version"], 0), (["games", "broken"], 2), (["match", *bots], 2)):
        said = rivalry(*words, *(["--game", "broken"] if words[0] == "match" else []))
        assert (said.status, said.err.count("\n")) == (status, 1)
        assert "game 'broken' cannot be loaded: title is missing; expected a text of one line; rules_v" in said.err
        assert "seat_counts is 3; expected one count or more" in said.err
        assert ("kuhn" in said.out) == (status == 0)


def test_an_option_with_one_value_is_told_as_such(rivalry):
    assert "only 2" in rivalry("games", "kuhn").out


def test_a_game_is_told_with_its_words_and_last_of_all_with_its_rules_in_short(rivalry):
    said = rivalry("games", "kuhn")
    facts = rivalry("games", "kuhn", "--json").json()["games"][0]

    assert Kuhn.primer and said.out.endswith(Kuhn.primer.strip() + "\n")
    assert all(word in said.out for word in Kuhn.glossary)
    assert (facts["primer"], facts["glossary"], facts["heavy"]) == (Kuhn.primer, dict(Kuhn.glossary), False)


def test_a_family_is_one_line_and_its_games_are_listed_by_its_name(rivalry, monkeypatch):
    many.entries(monkeypatch)

    whole, own, alone = rivalry("games"), rivalry("games", "many"), rivalry("games", "many:short")
    facts = rivalry("games", "--json").json()

    (line,) = [line for line in whole.out.splitlines() if line.startswith("many")]
    assert re.split("  +", line)[:2] == [
        "many:NAME",
        "Tallies of two lengths (2 games; `rivalry games many` lists them)",
    ]
    assert own.out.splitlines() == ["many: Tallies of two lengths, 2 games", "many:long", "many:short"]
    assert alone.out.startswith("many:short: Tally, 2 to 6 seats")
    assert {"name": "many", "title": many.MANY.title, "games": ["many:long", "many:short"], "unavailable": ""} in facts[
        "families"
    ]
    assert "many" not in [game["name"] for game in facts["games"]]
    assert whole.err == ""


def test_a_family_whose_package_is_missing_says_what_to_install(rivalry, monkeypatch):
    many.entries(monkeypatch)

    for name in ("missing", "missing:long"):
        said = rivalry("games", name)
        assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
        assert "pip install tallies" in said.err
    (line,) = [line for line in rivalry("games").out.splitlines() if line.startswith("missing")]
    assert "Tallies that need more (not installed; `rivalry games missing` says what it needs)" in line
    match = rivalry("match", "--game", "missing:long", "--bot", "first", "--bot", "first")
    assert match.status == 2 and "pip install tallies" in match.err


def test_a_family_that_raises_is_told_in_a_line_and_hides_no_other(rivalry, monkeypatch):
    def fails(self):
        raise RuntimeError("boom")

    many.entries(monkeypatch)
    monkeypatch.setattr(many.Tallies, "names", fails)
    whole, own, unknown = rivalry("games"), rivalry("games", "many"), rivalry("games", "zzz")

    assert (whole.status, own.status, unknown.status) == (0, 2, 2)
    assert "kuhn" in whole.out and "`rivalry games many` says what it needs" in whole.out
    assert own.err.startswith("rivalry: the game many failed: ") and own.err.endswith("RuntimeError: boom\n")
    assert (own.err + unknown.err).count("\n") == 2


def test_a_match_of_a_familys_game_is_played_recorded_and_verified(rivalry, monkeypatch, tmp_path):
    many.entries(monkeypatch)

    bots = ("--bot", "random", "--bot", "first")
    played = rivalry("match", "--game", "many:short", *bots, "--seed", "x", "--record", tmp_path / "m.jsonl", "--json")
    unnamed = rivalry("match", "--game", "many", *bots)

    assert played.status == 0, played.err
    assert played.json()["game"] == "many:short"
    assert rivalry("verify", tmp_path / "m.jsonl").status == 0
    assert (unnamed.status, unnamed.err.count("\n")) == (2, 1)
    assert "name one as many:NAME" in unnamed.err
