from __future__ import annotations


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
