"""What works for one game works for every game that is installed, a family's games included."""

from __future__ import annotations

import json
from functools import cache

import pytest

from rivalry_engine import catalog, conformance
from rivalry_engine.error import RivalryError
from rivalry_engine.game import PUBLIC
from rivalry_wire import conformance as wire_conformance
from rivalry_wire.codec import codec
from rivalry_wire.generic import GenericCodec

SMALL = ("kuhn_poker", "tic_tac_toe")
"""Of a family these are tried where it has them, else the first that it has."""


@cache
def games():
    """The games that are installed; a family that lacks a package has none."""
    found = []
    for name in catalog.names():
        family = catalog.family(name)
        if family is None:
            found.append(name)
            continue
        try:
            named = family.names()
        except RivalryError:
            continue
        found += [f"{name}:{each}" for each in SMALL if each in named] or [f"{name}:{named[0]}"]
    return found


def smallest(name):
    """The game for as few seats as it takes, which is quickest."""
    return catalog.game(name, {"seats": min(catalog.rules(name).seat_counts)})


every_game = pytest.mark.parametrize("name", games())


@every_game
def test_it_keeps_the_promises_of_the_interface_and_those_of_the_wire(name):
    game = smallest(name)

    conformance.check(game, games=1)
    if isinstance(codec(game), GenericCodec):  # messages of a game's own have tests of their own in tests/wire
        wire_conformance.check(game, games=1)
    assert game.title
    assert game.name == name


@every_game
def test_its_options_are_told_with_kind_default_and_meaning(rivalry, name):
    (told,) = rivalry("games", name, "--json").json()["games"]
    plain = rivalry("games", name)

    assert plain.status == 0
    for option in catalog.rules(name).options_declared():
        assert {"name", "kind", "default", "allowed", "meaning"} == set(told["options"][0])
        assert option.name in plain.out and option.meaning in plain.out
    assert told["primer"] == catalog.rules(name).primer


@every_game
def test_a_match_of_it_is_played_recorded_verified_and_told_again(rivalry, name, tmp_path):
    record = tmp_path / "match.jsonl"
    seats = catalog.rules(name).usual_seats
    bots = [word for seat in range(seats) for word in ("--bot", f"inproc:{('random', 'first')[seat % 2]}")]

    played = rivalry("match", "--game", name, *bots, "--seed", "every", "--record", record, "--json")
    checked, told = rivalry("verify", record), rivalry("replay", record)

    assert played.status == 0, played.err
    assert [seat["end"] for seat in played.json()["seats"]] == ["normal"] * seats
    assert (checked.status, told.status) == (0, 0), checked.err + told.err
    moves = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()[1:-1]]
    assert moves
    assert all(move["action"] in told.out for move in moves)


@every_game
def test_all_that_is_seen_in_it_can_be_read(name):
    game = smallest(name)
    state = game.new_state(b"every")
    views, number = [], 0
    while movers := state.movers():
        number += 1
        if number % 10 in (1, 2):
            views += [game.view(state.observe(audience)) for audience in (PUBLIC, *range(game.seats))]
        for seat in movers:
            state.apply(seat, state.choices(seat)[-1].action)

    assert all(view.strip() for view in views)
    assert len(set(views)) > 1


@every_game
def test_its_positions_are_made_looked_at_and_played_on_or_said_not_to_be(rivalry, name, tmp_path):
    rules = catalog.rules(name)
    made = rivalry("position", "new", "--game", name, "--seed", "every")
    if not rules.has_positions:
        assert (made.status, made.out, made.err.count("\n")) == (2, "", 1)
        assert "has no positions" in made.err
        return
    file = tmp_path / "position.json"
    file.write_text(made.out, encoding="utf-8")

    legal = rivalry("position", "legal", file).json()
    mover = legal["movers"][0]
    after = rivalry("position", "apply", file, legal["choices"][0]["text"])

    assert rivalry("position", "show", file).json() == made.json()
    assert after.status == 0 and after.json() != made.json()
    for seat in ("public", mover):
        assert rivalry("position", "observe", file, "--seat", seat).json()
        assert rivalry("position", "observe", file, "--seat", seat, "--text").out.strip()
    if rules.imagines:
        imagined = rivalry("position", "imagine", file, "--seat", mover, "--seed", "x").json()
        assert imagined["game"] == name
